package office

import (
	"archive/zip"
	"fmt"
	"path"
	"strings"

	"linkcheck/extract/doc"
	"linkcheck/extract/xmltoken"
)

// parts are the members of a package. Their names are compared without case (ECMA-376
// part 2 section 6.2.2.3).
type parts struct {
	d     *doc.Document
	files map[string]*zip.File
	held  int // octets of relations and strings that are kept
}

func newParts(d *doc.Document, files []*zip.File) *parts {
	p := &parts{d: d, files: make(map[string]*zip.File, len(files))}
	for _, f := range files {
		if key := partKey(f.Name); p.files[key] == nil {
			p.files[key] = f
		}
	}
	return p
}

func partKey(name string) string {
	return strings.ToLower(strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(name, `\`, "/")), "/"))
}

// open gives a part as a document; nil where it is not there or cannot be read. done must
// be called when it was read.
func (p *parts) open(name string) (d *doc.Document, done func()) {
	f := p.files[partKey(name)]
	if f == nil || p.d.Stopped() {
		return nil, nil
	}
	if f.Flags&1 != 0 {
		p.d.Damage(0, fmt.Errorf("zip: %.200q is encrypted", f.Name))
		return nil, nil
	}
	r, err := f.Open()
	if err != nil {
		p.d.Damage(0, fmt.Errorf("zip: %.200q: %w", f.Name, err))
		return nil, nil
	}
	d = p.d.Member(strings.TrimPrefix(path.Clean("/"+f.Name), "/"), p.d.Budget.Unfolding(r))
	d.Base = p.d.Base
	return d, func() { r.Close() }
}

// read reads a part as what it looks like.
func (p *parts) read(name string) {
	if d, done := p.open(name); d != nil {
		d.Read()
		done()
	}
}

// xml calls f with each token of a part, all of it in UTF-8.
func (p *parts) xml(name string, f func(*doc.Document, *xmltoken.Tokens)) {
	d, done := p.open(name)
	if d == nil {
		return
	}
	defer done()
	d.Options.Charset = ""
	d.SetCharset("utf-8") // UTF-16 has its mark
	t := xmltoken.New(d.In)
	for !d.Stopped() && t.Next() {
		f(d, t)
	}
	if err := doc.IgnoreEOF(t.Err); err != nil {
		d.Damage(0, err)
	}
}

// elements takes a part element by element; names have no prefix.
type elements interface {
	start(name string)
	end(name string)
	onText()
}

func take(t *xmltoken.Tokens, to elements) {
	switch t.Kind {
	case xmltoken.Start:
		to.start(xmltoken.Local(t.Name))
		if t.Empty {
			to.end(xmltoken.Local(t.Name))
		}
	case xmltoken.End:
		to.end(xmltoken.Local(t.Name))
	case xmltoken.Text:
		to.onText()
	}
}

// attr is the value of an attribute of the tag at hand; want has no prefix.
func attr(t *xmltoken.Tokens, want string) (value string) {
	t.Attrs(func(name string, v []byte, _ int) {
		if value == "" && xmltoken.Local(name) == want {
			value = string(xmltoken.Unentity(v))
		}
	})
	return value
}

// maxHeld is how many octets of relations and of shared strings with links are kept of a
// package: twice what the links of Excel's fullest sheet take.
const maxHeld = 16 << 20

// hold charges what is kept of the package, and says false where that is too much.
func (p *parts) hold(n int) bool {
	full := p.held > maxHeld
	if p.held += n; p.held > maxHeld && !full {
		p.d.Damage(0, fmt.Errorf("relations and shared strings of more than %d MB: the rest is not read", maxHeld>>20))
	}
	return p.held <= maxHeld
}

// relation is what a part says of another, or of something elsewhere (ECMA-376 part 2
// section 8.5).
type relation struct {
	id, target string // of one inside, the name of a part
	kind       string // the last word of its type
	external   bool
}

type relations struct {
	list     []relation
	external map[string]string // targets, by id
}

// relations gives those of a part; "" for the package.
func (p *parts) relations(part string) relations {
	r := relations{external: map[string]string{}}
	folder, base := path.Split(part)
	p.xml(folder+"_rels/"+base+".rels", func(_ *doc.Document, t *xmltoken.Tokens) {
		if t.Kind != xmltoken.Start || xmltoken.Local(t.Name) != "Relationship" {
			return
		}
		kind := attr(t, "Type")
		rel := relation{id: attr(t, "Id"), target: attr(t, "Target"), kind: strings.Clone(kind[strings.LastIndexByte(kind, '/')+1:]), external: attr(t, "TargetMode") == "External"}
		if !p.hold(len(rel.id) + len(rel.target) + len(rel.kind) + 64) {
			return
		}
		if rel.external {
			r.external[rel.id] = rel.target
			return
		}
		if !strings.HasPrefix(rel.target, "/") {
			rel.target = folder + rel.target
		}
		rel.target = strings.TrimPrefix(path.Clean("/"+rel.target), "/")
		r.list = append(r.list, rel)
	})
	return r
}

// each calls f with the name of each part of a kind, in order.
func (r relations) each(kind string, f func(part string)) {
	for _, rel := range r.list {
		if rel.kind == kind {
			f(rel.target)
		}
	}
}

// part is the name of the part with an id; "" for none.
func (r relations) part(id string) string {
	for _, rel := range r.list {
		if rel.id == id {
			return rel.target
		}
	}
	return ""
}

// skip goes on behind the end of the element at hand.
func skip(t *xmltoken.Tokens) {
	if t.Empty {
		return
	}
	for depth := 1; depth > 0 && t.Next(); {
		switch {
		case t.Kind == xmltoken.Start && !t.Empty:
			depth++
		case t.Kind == xmltoken.End:
			depth--
		}
	}
}
