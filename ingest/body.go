package ingest

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"hash"
	"io"
	"mime"
	"strings"

	"linkcheck/extract"
	"linkcheck/harvest"
	"linkcheck/store"
)

// body is the text of a document on its way, with the error that it ended with.
type body struct {
	io.Reader
	sum    hash.Hash
	octets int64
	err    error
}

func (b *body) Read(p []byte) (n int, err error) {
	n, err = b.Reader.Read(p)
	b.sum.Write(p[:n])
	b.octets += int64(n)
	if err != nil && err != io.EOF {
		b.err = err
	}
	return n, err
}

// lastWord holds back the last word of a text until something follows it: where an error
// does, it may be half a link, and is left out.
type lastWord struct {
	r    io.Reader
	text []byte // what was read
	n    int    // of it that may be handed on
	err  error
}

const longestWord = 8 << 10

// Read implements io.Reader.
func (w *lastWord) Read(p []byte) (int, error) {
	for w.n == 0 && w.err == nil {
		at := len(w.text)
		w.text = append(w.text, make([]byte, longestWord)...)
		var n int
		n, w.err = w.r.Read(w.text[at:])
		w.text = w.text[:at+n]
		if w.n = 1 + bytes.LastIndexAny(w.text, " \t\r\n<>"); w.err == io.EOF || len(w.text)-w.n > longestWord {
			w.n = len(w.text)
		}
	}
	if w.n == 0 {
		return 0, w.err
	}
	n := copy(p, w.text[:w.n])
	w.text, w.n = w.text[n:], w.n-n
	return n, nil
}

// document reads a document. What came of one that did not come whole stands, and nothing
// of it is retired; one that holds the same as before is not written again.
func (r *rootReading) document(ctx context.Context, item *harvest.Item, before *store.Source) error {
	b := &body{Reader: &lastWord{r: cmp.Or[io.Reader](item.Body, strings.NewReader(""))}, sum: sha256.New()}
	d := &document{before: *before, foreign: map[string]int{}}
	d.src = store.Source{Path: item.Doc.Name, Remote: r.root.Number, Version: item.Doc.Version, Media: item.Doc.Media, Depth: item.Doc.Depth, Options: r.fingerprint}
	rest, long, err := r.links(ctx, item, d, b)
	if err == nil && b.err == nil { // a reader need not read to the end
		_, _ = io.Copy(io.Discard, b)
	}
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return err
	}
	r.sum.Octets += b.octets
	d.src.Size, d.src.Hash = b.octets, b.sum.Sum(nil)[:16]
	stood := before.Read != 0 && before.Gone.IsZero()
	switch failed := cmp.Or(b.err, d.err); {
	case failed != nil:
		r.step.add(rest)
		if before.Version = ""; item.Doc.Short {
			before.Version = item.Doc.Version
		}
		r.torn(before, failed)
	case b.octets == 0 && stood && (before.Mentions > 0 || len(before.Hash) == 0) && !r.o.AllowEmpty: // OUTCOMES 5.1.10
		r.root.Empty++
		r.problem(fmt.Errorf("%s: it is empty now, and was not before: its links stay as they are", d.src.Path))
		r.step.step.Failed = append(r.step.step.Failed, *before)
	case d.src.Mentions == 0 && !long && stood && r.bare(before):
		r.root.Empty++
		r.problem(fmt.Errorf("%s: it has no links now, and had some: they stay as they are until it has had none for a week", d.src.Path))
		r.step.step.Noted = append(r.step.step.Noted, *before)
	case stood && !long && bytes.Equal(before.Hash, d.src.Hash) && before.Options == r.fingerprint:
		before.Version, before.Media = d.src.Version, cmp.Or(d.src.Media, before.Media)
		r.same(*before)
	default:
		r.step.add(rest)
		r.readWhole(d, stood)
	}
	return nil
}

// readWhole takes the end of a document, whose mentions have all been taken.
func (r *rootReading) readWhole(d *document, stood bool) {
	switch r.sum.Read++; {
	case !stood:
		r.root.New++
		r.root.Documents++
	case !bytes.Equal(d.before.Hash, d.src.Hash):
		r.root.Changed++
	}
	if d.before.Problems != d.src.Problems || d.before.Damage != d.src.Damage { // else it was told before
		for _, err := range d.damages.Problems {
			r.problem(err)
		}
		r.sum.Untold += d.damages.Untold
	}
	d.beside()
	r.step.step.Whole = append(r.step.step.Whole, d.src)
}

// links reads the links of a document and tells where they lead. rest is the last batch of
// them; those before, of a long document, are in the store.
func (r *rootReading) links(ctx context.Context, item *harvest.Item, d *document, b *body) (rest part, long bool, err error) {
	var g gathered
	times := map[string]int{} // that a reference stands in the document
	o := r.options
	o.Faults, o.Context, o.Base, o.Charset = true, ctx, cmp.Or(o.Base, item.Doc.Base, item.Doc.Name), cmp.Or(o.Charset, charsetOf(item.Doc.Media))
	for found, err := range Document(item.Doc.Name, b, o) {
		switch {
		case err != nil:
			d.failed(err)
		case found.Name != "":
			g.name(&found)
		case found.Fault != "":
			if found.Record == "" || item.Doc.Record != "" && o.RecordID == "" {
				found.Record = item.Doc.Record
			}
			d.fault(&found, r.o.Owners)
		case leads(&found, item.Leads):
			d.src.Mentions++
			m := mention(r.root.Name, &found)
			m.Title = cmp.Or(m.Title, item.Doc.Title)
			if m.Record == "" || item.Doc.Record != "" && o.RecordID == "" { // its catalogue knows it by that, whatever it calls itself
				m.Record = item.Doc.Record
			}
			if m.Locator == "" { // the lines of living pages move
				key := m.Raw + "\x00" + m.Record + "\x00" + m.Member
				times[key]++
				m.Nth = times[key]
			}
			g.mention(owned(r.o.Owners, m, &d.src))
		}
		if !g.much() {
			continue
		}
		r.step.add(g.part(&d.src))
		long = true
		if err := r.commitMuch(); err != nil {
			return rest, long, err
		}
	}
	return g.part(&d.src), long, nil
}

// leads tells where a finding leads, and says whether it is a link.
func leads(f *extract.Found, tell func(harvest.Lead)) bool {
	page := f.NoFollow && f.URI == "" && f.Raw == ""
	if tell != nil && f.Member == "" && (f.Leads || f.Canonical || page) {
		tell(harvest.Lead{URI: f.URI, NoFollow: f.NoFollow, Canonical: f.Canonical})
	}
	return !page && !f.Canonical
}

// charsetOf is the charset that a server names for a page, which goes before what the page
// says itself (HTML section 13.2.3.2). Of other documents parts may have their own.
func charsetOf(media string) string {
	kind, params, err := mime.ParseMediaType(media)
	if err != nil || kind != "text/html" && kind != "application/xhtml+xml" {
		return ""
	}
	charset := params["charset"]
	if extract.Validate(extract.Options{Charset: charset}) != nil {
		return ""
	}
	return charset
}
