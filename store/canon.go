package store

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"linkcheck/store/internal/boltfile"
	"linkcheck/store/internal/codec"
	"linkcheck/store/internal/said"
)

// Canon writes what the store knows, one JSON object a line, in the order of keys and
// names: first the links, each with all that is known of it, then sources, roots and runs,
// and the rest as [Store.Export] has it. Stores that know the same give the same, however
// they came to it: what hangs on the way is left out, which is the numbers of links, words,
// sources and readings, the files of rows that were read, the times of runs, and how long a probe took, its octets and
// attempts. It holds the keys of all links in memory, and ends with ctx.
func (s *Store) Canon(ctx context.Context, w io.Writer) error {
	out := bufio.NewWriter(w)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	roots, err := s.Roots()
	if err == nil {
		view := func(at *Store, read func(*boltfile.Tx) error) error { return at.pending.View(read) }
		err = s.views(view, func(of func(uint64) *boltfile.Tx) error {
			tx := of(0)
			c := canon{ctx: ctx, s: s, of: of, tx: tx, roots: roots, row: sourceReader{tx: tx}, write: enc.Encode}
			for _, part := range []func() error{c.links, c.sources, c.ofRoots, c.runs, c.others} {
				if err := part(); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err != nil {
		return fmt.Errorf("canon: %w", err)
	}
	return out.Flush()
}

// canon is one Canon under way.
type canon struct {
	ctx   context.Context
	s     *Store
	of    func(link uint64) *boltfile.Tx
	tx    *boltfile.Tx // of the file at hand: the first, but for its links
	roots []Root
	row   sourceReader
	write func(any) error
}

// eachByName calls f with the keys of buckets in the order of the names of their rows.
func (c *canon) eachByName(buckets []*boltfile.Bucket, name func(k, v []byte) (string, error), f func(k []byte) error) (err error) {
	type named struct {
		name string
		key  []byte
	}
	var list []named
	for _, b := range buckets {
		err = cmp.Or(err, boltfile.Each(b, func(k, v []byte) error {
			n, err := name(k, v)
			list = append(list, named{n, bytes.Clone(k)})
			return cmp.Or(err, c.ctx.Err())
		}))
	}
	slices.SortFunc(list, func(a, b named) int { return strings.Compare(a.name, b.name) })
	for _, l := range list {
		if err == nil {
			err = cmp.Or(f(l.key), c.ctx.Err())
		}
	}
	return err
}

// eachUnder calls f with the rows whose keys begin with a prefix.
func (c *canon) eachUnder(bucket, prefix []byte, f func(k, v []byte) error) error {
	for k, v := range boltfile.From(c.tx.Bucket(bucket), prefix) {
		if !bytes.HasPrefix(k, prefix) {
			break
		}
		if err := f(k, v); err != nil {
			return err
		}
	}
	return nil
}

type canonLink struct {
	Link     linkLine          `json:"link"`
	State    stateLine         `json:"state"`
	Said     []json.RawMessage `json:"said,omitempty"`
	Mentions []canonMention    `json:"mentions,omitempty"`
	Events   []eventLine       `json:"events,omitempty"`
	Octets   string            `json:"octets"` // a sum of the rows: JSON does not hold every string
}

type canonMention struct {
	mentionLine
	Sources []string `json:"sources"` // by name
}

func (c *canon) links() error {
	var buckets []*boltfile.Bucket
	for n := range c.s.shards {
		buckets = append(buckets, c.of(uint64(n)<<shardBits).Bucket(bucketLink))
	}
	home := c.tx
	defer func() { c.tx = home }()
	return c.eachByName(buckets, func(_, v []byte) (string, error) {
		identity, err := linkIdentity(v)
		return string(identity), err
	}, func(k []byte) error {
		if tx := c.of(codec.Number(k)); tx != c.tx {
			c.tx, c.row = tx, sourceReader{tx: tx}
		}
		return c.link(k)
	})
}

func (c *canon) link(id []byte) (err error) {
	sum := xxhash.New()
	var l canonLink
	err = c.eachUnder(bucketPin, said.LinkKey(codec.Number(id)), func(_, v []byte) error {
		word, err := said.Unnumbered(v)
		l.Said = append(l.Said, word)
		return err
	})
	if err != nil {
		return err
	}
	if l.Link, err = showLink(id, c.tx.Bucket(bucketLink).Get(id)); err != nil {
		return err
	}
	if l.State, err = showState(id, c.tx.Bucket(bucketState).Get(id)); err != nil {
		return err
	}
	l.Link.ID, l.State.Link = 0, 0
	l.State.Last.Took, l.State.Last.Bytes, l.State.Last.Attempts = 0, 0, 0
	_, _ = sum.Write(append(l.Link.encode(), l.State.encode()...)) // a hash takes anything
	url, err := urlOf(c.tx, codec.Number(id))
	if err != nil {
		return err
	}
	err = c.eachUnder(bucketMention, id, func(k, v []byte) error {
		m, err := c.mention(k, v, url)
		l.Mentions = append(l.Mentions, m)
		return err
	})
	if err != nil {
		return err
	}
	for i := range l.Mentions {
		_, row, _ := readMention(&l.Mentions[i].mentionLine)
		_, _ = sum.Write(row)
	}
	err = c.eachUnder(bucketHistory, id, func(k, v []byte) error {
		e, err := showEvent(k, v)
		e.Link, e.Result.Took, e.Result.Bytes, e.Result.Attempts = 0, 0, 0, 0
		l.Events = append(l.Events, e)
		_, row, _ := readEvent(&e)
		_, _ = sum.Write(row)
		return err
	})
	l.Octets = fmt.Sprintf("%016x", sum.Sum64())
	return cmp.Or(err, c.write(l))
}

func (c *canon) mention(k, v []byte, url string) (m canonMention, err error) {
	row, err := decodeMention(v, url)
	if err == nil {
		m.mentionLine, err = showMention(k, row.encode(notAText)) // whether it leaves its spelling to the link is no fact
	}
	if err != nil {
		return m, err
	}
	for _, h := range m.mentionLine.Sources {
		row, err := c.row.row(h.Source)
		if err != nil {
			return m, err
		}
		m.Sources = append(m.Sources, c.sourceName(row))
	}
	m.Link, m.mentionLine.Sources = 0, nil
	return m, nil
}

// sourceName is a name of a source that holds no number.
func (c *canon) sourceName(row *sourceRow) string {
	if row.Remote == 0 {
		return row.Path
	}
	row.ofRoot(c.roots)
	return row.Root + " " + row.Path
}

type canonSource struct {
	Source sourceLine `json:"source"`
	Read   bool       `json:"read"`
	Asked  bool       `json:"asked"` // in the sweep of its root that is under way
	Names  []string   `json:"names,omitempty"`
	Octets string     `json:"octets"`
}

func (c *canon) sources() error {
	return c.eachByName([]*boltfile.Bucket{c.tx.Bucket(bucketSource)}, func(k, v []byte) (string, error) {
		row, err := decodeSource(k, v)
		return c.sourceName(&row), err
	}, c.source)
}

func (c *canon) source(k []byte) error {
	row, err := decodeSource(k, c.tx.Bucket(bucketSource).Get(k))
	if err != nil {
		return err
	}
	s := canonSource{Read: row.Read != 0}
	for i := range c.roots {
		s.Asked = s.Asked || c.roots[i].Number == row.Remote && c.roots[i].Sweep != 0 && row.Asked >= c.roots[i].Sweep
	}
	err = c.eachUnder(bucketName, k, func(_, v []byte) error {
		return eachName(v, func(hash uint64, n Name) error {
			s.Names = append(s.Names, fmt.Sprintf("%016x %q %d %q", hash, n.Member, n.Line, n.Locator))
			return nil
		})
	})
	slices.Sort(s.Names)
	row.ofRoot(c.roots)
	root := row.Root
	row.Read, row.Asked, row.Remote, row.Rows = 0, 0, min(row.Remote, 1), ""
	b := row.encode()
	s.Octets = fmt.Sprintf("%016x", xxhash.Sum64(b))
	s.Source, _ = showSource(codec.Key32(0), b)
	s.Source.Root = root
	return cmp.Or(err, c.write(s))
}

type canonRoot struct {
	Root
	Sweep bool // one is under way
}

func (c *canon) ofRoots() error {
	roots := slices.SortedFunc(slices.Values(c.roots), func(a, b Root) int { return strings.Compare(a.URI, b.URI) })
	for i := range roots {
		if err := c.write(map[string]canonRoot{"root": {roots[i], roots[i].Sweep != 0}}); err != nil {
			return err
		}
	}
	return nil
}

type canonRun struct {
	Run
	Started *bool `json:",omitempty"` // none
	Ended   bool  // it did
}

func (c *canon) runs() error {
	return newRows(c.s, c.of).each(tableOf(string(bucketRun)), func(_, v []byte) error {
		r, err := readRun(v)
		r.Order = nil
		return cmp.Or(err, c.write(map[string]canonRun{"run": {r, nil, !r.Ended.IsZero()}}))
	})
}

// others writes the rows that hold no numbers: pins of hosts, hosts that rest, what probers
// know, and what is known of the whole store.
func (c *canon) others() error {
	for _, t := range tables {
		if !slices.ContainsFunc([][]byte{bucketMeta, bucketPin, bucketHost, bucketCache}, func(b []byte) bool { return bytes.Equal(b, t.bucket) }) {
			continue
		}
		err := newRows(c.s, c.of).each(&t, func(k, v []byte) error {
			switch isWord := bytes.Equal(t.bucket, bucketPin); {
			case t.ofFile(k) || isWord && k[0] == 'l':
				return nil
			case isWord:
				host, _, _ := bytes.Cut(k[1:], []byte{0})
				word, err := said.Unnumbered(v)
				return cmp.Or(err, c.write(map[string]any{"host": string(host), "said": json.RawMessage(word)}))
			}
			return c.write(t.line(k, v))
		})
		if err != nil {
			return err
		}
	}
	return nil
}
