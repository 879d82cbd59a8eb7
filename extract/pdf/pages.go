package pdf

import (
	"bytes"
	"context"
	"time"

	"linkcheck/extract/budget"
	"linkcheck/extract/doc"
	"linkcheck/extract/textscan"
)

const (
	maxTreeDepth = 128     // nodes of the page tree inside one another
	maxPages     = 1 << 20 // and those that are read
	nodeCost     = 256     // octets that are charged for one

	countTime = 2 * time.Second // for the pages of a file to be counted
)

// pages goes over the pages of a document in order.
type pages struct {
	f      *file
	base   string // of relative addresses
	title  string
	number int             // of the page at hand
	seen   map[uint32]bool // nodes and pages
	missed bool            // something that must be there is not
	counts bool            // pages are counted, and not read

	text blockText // that is searched
	feed *textscan.Feed

	fonts  fontsRead
	ending []string // what those links of the page before link that may go on
}

// page is one page, with what it inherits.
type page struct {
	dict      dict
	number    int
	resources value
	box       value // that a viewer shows
	media     value
}

func newPages(f *file) *pages {
	w := &pages{f: f, seen: map[uint32]bool{}, fonts: fontsRead{fonts: map[uint32]*font{}}}
	w.feed = textscan.NewFeed(f.d, w.address)
	w.feed.Measure(w.text.room)
	w.feed.Hyphenated(w.text.hyphen)
	return w
}

// read goes over the page tree (ISO 32000-1 section 7.7.3).
func (w *pages) read() {
	w.missed = false
	root := w.f.dict(w.f.trailer["Root"])
	w.base = w.f.d.Base
	if base := addressOf(w.f.str(w.f.dict(root["URI"])["Base"])); doc.SchemeOf(base) != "" {
		w.base, _ = w.f.d.Cut(0, "base", base)
	}
	w.title, _ = w.f.d.Cut(0, "title", doc.OneLine(textOf(w.f.str(w.f.dict(w.f.trailer["Info"])["Title"]))))
	w.node(root["Pages"], page{}, 0)
}

// node reads a page, or the pages below a node.
func (w *pages) node(v value, above page, depth int) {
	if w.f.d.Budget.Unfold(nodeCost) != nil || w.f.d.Stopped() || w.number >= maxPages {
		return
	}
	if r, ok := v.(ref); ok {
		if w.seen[r.num] {
			return
		}
		w.seen[r.num] = true
	}
	d, _ := w.f.get(v).(dict)
	if d == nil || depth > maxTreeDepth {
		w.missed = true
		return
	}
	p := above
	p.inherit(d)
	kids, isNode := w.f.get(d["Kids"]).(array)
	if !isNode {
		if w.f.name(d["Type"]) == "Pages" {
			w.missed = true
			return
		}
		w.number++
		if p.dict, p.number = d, w.number; !w.counts {
			w.page(&p)
		}
		return
	}
	for _, kid := range kids {
		w.node(kid, p, depth+1)
	}
}

// Pages counts the pages of a whole file. known: nothing is wrong with it, and no password stands
// before it; else there may be pages that were not seen.
func Pages(file []byte) (n int, known bool) {
	limits := budget.Default()
	limits.Time = countTime
	b, stop := budget.New(context.Background(), limits, int64(len(file)))
	defer stop()
	sound := true
	told := func(_ doc.Found, err error) bool {
		sound = sound && err == nil
		return sound
	}
	d := doc.New("", bytes.NewReader(file), b, doc.Options{}, func(d *doc.Document, _ string) error {
		f := newFile(d, bytes.NewReader(file), int64(len(file)))
		defer f.free()
		if err := f.start(); err != nil || f.rebuilt {
			sound = false
			return err
		}
		w := newPages(f)
		w.counts = true
		w.read()
		n, sound = w.number, sound && !w.missed && w.number < maxPages
		return b.Err()
	}, told)
	if err := d.Nest("pdf"); err != nil || !sound || n == 0 {
		return 0, false
	}
	return n, true
}

func (p *page) inherit(d dict) {
	for key, to := range map[name]*value{"Resources": &p.resources, "MediaBox": &p.media, "CropBox": &p.box} {
		if v, ok := d[key]; ok {
			*to = v
		}
	}
}

// strays reads pages that the tree does not lead to, where the tree is damaged.
func (w *pages) strays() {
	for _, e := range w.f.objects {
		if w.seen[e.num] || w.f.d.Stopped() {
			continue
		}
		r := ref{num: e.num}
		if d, ok := w.f.load(r).(dict); ok && w.f.name(d["Type"]) == "Page" {
			w.node(r, page{}, 0)
		}
	}
}

// yield gives out a link of this document.
func (w *pages) yield(f doc.Found) bool {
	f.Title, f.Binary = w.title, true
	return w.f.d.Yield(f)
}
