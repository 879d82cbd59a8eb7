package store

import (
	"encoding/binary"
	"errors"
	"fmt"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"linkcheck/store/internal/codec"
	"linkcheck/uri/equal"
)

// The buckets. Numbers in keys are big-endian, so that order of bytes is order of numbers.
var (
	bucketMeta    = []byte("meta")    // name -> value
	bucketIndex   = []byte("index")   // hash of the form (form.go), link id -> nothing: identity
	bucketLink    = []byte("link")    // link id -> linkRow: what never changes
	bucketState   = []byte("state")   // link id -> stateRow: the judgement, small, rewritten by every probe
	bucketHist    = []byte("hist")    // link id, run -> eventRow: a result where something changed
	bucketMention = []byte("mention") // link id, hash of the identity -> mentionRow
	bucketSource  = []byte("source")  // source id -> sourceRow
	bucketPath    = []byte("path")    // path -> source id
	bucketRun     = []byte("run")     // run id -> JSON
	bucketPin     = []byte("pin")     // "l" link id or "h" host -> JSON
	bucketHost    = []byte("host")    // host -> JSON: left alone until when
	bucketJournal = []byte("journal") // number -> results that are not in their places yet
	bucketRecall  = []byte("recall")  // key of a prober's own -> until when, value
	bucketName    = []byte("name")    // source id, sequence -> names of messages (names.go)
)

var buckets = [][]byte{bucketMeta, bucketIndex, bucketLink, bucketState, bucketHist,
	bucketMention, bucketSource, bucketPath, bucketRun, bucketPin, bucketHost, bucketRecall, bucketName, bucketJournal}

const schemaVersion = 5

var (
	metaMark   = []byte("mark")
	metaSchema = []byte("schema")
	markText   = []byte("linkcheck store")
)

// migrations[i] brings a store of schema i+1 to schema i+2.
var migrations = [schemaVersion - 1]func(*bolt.Tx) error{addRecall, addNames, addJournal, addIndex}

// addRecall: schema 1 remembered nothing of servers beside their answers.
func addRecall(tx *bolt.Tx) error {
	_, err := tx.CreateBucketIfNotExists(bucketRecall)
	return err
}

// addNames: schema 2 knew no names. All sources are read again after it, since
// what their readers are told has grown (Source.Options).
func addNames(tx *bolt.Tx) error {
	_, err := tx.CreateBucketIfNotExists(bucketName)
	return err
}

// addJournal: in schema 3 every row was put in its place at once.
func addJournal(tx *bolt.Tx) error {
	_, err := tx.CreateBucketIfNotExists(bucketJournal)
	return err
}

// addIndex: in schema 4 links were found by their forms. The index is filled when
// the store is settled.
func addIndex(tx *bolt.Tx) error {
	if _, err := tx.CreateBucketIfNotExists(bucketIndex); err != nil {
		return err
	}
	if err := tx.DeleteBucket([]byte("form")); err != nil && !errors.Is(err, bolterrors.ErrBucketNotFound) {
		return err
	}
	return tx.Bucket(bucketMeta).Delete(metaFiled)
}

func initSchema(tx *bolt.Tx) error {
	for _, name := range buckets {
		if _, err := tx.CreateBucket(name); err != nil {
			return err
		}
	}
	meta := tx.Bucket(bucketMeta)
	return errors.Join(meta.Put(metaMark, markText), meta.Put(metaSchema, codec.Key64(schemaVersion)),
		meta.Put(metaEdition, codec.Key64(equal.Edition)))
}

// schema reads the schema version; a bbolt file without our mark is foreign.
func (s *Store) schema() (version uint64, err error) {
	err = s.file.View(func(tx *bolt.Tx) error {
		meta := tx.Bucket(bucketMeta)
		if meta == nil || string(meta.Get(metaMark)) != string(markText) {
			return ErrForeign
		}
		v := meta.Get(metaSchema)
		if len(v) != 8 {
			return fmt.Errorf("%w: no schema version", ErrCorrupt)
		}
		version = binary.BigEndian.Uint64(v)
		if version == 0 {
			return fmt.Errorf("%w: schema 0", ErrCorrupt)
		}
		if version > schemaVersion {
			return nil
		}
		for _, name := range buckets {
			if tx.Bucket(name) == nil && version == schemaVersion {
				return fmt.Errorf("%w: no bucket %s", ErrCorrupt, name)
			}
		}
		return nil
	})
	return version, err
}

// migrate runs all the steps in one transaction: it is done whole or not at all.
func (s *Store) migrate(have uint64) error {
	return s.file.Update(func(tx *bolt.Tx) error {
		for v := have; v < schemaVersion; v++ {
			if err := migrations[v-1](tx); err != nil {
				return fmt.Errorf("migration from schema %d: %w", v, err)
			}
		}
		return tx.Bucket(bucketMeta).Put(metaSchema, codec.Key64(schemaVersion))
	})
}
