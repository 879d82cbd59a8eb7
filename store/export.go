package store

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"

	"linkcheck/store/internal/boltfile"
	"linkcheck/store/internal/codec"
	"linkcheck/store/internal/heard"
	"linkcheck/store/internal/linkkey"
	"linkcheck/store/internal/pending"
	"linkcheck/uri/secret"
)

// A store as text is one JSON object a line. The first line names the format, and the last
// one says how many rows there are and gives their checksum: an import demands it of what
// a store of schema 6 or later gave. The others are the rows, table by table. A row that its readable form cannot hold
// octet for octet (a string that is no UTF-8) stands as it is stored, in base64: so
// an import always gives an equal store.

// exportSchema names the format; it changes when a line's meaning does.
const exportSchema = "linkcheck.store.v1"

type exportHead struct {
	Schema string `json:"schema"`
	Store  uint64 `json:"store,omitempty"`  // schema of the store; 0: 1
	Rules  uint64 `json:"rules,omitempty"`  // edition of the rules by which keys were made
	Masked bool   `json:"masked,omitempty"` // passwords stand as "***"
}

// exportLine is one row, readable or as it is stored; or the end of the rows.
type exportLine struct {
	Table string          `json:"table,omitempty"`
	Row   json.RawMessage `json:"row,omitempty"`
	Key   []byte          `json:"key,omitempty"`
	Raw   []byte          `json:"raw,omitempty"`

	End *exportEnd `json:"end,omitempty"`
}

// exportEnd is what the last line says of the lines before it.
type exportEnd struct {
	Rows int    `json:"rows"`
	Hash string `json:"xxh64"`
}

// endsFrom is the schema from which on an export has a last line.
const endsFrom = 6

// rowSum adds up the rows of an export: not as they are spelled but as they are stored, so
// that another spelling of the JSON changes nothing.
type rowSum struct {
	rows int
	hash *xxhash.Digest
}

func newRowSum(h *exportHead) *rowSum {
	r := &rowSum{hash: xxhash.New()}
	r.write([]byte(h.Schema), codec.Key64(h.Store), codec.Key64(h.Rules), []byte(strconv.FormatBool(h.Masked)))
	return r
}

func (r *rowSum) add(table string, k, v []byte) {
	r.rows++
	r.write([]byte(table), k, v)
}

func (r *rowSum) write(parts ...[]byte) {
	for _, p := range parts {
		_, _ = r.hash.Write(codec.Key64(uint64(len(p)))) // a hash takes anything
		_, _ = r.hash.Write(p)
	}
}

func (r *rowSum) end() exportEnd { return exportEnd{r.rows, fmt.Sprintf("%016x", r.hash.Sum64())} }

// Export writes the whole store as JSON lines; masked, with "***" for the passwords of
// references, as its first line then says. It ends with ctx.
func (s *Store) Export(ctx context.Context, w io.Writer, masked bool) error {
	out := bufio.NewWriter(w)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	view := func(at *Store, read func(*boltfile.Tx) error) error { return at.pending.View(read) }
	err := s.views(view, func(of func(uint64) *boltfile.Tx) error {
		head := exportHead{exportSchema, schemaVersion, codec.Number(of(0).Bucket(bucketMeta).Get(metaEdition)), masked}
		if err := enc.Encode(head); err != nil {
			return err
		}
		sum, all := newRowSum(&head), newRows(s, of)
		for _, t := range tables {
			err := all.each(&t, func(k, v []byte) error {
				if err := ctx.Err(); err != nil || t.ofFile(k) {
					return err
				}
				if masked {
					var ok bool
					if k, v, ok = t.mask(k, v); !ok {
						return nil
					}
				}
				sum.add(string(t.bucket), k, v)
				return enc.Encode(t.line(k, v))
			})
			if err != nil {
				return err
			}
		}
		end := sum.end()
		return enc.Encode(exportLine{End: &end})
	})
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	return out.Flush()
}

// rows are those of all files of a store, as if they were one.
type rows struct {
	s     *Store
	of    func(link uint64) *boltfile.Tx
	fresh map[place]uint32 // the numbers of sources that the first shard of a fleet does not know
}

func newRows(s *Store, of func(link uint64) *boltfile.Tx) *rows {
	return &rows{s, of, map[place]uint32{}}
}

// each calls f for the rows of a table. The links of a set are numbered as in one file: those
// of a shard behind those of the shards before it.
func (r *rows) each(t *table, f func(k, v []byte) error) error {
	shared := map[string][]byte{}
	take := func(_ *boltfile.Tx, k, v []byte) error { return f(k, v) }
	if r.s.ofFleet() {
		take = r.united(t, shared, f)
	}
	before := uint64(0) // links in the shards before
	for n := range r.s.shards {
		first := uint64(n) << shardBits
		if n > 0 && !t.ofLinks() && !r.s.ofFleet() {
			break
		}
		tx := r.of(first)
		err := boltfile.Each(tx.Bucket(t.bucket), func(k, v []byte) error {
			if n > 0 && t.link(k) != nil {
				k = bytes.Clone(k)
				copy(t.link(k), codec.Key(codec.Number(t.link(k))-first+before))
			}
			return take(tx, k, v)
		})
		if err != nil {
			return err
		}
		before += tx.Bucket(bucketLink).Sequence() - first
	}
	for _, k := range slices.Sorted(maps.Keys(shared)) {
		if err := f([]byte(k), shared[k]); err != nil {
			return err
		}
	}
	return nil
}

// table is how the rows of a bucket are written as text and read again.
type table struct {
	bucket []byte
	show   func(k, v []byte) (any, error) // the readable form
	read   func(row json.RawMessage) (k, v []byte, err error)
	mask   func(k, v []byte) (masked, value []byte, ok bool) // the row without secrets; not ok: it is left out
	also   func(tx *boltfile.Tx, k, v []byte) error          // indexes and counters that follow from the row; nil: none
}

// line gives the readable form of a row if that gives the row back.
func (t *table) line(k, v []byte) exportLine {
	line := exportLine{Table: string(t.bucket)}
	if shown, err := t.show(k, v); err == nil {
		var buf bytes.Buffer
		enc := json.NewEncoder(&buf)
		enc.SetEscapeHTML(false)
		if enc.Encode(shown) == nil {
			if k2, v2, err := t.read(buf.Bytes()); err == nil && bytes.Equal(k, k2) && bytes.Equal(v, v2) {
				line.Row = bytes.TrimSpace(buf.Bytes())
				return line
			}
		}
	}
	line.Key, line.Raw = k, v
	return line
}

// ofFile says that a row describes the file and is not a part of what it holds.
func (t *table) ofFile(k []byte) bool {
	return bytes.Equal(t.bucket, bucketMeta) && slices.ContainsFunc(
		[][]byte{metaMark, metaSchema, pending.MetaIndexed, pending.MetaFlushed, metaEdition, metaReading, metaCursor, metaShard},
		func(name []byte) bool { return bytes.Equal(k, name) })
}

// link is the part of a row's key that is the number of its link; nil: it is of none.
func (t *table) link(k []byte) []byte {
	switch {
	case !t.ofLinks() || len(k) <= codec.KeyLen && bytes.Equal(t.bucket, bucketPin):
		return nil
	case bytes.Equal(t.bucket, bucketPin) && k[0] == 'l':
		return k[1 : 1+codec.KeyLen]
	case bytes.Equal(t.bucket, bucketPin) || len(k) < codec.KeyLen:
		return nil
	}
	return k[:codec.KeyLen]
}

// A masked export holds no secret (package secret): what hides one is changed as it is for
// a report, so that an import of it gives a store in which those links are no longer what
// they were. Rows of which only programs make sense are left out where they hold one: the
// next run learns again what is in them.

// maskLink makes the link anew of its masked address.
func maskLink(l *linkLine) bool {
	p, err := l.parts()
	if err != nil {
		return false
	}
	if url, key := secret.Mask(p.url), secret.Mask(p.key); url != p.url || key != p.key {
		keys, host := linkkey.Of(url), l.Host
		keys.Target, keys.Via = l.Target, l.Via
		if l.linkRow = newLinkRow(&keys, url, l.FirstSeen); l.Target != "" {
			l.Host = host
		}
	}
	l.Target, l.Via = secret.Mask(l.Target), secret.Mask(l.Via)
	return true
}

func maskMention(l *mentionLine) bool {
	for _, s := range []*string{l.Raw, l.URL} {
		if s != nil {
			*s = secret.Mask(*s)
		}
	}
	if l.Raw != nil && l.URL != nil && *l.URL != *l.Raw && strings.Contains(*l.URL, "***") {
		*l.Raw = *l.URL
	}
	for _, s := range []*string{&l.Collection, &l.Member, &l.Record, &l.Locator, &l.Context, &l.Title, &l.Owner} {
		*s = secret.MaskText(*s)
	}
	return true
}

func maskSource(l *sourceLine) bool {
	for _, s := range []*string{&l.Path, &l.Name, &l.Collection, &l.Root, &l.Rows, &l.Options, &l.Damage, &l.Version, &l.Media} {
		*s = secret.MaskText(*s)
	}
	return true
}

func maskEvent(l *eventLine) bool {
	r := &l.Result
	for _, s := range []*string{&r.FinalURL, &r.SuggestedURL} {
		*s = secret.Mask(*s)
	}
	for i := range r.Hops {
		r.Hops[i].URL = secret.Mask(r.Hops[i].URL)
	}
	for _, s := range []*string{&r.Reply, &r.ContentType, &r.Title, &r.ETag, &r.LastModified} {
		*s = secret.MaskText(*s)
	}
	return true
}

func maskState(l *stateLine) bool {
	l.Text.Title = secret.MaskText(l.Text.Title)
	return true
}

func maskPlain(l *plainLine) bool { return harmless(l.Value) }
func maskCached(l *cachedLine) bool {
	return !heard.Is(l.Key) && harmless([]byte(l.Key)) && harmless(l.Value)
}

func harmless(b []byte) bool { return secret.MaskText(string(b)) == string(b) }

// maskJSON masks the strings in a row that is stored as JSON.
func maskJSON(l *jsonLine) (ok bool) {
	l.Value, ok = secret.MaskJSON(l.Value)
	return ok
}
