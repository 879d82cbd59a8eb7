package ingest

import (
	"context"
	"crypto/sha256"
	"errors"
	"hash"
	"io"
	"io/fs"
	"maps"
	"slices"

	"linkcheck/extract"
	"linkcheck/store"
)

const batchMentions = 1000 // mentions and names that a reader hands over at a time

// part is what a reader hands over: one of these.
type part struct {
	batch    *store.Batch // mentions; more comes
	document *document    // the end of a source
	unwalked error        // a path that could not be walked
	err      error        // of the store: the reading ends
}

// document is one source, and what came of it beside its mentions.
type document struct {
	src     store.Source
	same    bool // not read: it has not changed
	emptied int  // not read: it has no octet now, and had so many mentions (OUTCOMES 5.1.10)
	damages []error
	foreign map[string]int // documents in it by their format, which nothing here reads
	err     error          // it could not be read whole
}

// readSource reads one source below root, if it has changed, and sends what it holds.
func (r *reading) readSource(ctx context.Context, root string, s source, err error, send func(part) bool) {
	if err != nil {
		send(part{unwalked: err})
		return
	}
	old, found, err := r.st.Source(s.path)
	if err != nil {
		send(part{err: err})
		return
	}
	d := &document{src: store.Source{Path: s.path, Collection: r.collection, Root: root, Options: r.fingerprint, Size: s.size, ModTime: s.modTime}}
	found = found && old.Gone.IsZero()
	d.same = found && unchanged(&old, &d.src, s)
	if found && s.size == 0 && !r.o.AllowEmpty {
		d.emptied = old.Mentions
	}
	if !d.same && d.emptied == 0 {
		r.extract(ctx, s, d, send)
	}
	send(part{document: d})
}

// unchanged compares a source with what was read before: by size and time, or by
// content where only the time differs.
func unchanged(old, src *store.Source, s source) bool {
	if old.Collection != src.Collection || old.Options != src.Options || old.Size != src.Size {
		return false
	}
	if old.ModTime.Equal(src.ModTime) {
		return true
	}
	if len(old.Hash) == 0 {
		return false
	}
	f, err := s.open()
	if err != nil {
		return false // reading it will fail, and say so
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return false
	}
	return string(sum.Sum(nil)[:16]) == string(old.Hash)
}

// extract sends the mentions and names of one source in batches, the last of which
// may be empty: batches, too, give sources their numbers, in the order of the walk.
func (r *reading) extract(ctx context.Context, s source, d *document, send func(part) bool) {
	f, err := s.open()
	if err != nil {
		d.err = err
		return
	}
	defer f.Close()
	content := &hashingReader{r: &contextReader{ctx, f}, sum: sha256.New()}
	var list []store.Mention
	var names []store.Name
	flush := func() bool {
		b := store.Prepare(s.path, list, names)
		list, names = make([]store.Mention, 0, cap(list)), nil
		return send(part{batch: b})
	}
	o := r.o.Extract
	o.Names = true
	for found, err := range extract.Document(s.path, content, o) {
		switch {
		case err != nil:
			d.failed(err)
		case found.Name != "":
			names = append(names, store.Name{Name: found.Name, Member: found.Member, Locator: found.Locator, Line: found.Line})
		default:
			d.src.Mentions++
			list = append(list, mention(r.collection, &found))
		}
		if len(list)+len(names) >= batchMentions && !flush() {
			return
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(d.foreign)) {
		d.src.NotRead = append(d.src.NotRead, store.Kind{Name: kind, N: d.foreign[kind]})
	}
	if content.n == s.size {
		d.src.Hash = content.sum.Sum(nil)[:16]
	}
	flush()
}

// failed sorts an error of extract.Document: a format that nothing here reads, a
// damaged part, or a file that could not be read on.
func (d *document) failed(err error) {
	var damage *extract.Damage
	var foreign *extract.Foreign
	var file *fs.PathError
	switch {
	case errors.As(err, &foreign):
		if d.foreign == nil {
			d.foreign = map[string]int{}
		}
		d.foreign[foreign.Kind]++
	case errors.As(err, &file) || !errors.As(err, &damage):
		d.err = err
	default:
		d.src.Problems++
		d.damages = append(d.damages, err)
	}
}

func mention(collection string, f *extract.Found) store.Mention {
	url := f.URI
	if f.Faulty {
		url = f.Raw // the record is to be mended, whatever would answer at the URI that is meant
	}
	return store.Mention{
		Collection: collection, Source: f.Source, Member: f.Member, Line: f.Line, Column: f.Column,
		Record: f.Record, Locator: f.Locator, Raw: f.Raw, URL: url, How: f.How, Context: f.Context, Title: f.Title,
	}
}

// hashingReader hashes and counts what is read through it.
type hashingReader struct {
	r   io.Reader
	sum hash.Hash
	n   int64
}

func (h *hashingReader) Read(p []byte) (int, error) {
	n, err := h.r.Read(p)
	h.sum.Write(p[:n])
	h.n += int64(n)
	return n, err
}
