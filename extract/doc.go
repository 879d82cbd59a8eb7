package extract

import (
	"bufio"
	"errors"
	"io"
	"path"
	"strings"

	"golang.org/x/text/encoding"

	"linkcheck/uri"
)

// The seams of this room, for whoever adds a format:
//
//   - A format is one row of formats (sniff.go): a name, a sniffer over the first
//     sniffSize bytes and the file's name, and a reader.
//   - A reader is func(d *doc) error. It reads d.in, gives links out by d.found
//     and local damage by d.damage; both say false when the caller wants no more.
//     The error it returns becomes one *Damage of the whole document.
//   - A member of a container is read by d.member(name, r): sniffed like a file,
//     member paths nested with "!".
//   - A part of the same file (a MIME part, a WARC record's body) is read by
//     d.part(r, mend): its findings pass through mend, which sets the record and
//     locator and maps lines back to those of the file. Then p.sniffAndRead(), or
//     readHTML(p), readText(p), ... where the type is known. Set p.base first if the part has its own.
//   - Text that arrives decoded or in pieces goes through newFeed (scanfeed.go):
//     f.add(bytes, line, column) for each stretch of lines, then f.flush().
//   - A single string (a subfield, a CSV cell) goes through scanString.
type doc struct {
	source string
	path   string // of the member, nested with "!"
	name   string // last element of the innermost name in lower case: a hint
	in     *bufio.Reader
	base   string // for relative references; "" is none
	o      Options
	depth  int
	late   encoding.Encoding // of text that is decoded when it is shown; nil: UTF-8
	mend   func(*Found)
	out    *out
	limits *limits
}

// out is where findings go; once the caller said stop nothing more is given.
type out struct {
	yield   func(Found, error) bool
	stopped bool
	room    []byte // that the tokens of a page used; for the next page
	found   Found  // being mended
}

func newDoc(source string, r io.Reader, o Options, w *out) *doc {
	return &doc{
		source: source, name: lastName(source), in: bufio.NewReaderSize(r, readerSize),
		base: o.Base, o: o, out: w, limits: newLimits(),
	}
}

func lastName(p string) string {
	return strings.ToLower(path.Base(strings.ReplaceAll(p, `\`, "/")))
}

// found gives one link out. It fills in what the document knows: the place, the
// scheme, and for a relative Raw with an empty URI the resolved reference.
func (d *doc) found(f Found) bool {
	if d.out.stopped {
		return false
	}
	f.Source, f.Member, f.URI = d.source, d.path, uncontrolled(f.URI)
	if f.URI != "" && f.Scheme == "" {
		f.Scheme = schemeOf(f.URI)
	}
	f.Raw, f.Context, f.Title = d.readable(f.Raw), d.readable(f.Context), d.readable(f.Title)
	if d.mend != nil {
		d.out.found = f // one place for all: a pointer to f would cost an allocation each
		d.mend(&d.out.found)
		f = d.out.found
	}
	if !d.out.yield(f, nil) {
		d.out.stopped = true
	}
	return !d.out.stopped
}

// damage gives one *Damage out; line 0 means no place is known.
func (d *doc) damage(line int, err error) bool {
	if d.out.stopped {
		return false
	}
	if !d.out.yield(Found{}, &Damage{Source: d.source, Member: d.path, Line: line, Err: err}) {
		d.out.stopped = true
	}
	return !d.out.stopped
}

// member is the document called name inside the container d.
func (d *doc) member(name string, r io.Reader) *doc {
	m := *d
	m.path, m.name, m.depth = name, lastName(name), d.depth+1
	if d.path != "" {
		m.path = d.path + "!" + name
	}
	m.in = bufio.NewReaderSize(r, readerSize)
	return &m
}

// part is a stretch of d with its own content: its findings pass through mend.
func (d *doc) part(r io.Reader, mend func(*Found)) *doc {
	p := *d
	p.name, p.depth = "", d.depth+1
	p.in = bufio.NewReaderSize(r, readerSize)
	outer := d.mend
	p.mend = func(f *Found) {
		mend(f)
		if outer != nil {
			outer(f)
		}
	}
	return &p
}

// reference gives out ref, absolute or resolved against the document's base.
func (d *doc) reference(ref string, f Found) bool {
	f.URI = d.resolve(ref)
	return d.found(f)
}

// resolve makes ref absolute; "" when it is relative and there is no base for it.
func (d *doc) resolve(ref string) string {
	if schemeOf(ref) != "" {
		return ref
	}
	if d.base == "" {
		return ""
	}
	u, err := uri.Resolve(d.base, ref)
	if err != nil {
		return ""
	}
	return u
}

var errTooDeep = errors.New("nested too deep")

// sniffAndRead finds the format of d and reads it; what spoils the rest of the
// document becomes one *Damage.
func (d *doc) sniffAndRead() {
	if d.depth > maxDepth {
		d.damage(0, errTooDeep)
		return
	}
	if err := d.format().read(d); err != nil {
		d.damage(0, err)
	}
}
