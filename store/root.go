package store

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"linkcheck/check"
	"linkcheck/store/facts"
	"linkcheck/store/internal/boltfile"
	"linkcheck/store/internal/codec"
	"linkcheck/store/internal/heard"
	"linkcheck/store/internal/pending"
	"linkcheck/store/internal/under"
	"linkcheck/store/setfile"
)

// Root is an archive that is not on this disk, and how far it was read.
type Root struct {
	Number    uint32 `json:"-"` // 0: it is not in the store yet
	URI       string
	Name      string // the collection of its documents
	Kind      string `json:",omitempty"`
	Owner     string `json:",omitempty"` // who mends its links
	RecordURL string `json:",omitempty"` // where a record can be seen, with "{id}"
	Mark      []byte `json:",omitempty"` // how far it was read in lists

	Sweep   uint64    `json:",omitempty"` // Ingest.Reading in which the sweep under way began; 0: none is
	First   uint32    `json:",omitempty"` // the Source.Number from which on sources were found in that sweep; 0: not known
	Whole   time.Time `json:",omitzero"`  // when the last sweep ended whole
	Tried   time.Time `json:",omitzero"`  // when it was last read, be it in vain
	Failing time.Time `json:",omitzero"`  // since when it cannot be read; zero: it can
	Tries   int       `json:",omitempty"` // in vain since then
	Doubted bool      `json:",omitempty"` // too much is missing at once
	Message string    `json:",omitempty"` // how it stands with it, in one sentence

	Documents int // that stand

	// Of the last sweep, or the one under way.
	New, Changed, Gone     int      `json:",omitempty"`
	Refused, Failed, Empty int      `json:",omitempty"` // documents that did not come, by what was heard of them
	Notes                  []string `json:",omitempty"`
}

// Roots gives the remote roots, by number.
func (s *Store) Roots() (roots []Root, err error) {
	err = s.file.View(func(tx *boltfile.Tx) error {
		return boltfile.Each(tx.Bucket(bucketRoot), func(k, v []byte) error {
			r, err := decodeRoot(k, v)
			roots = append(roots, r)
			return err
		})
	})
	return roots, err
}

func decodeRoot(k, v []byte) (r Root, err error) {
	if err := json.Unmarshal(v, &r); err != nil || len(k) != 4 {
		return r, fmt.Errorf("%w: root %x", ErrCorrupt, k)
	}
	r.Number = uint32(codec.Number(k))
	return r, nil
}

// putRoot writes a root.
func putRoot(tx *boltfile.Tx, r *Root) error {
	b := tx.Bucket(bucketRoot)
	v, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return errors.Join(b.RaiseSequence(uint64(r.Number)), b.Put(codec.Key32(r.Number), v))
}

func documentByName(tx *boltfile.Tx, root uint32, name string) (row sourceRow, found bool, err error) {
	for id := range under.Each(tx.Bucket(bucketUnder).Get(under.Key(root, name))) {
		row, err = decodeSource(id, tx.Bucket(bucketSource).Get(id))
		if err != nil || row.Path == name {
			return row, err == nil, err
		}
	}
	return sourceRow{}, false, nil
}

// fileDocument makes a document found by its name.
func fileDocument(tx *boltfile.Tx, row *sourceRow) error {
	b, key := tx.Bucket(bucketUnder), under.Key(row.Remote, row.Path)
	b.FillPercent = under.Fill
	return b.Put(key, under.With(b.Get(key), codec.Key32(row.id)))
}

// unfileDocument is the inverse of fileDocument.
func unfileDocument(tx *boltfile.Tx, row *sourceRow) error {
	b, key := tx.Bucket(bucketUnder), under.Key(row.Remote, row.Path)
	left := under.Without(b.Get(key), codec.Key32(row.id))
	if left == nil {
		return b.Delete(key)
	}
	return b.Put(key, left)
}

// ofRoot says what the root of a document knows for it.
func (src *Source) ofRoot(roots []Root) {
	i, ok := slices.BinarySearchFunc(roots, src.Remote, func(r Root, n uint32) int { return cmp.Compare(r.Number, n) })
	if ok {
		src.Root, src.Collection = roots[i].URI, roots[i].Name
	}
}

// remoteSources yields the documents of remote roots that were read.
func (s *Store) remoteSources(roots []Root) iter.Seq2[Source, error] {
	return boltfile.Pages(s.file.View, bucketSource, nil, func(_ *boltfile.Tx, k, v []byte) (Source, bool, error) {
		row, err := decodeSource(k, v)
		row.ofRoot(roots)
		return row.Source, row.Remote != 0 && row.Read != 0, err
	})
}

// heard keeps what a step says of the night and of a sweep, which is forgotten with the sweep.
func (in *Ingest) heard(tx *boltfile.Tx, st *Step) (err error) {
	b := tx.Bucket(bucketCache)
	if b == nil { // another file of a set
		return nil
	}
	if r := st.Root; r != nil {
		k := codec.Key32(r.Number)
		before, _ := decodeRoot(k, tx.Bucket(bucketRoot).Get(k)) // none of a new root
		if r.Sweep == 0 || r.Sweep != before.Sweep {
			err = heard.EndSweep(b, r.Number)
		}
	}
	return errors.Join(err, heard.PutResults(b, st.Heard, in.Now), heard.Put(b, st.Kept, in.Now, func(k *facts.Kept) ([]byte, error) {
		row, found, err := sourceByPath(tx, k.Remote, k.Name)
		if err != nil || !found {
			return nil, err
		}
		return row.encode(), nil
	}))
}

// Kept gives what was kept of a name in the sweep of a root that is under way, and the document as it
// was before it, with an empty path where nothing was known of it.
func (in *Ingest) Kept(root uint32, name string) (before Source, value []byte, ok bool, err error) {
	err = in.s.file.View(func(tx *boltfile.Tx) error {
		row, kept, found, err := heard.Get(tx.Bucket(bucketCache), root, name)
		if value, ok = kept, found; len(row) == 0 || err != nil {
			return err
		}
		src, err := decodeSource(codec.Key32(0), row)
		before = src.Source
		return err
	})
	return before, value, ok, err
}

// Heard calls take for what was heard in a night that is not over.
func (s *Store) Heard(now time.Time, take func(address string, r check.Result)) error {
	return s.file.View(func(tx *boltfile.Tx) error { return heard.Results(tx.Bucket(bucketCache), now, take) })
}

// numberRoot gives a root without a number the next, and notes where a sweep begins.
func (in *Ingest) numberRoot(r *Root) error {
	begins := r.Sweep == in.Reading && r.First == 0
	if r.Number != 0 && !begins {
		return nil
	}
	return in.s.file.View(func(tx *boltfile.Tx) error {
		if begins {
			r.First = uint32(tx.Bucket(bucketSource).Sequence()) + 1
		}
		if r.Number == 0 {
			r.Number = uint32(tx.Bucket(bucketRoot).Sequence()) + 1
		}
		return nil
	})
}

// Known gives what earlier steps noted of a file (root 0) or of a document of a remote root.
func (in *Ingest) Known(root uint32, path string) (src Source, found bool, err error) {
	err = in.s.file.View(func(tx *boltfile.Tx) error {
		row, ok, err := sourceByPath(tx, root, path)
		src, found = row.Source, ok
		src.Number = row.id
		return err
	})
	return src, found, err
}

// Under yields the documents of a remote root: those first that were met longest ago, and
// behind those that were met the ones that were only found, in the order in which they
// were. Of root 0 it yields the files, in the order of their numbers.
func (s *Store) Under(root uint32) iter.Seq2[Source, error] {
	if root == 0 {
		return boltfile.Pages(s.file.View, bucketSource, nil, func(_ *boltfile.Tx, k, v []byte) (Source, bool, error) {
			row, err := decodeSource(k, v)
			return row.Source, row.Remote == 0, err
		})
	}
	return func(yield func(Source, error) bool) {
		list, err := s.inOrder(root)
		if err != nil {
			yield(Source{}, err)
			return
		}
		for part := range slices.Chunk(list, underAtOnce) {
			page := make([]Source, len(part))
			err := s.file.View(func(tx *boltfile.Tx) error {
				sources := sourceReader{tx: tx}
				for i, d := range part {
					row, err := sources.row(d.id)
					if err != nil {
						return err
					}
					page[i] = row.Source
					page[i].Number = d.id
				}
				return nil
			})
			if err != nil {
				yield(Source{}, err)
				return
			}
			for i := range page {
				if !yield(page[i], nil) {
					return
				}
			}
		}
	}
}

// underAtOnce is how many documents Under reads in one transaction.
const underAtOnce = 1000

// turn is the place of a document in the order of Under.
type turn struct {
	asked uint64 // less one, so that none is the last
	id    uint32
}

func (s *Store) inOrder(root uint32) (list []turn, err error) {
	prefix := codec.Key32(root)
	err = s.file.View(func(tx *boltfile.Tx) error {
		for k, v := range boltfile.From(tx.Bucket(bucketUnder), prefix) {
			if !slices.Equal(k[:min(4, len(k))], prefix) {
				break
			}
			for id := range under.Each(v) {
				list = append(list, turn{id: uint32(codec.Number(id))})
			}
		}
		slices.SortFunc(list, func(a, b turn) int { return cmp.Compare(a.id, b.id) }) // they are read as they stand
		sources := sourceReader{tx: tx}
		for i := range list {
			row, err := sources.row(list[i].id)
			if err != nil {
				return err
			}
			list[i].asked = row.Asked - 1
		}
		return nil
	})
	slices.SortStableFunc(list, func(a, b turn) int { return cmp.Compare(a.asked, b.asked) })
	return list, err
}

// tellRests tells of the rests that results begin, change or end in a shard of a fleet: the first
// shard, where readings ask, and the one of the host. They know before the results are kept, so
// that a host is left alone whatever comes.
func (s *Store) tellRests(list []pending.Result) error {
	if s.tellTo == nil {
		return nil
	}
	changed, err := s.backOffsAfter(list)
	for host, b := range changed {
		own := setfile.OfLink("http://"+host+"/", s.fleet)
		for _, n := range slices.Compact([]int{0, own}) {
			if err == nil && n != s.shard {
				err = s.tellTo(n, &rest{host, b})
			}
		}
	}
	return err
}

func (c *results) pending() []pending.Result {
	list := make([]pending.Result, len(c.list))
	for i := range c.list {
		list[i] = pending.Result{Link: c.list[i].ID, Result: &c.list[i].Result}
	}
	return list
}
