package store

import (
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"

	"linkcheck/judge"
	"linkcheck/store/internal/boltfile"
	"linkcheck/store/internal/codec"
	"linkcheck/store/internal/linkkey"
	"linkcheck/store/internal/pending"
	"linkcheck/uri/equal"
)

// makeOld makes a store one of an edition whose rules gave no levels above the scheme
// key, and a link another scheme key.
func makeOld(t *testing.T, s *Store, written, other string) {
	t.Helper()
	if err := s.pending.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	old := linkkey.Of(written)
	made := linkkey.Keys{Key: other, Scheme: "http", Host: old.Host}.WithIdentity()
	if err := s.file.Update(func(tx *boltfile.Tx) error {
		links, index := tx.Bucket(bucketLink), s.pending.Finder(tx)
		for id := uint64(1); id <= links.Sequence(); id++ {
			row, err := decodeLink(links.Get(codec.Key(id)))
			if err != nil {
				return err
			}
			row.Levels = [4]uint64{}
			if string(row.Identity) == string(old.Identity) {
				row.Identity, row.URL = made.Identity, written
				if err := errors.Join(index.Remove(pending.Hash(old.Identity), id), index.Put(pending.Hash(made.Identity), id)); err != nil {
					return err
				}
			}
			if err := links.Put(codec.Key(id), row.encode()); err != nil {
				return err
			}
		}
		return tx.Bucket(bucketMeta).Put(metaEdition, codec.Key64(equal.Edition+1))
	}); err != nil {
		t.Fatal(err)
	}
}

// TestRulesOfAnotherEdition: a store whose keys were made by other rules groups its
// links by the present ones at once, and keeps them so once it is opened for writing.
func TestRulesOfAnotherEdition(t *testing.T) {
	s := openTest(t)
	read(t, s, "a.txt", epoch, "http://a.example.net/~x", "https://a.example.net/~x", "http://b.example.net/y#z", "info:doi/10.1000/1", "https://doi.org/10.1000/1", "no uri", "")
	want, err := s.Sets(t.Context(), equal.Heuristic)
	if err != nil || len(want) != 2 {
		t.Fatalf("%v, %v", want, err)
	}
	text := exported(t, s)
	makeOld(t, s, "http://b.example.net/y#z", "http://b.example.net/y")
	old := exported(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(s.Path())
	if err != nil {
		t.Fatal(err)
	}
	r, err := Open(s.Path(), &Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := r.Sets(t.Context(), equal.Heuristic); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("read only: %v, want %v, %v", got, want, err)
	}
	r.Close()
	if after, err := os.ReadFile(s.Path()); err != nil || string(after) != string(before) {
		t.Errorf("a reader changed the file: %v", err)
	}
	for name, open := range map[string]func() *Store{
		"opened": func() *Store {
			s, err := Open(s.Path(), nil)
			if err != nil {
				t.Fatal(err)
			}
			return s
		},
		"imported": func() *Store {
			s := openTest(t)
			if _, err := s.Import(t.Context(), strings.NewReader(old)); err != nil {
				t.Fatal(err)
			}
			return s
		},
	} {
		s := open()
		if got := exported(t, s); got != text {
			t.Errorf("%s it holds\n%s\nwant\n%s", name, got, text)
		}
		mustVerify(t, s)
		s.Close()
	}
}

// TestIdentitiesThatFallTogether: where new rules make two links one, both keep
// their history under the keys they had.
func TestIdentitiesThatFallTogether(t *testing.T) {
	s := openTest(t)
	read(t, s, "a.txt", epoch, "http://b.example.net/y", "http://b.example.net/other")
	makeOld(t, s, "http://b.example.net/other", "http://b.example.net/z")
	if err := s.file.Update(func(tx *boltfile.Tx) error { // now "other" is met anew
		identity := linkkey.Of("http://b.example.net/other").Identity
		row := linkRow{Identity: identity, FirstSeen: epoch}
		state := stateRow{Judgement: judge.Judgement{State: judge.New}}
		id, err := tx.Bucket(bucketLink).NextSequence()
		if err != nil {
			return err
		}
		k := codec.Key(id)
		for _, p := range []struct{ bucket, k, v []byte }{{bucketLink, k, row.encode()}, {bucketState, k, state.encode()}, {bucketMeta, pending.MetaIndexed, codec.Key64(id)}} {
			if err := tx.Bucket(p.bucket).Put(p.k, p.v); err != nil {
				return err
			}
		}
		index := s.pending.Finder(tx)
		return index.Put(pending.Hash(identity), id)
	}); err != nil {
		t.Fatal(err)
	}
	if err := s.rekey(t.Context()); err != nil {
		t.Fatal(err)
	}
	mustVerify(t, s)
	if n := len(links(t, s)); n != 3 {
		t.Errorf("%d links", n)
	}
}
