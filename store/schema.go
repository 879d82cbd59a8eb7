package store

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"linkcheck/store/internal/boltfile"
	"linkcheck/store/internal/codec"
	"linkcheck/store/internal/linkkey"
	"linkcheck/store/internal/pending"
	"linkcheck/store/schema"
	"linkcheck/store/setfile"
	"linkcheck/uri/equal"
	"linkcheck/uri/proxied"
)

// The buckets, beside those of the package pending.
var (
	bucketMeta    = boltfile.BucketMeta // name -> value
	bucketLink    = []byte("link")      // link -> linkRow: what never changes
	bucketState   = []byte("state")     // link -> stateRow: the judgement, small, rewritten by every probe
	bucketHistory = []byte("hist")      // link, run -> eventRow: a result where something changed
	bucketMention = []byte("mention")   // link, hash of the mention's identity -> mentionRow
	bucketSource  = []byte("source")    // source -> sourceRow
	bucketPath    = []byte("path")      // path -> source
	bucketRoot    = []byte("root")      // remote root -> JSON of Root
	bucketUnder   = []byte("under")     // remote root, hash and end of a document's name -> its source, or several
	bucketRun     = []byte("run")       // run -> JSON of Run
	bucketPin     = []byte("pin")       // "l" link or "h" host -> JSON of Pin
	bucketHost    = []byte("host")      // host -> JSON of judge.BackOff
	bucketCache   = []byte("recall")    // key of a prober's own -> until when, value
	bucketName    = []byte("name")      // source, sequence -> names of messages (sources.go)
)

var buckets = [][]byte{bucketMeta, pending.BucketIndex, bucketLink, bucketState, bucketHistory, bucketMention, bucketSource,
	bucketPath, bucketRoot, bucketUnder, bucketRun, bucketPin, bucketHost, bucketCache, bucketName, pending.BucketJournal}

const schemaVersion = schema.Version

// Names in bucketMeta.
var (
	metaMark    = []byte("mark") // holds markText
	metaSchema  = []byte("schema")
	metaEdition = []byte("edition") // of the rules by which the keys of all links were made
	metaProxies = []byte("proxies") // rules of libraries' proxies, one a line
	metaRetire  = []byte("sweep")   // set while a source may hold mentions that were not found again
	metaReading = []byte("reading") // the last one, see readingRow
	metaCursor  = []byte("cursor")  // see Store.Cursor
	metaShard   = []byte("shard")   // what a file of a set is, see setfile.Mark
)

var markText = []byte("linkcheck store")

func initSchema(tx *boltfile.Tx) error {
	if err := addBuckets(tx); err != nil {
		return err
	}
	meta := tx.Bucket(bucketMeta)
	return errors.Join(meta.Put(metaMark, markText), meta.Put(metaSchema, codec.Key64(schemaVersion)),
		meta.Put(metaEdition, codec.Key64(equal.Edition)))
}

// initShard makes a store of one file, be it one of a fleet.
func (o *Options) initShard(tx *boltfile.Tx) error {
	err := initSchema(tx)
	if o.Fleet > 0 {
		set := setfile.NewFleet(o.Fleet, equal.Edition)
		err = errors.Join(err, tx.Bucket(bucketLink).RaiseSequence(uint64(o.Shard)<<shardBits), tx.Bucket(bucketMeta).Put(metaShard, []byte(set.Mark(o.Shard))))
	}
	return err
}

// schema reads the schema version and the edition; a bbolt file without our mark is
// foreign.
func (s *Store) schema() (version, edition uint64, err error) {
	err = s.file.View(func(tx *boltfile.Tx) error {
		meta := tx.Bucket(bucketMeta)
		if meta == nil || !bytes.Equal(meta.Get(metaMark), markText) {
			return ErrForeign
		}
		v := meta.Get(metaSchema)
		if len(v) != 8 {
			return fmt.Errorf("%w: no schema version", ErrCorrupt)
		}
		version, edition = binary.BigEndian.Uint64(v), codec.Number(meta.Get(metaEdition))
		if version == 0 || version <= schemaVersion && s.file.Sealed() != (version >= schemaSealed) {
			return fmt.Errorf("%w: schema %d", ErrCorrupt, version)
		}
		for _, name := range buckets {
			if version == schemaVersion && tx.Bucket(name) == nil {
				return fmt.Errorf("%w: no bucket %s", ErrCorrupt, name)
			}
		}
		return nil
	})
	return version, edition, err
}

// The schemas that brought more than a bucket: 5 an index in the place of a bucket from
// identities to links, which is filled when the store is flushed; 6 the checksums. What is
// written into those must be read without fault before.
const (
	schemaIndexed = 5
	schemaSealed  = 6
)

// migrate brings the store at path, which is open, from an older schema to this one. The
// file may then have another in its place, and is to be opened again.
func (s *Store) migrate(ctx context.Context, have uint64) error {
	change := func(tx *boltfile.Tx) error {
		if have < schemaIndexed {
			if err := indexLinks(tx); err != nil {
				return err
			}
		}
		return errors.Join(addBuckets(tx), tx.Bucket(bucketMeta).Put(metaSchema, codec.Key64(schemaVersion)))
	}
	var err error
	if have >= schemaSealed {
		err = s.file.Update(change)
	} else if err = s.checkRows(ctx); err == nil {
		err = s.file.Rewrite(ctx, change)
	}
	if err != nil {
		return fmt.Errorf("migration from schema %d: %w", have, err)
	}
	return nil
}

// addBuckets makes the buckets that older schemas do not have.
func addBuckets(tx *boltfile.Tx) error {
	for _, name := range buckets {
		if _, err := tx.NeedBucket(name); err != nil {
			return err
		}
	}
	return nil
}

func indexLinks(tx *boltfile.Tx) error {
	return errors.Join(tx.DropBucket([]byte("form")), tx.Bucket(bucketMeta).Delete(pending.MetaIndexed))
}

// readProxies takes the rules of libraries' proxies from the store, unless there are others
// now; changed says that links were taken apart by other rules.
func (s *Store) readProxies(readOnly bool) (changed bool, err error) {
	err = s.file.View(func(tx *boltfile.Tx) error {
		stored := string(tx.Bucket(bucketMeta).Get(metaProxies))
		if s.rules.Proxies != nil && !readOnly {
			changed = stored != s.rules.Proxies.String()
			return nil
		}
		if s.rules.Proxies, err = proxied.ParseRules(stored); err != nil {
			return fmt.Errorf("%w: %w", ErrCorrupt, err)
		}
		return nil
	})
	return changed, err
}

const (
	rekeyRows = 10000 // in one transaction
	linkFill  = 0.95  // of a page: rows come in order and do not grow
)

// rekey makes the keys of all links by the present rules. What a crash or the end of ctx
// cuts off is done again.
func (s *Store) rekey(ctx context.Context) error {
	for from := []byte{}; from != nil; {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := s.file.Update(func(tx *boltfile.Tx) (err error) {
			if from, err = s.rekeyPart(tx, from); err != nil || from != nil {
				return err
			}
			meta := tx.Bucket(bucketMeta)
			err = meta.Delete(metaProxies)
			if len(s.rules.Proxies) > 0 {
				err = meta.Put(metaProxies, []byte(s.rules.Proxies.String()))
			}
			return errors.Join(err, meta.Put(metaEdition, codec.Key64(equal.Edition)))
		})
		if err != nil {
			return fmt.Errorf("keys by new rules: %w", err)
		}
	}
	s.oldKeys = false
	return nil
}

// rekeyPart makes the keys of some links; next is nil at the end.
func (s *Store) rekeyPart(tx *boltfile.Tx, from []byte) (next []byte, err error) {
	type changed struct{ key, row []byte }
	var list []changed
	b := tx.Bucket(bucketLink)
	next, err = boltfile.Part(b, from, rekeyRows, func(k, v []byte) error {
		row, err := s.rekeyed(tx, k, v)
		if err != nil {
			return fmt.Errorf("link %d: %w", codec.Number(k), err)
		}
		if row != nil {
			list = append(list, changed{bytes.Clone(k), row})
		}
		return nil
	})
	b.FillPercent = linkFill
	for _, c := range list {
		if err == nil {
			err = b.Put(c.key, c.row)
		}
	}
	return next, err
}

// rekeyed is the row of a link by the present rules; nil: as it is. A link whose
// identity is now that of another link stays as it is: both have a history.
func (s *Store) rekeyed(tx *boltfile.Tx, id, row []byte) ([]byte, error) {
	l, p, err := readLinkParts(row)
	if err != nil || strings.HasPrefix(p.key, linkkey.RelativeMark) {
		return nil, err
	}
	keys := linkkey.Of(p.url).Through(s.rules.Proxies, p.url)
	fresh := newLinkRow(&keys, p.url, l.FirstSeen)
	b := fresh.encode()
	if bytes.Equal(b, row) {
		return nil, nil
	}
	if !bytes.Equal(fresh.Identity, l.Identity) {
		index, hash := s.pending.Finder(tx), pending.Hash(fresh.Identity)
		if other, err := index.Link(hash, fresh.Identity); other != 0 || err != nil {
			return nil, err
		}
		link := codec.Number(id)
		return b, errors.Join(index.Remove(pending.Hash(l.Identity), link), index.Put(hash, link))
	}
	return b, nil
}

// createSet makes the files of a new set in a folder that is empty or not there; with a fleet
// its shards, which are none before they are filled.
func createSet(dir string, shards int, fleet bool) error {
	if shards > setfile.Most {
		return fmt.Errorf("a set has 1 to %d shards, not %d", setfile.Most, shards)
	}
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%w: %w", ErrUnwritable, err)
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) > 0 {
		return errors.Join(fmt.Errorf("%w: it is there, and no empty folder", ErrForeign), err)
	}
	set := setfile.New(shards, equal.Edition)
	if fleet {
		set = setfile.NewFleet(shards, equal.Edition)
		set.Filling = true
	}
	for n := range shards {
		err := boltfile.Create(setfile.File(dir, n), func(tx *boltfile.Tx) error {
			err := initSchema(tx)
			for _, name := range homeBuckets {
				if n > 0 && !fleet {
					err = errors.Join(err, tx.DropBucket(name))
				}
			}
			return errors.Join(err, tx.Bucket(bucketLink).RaiseSequence(uint64(n)<<shardBits), tx.Bucket(bucketMeta).Put(metaShard, []byte(set.Mark(n))))
		})
		if err != nil {
			return fmt.Errorf("%w: %w", ErrUnwritable, err)
		}
	}
	return set.Write(dir)
}

// belongs says whether a file is what it was opened as.
func (s *Store) belongs(in shard) error {
	return s.file.View(func(tx *boltfile.Tx) error {
		meta := tx.Bucket(bucketMeta)
		if meta == nil {
			return nil // what it is is told by its schema
		}
		switch mark := string(meta.Get(metaShard)); {
		case mark == in.set.Mark(in.number):
			return nil
		case in.set == nil && setfile.OfFleet(mark):
			return nil
		case in.set == nil:
			return fmt.Errorf("%w by itself, but a file of a set: name the folder of that", ErrForeign)
		}
		return fmt.Errorf("%w: it is another than shard %d of this set; put that back from a backup", ErrForeign, in.number)
	})
}
