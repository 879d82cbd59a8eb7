package doc

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"path"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"

	"linkcheck/uri"
	"linkcheck/uri/secret"
)

const (
	ReaderSize = 1 << 16 // bytes of the buffer before every reader; never below SniffSize
	maxDepth   = 16      // containers and parts inside one another that are read
)

// ErrTooDeep is the error of a document inside more than 16 others.
var ErrTooDeep = errors.New("nested too deep")

// Document is a source that is being read, a member of a container, or a part of
// either. A reader takes its bytes from In and gives out what it finds.
type Document struct {
	In      *bufio.Reader // what is left to read
	Base    string        // for relative references; "" is none
	Name    string        // last element of the name in lower case, a hint for sniffers; "" for a part
	Options Options
	Content *Content // of the whole source

	source string
	member string // path inside the containers, joined by "!"
	depth  int
	shown  encoding.Encoding // decodes strings that are only shown; nil: UTF-8
	adjust func(*Found)      // of the parts around
	out    *output
	read   func(d *Document, format string) error // see New
}

// Content counts what one source unfolds to, all containers together.
type Content struct {
	Bytes   int64
	Members int
}

// output is where findings go; once the caller said stop nothing more is given.
type output struct {
	yield   func(Found, error) bool
	stopped bool
	buffer  []byte // see TakeBuffer
	found   Found  // at which adjust is at work
}

// New makes a document of a source. read reads it, and each of its members and parts,
// by the name of a format, or as what it looks like where the name is "": it knows the
// list of all formats, which is not known here. yield takes what is found, and says
// false when it wants no more.
func New(source string, r io.Reader, o Options, read func(d *Document, format string) error, yield func(Found, error) bool) *Document {
	return &Document{
		source: source, Name: baseName(source), In: bufio.NewReaderSize(r, ReaderSize),
		Base: o.Base, Options: o, out: &output{yield: yield}, Content: &Content{}, read: read,
	}
}

func baseName(p string) string {
	return strings.ToLower(path.Base(strings.ReplaceAll(p, `\`, "/")))
}

// Nest reads d with the reader of a format, or with that of the format it looks
// like where format is "". The error is what spoiled the rest of d.
func (d *Document) Nest(format string) error { return d.read(d, format) }

// NestDeeper is Nest, or ErrTooDeep where too many documents stand around d.
func (d *Document) NestDeeper(format string) error {
	if d.depth > maxDepth {
		return ErrTooDeep
	}
	return d.Nest(format)
}

// Read reads d as what it looks like, unless it is nested too deep; what spoils the
// rest of it becomes one *Damage.
func (d *Document) Read() {
	if err := d.NestDeeper(""); err != nil {
		d.Damage(0, err)
	}
}

// Member is the document called name inside the container d.
func (d *Document) Member(name string, r io.Reader) *Document {
	m := d.Unpacked(r, baseName(name))
	m.member = name
	if d.member != "" {
		m.member = d.member + "!" + name
	}
	return m
}

// Part is a stretch of d with its own content, such as a MIME part. adjust sets
// what the reader of the part cannot know: the record, the locator, the line.
func (d *Document) Part(r io.Reader, adjust func(*Found)) *Document {
	p := d.Unpacked(r, "")
	p.adjust = adjust
	if outer := d.adjust; outer != nil {
		p.adjust = func(f *Found) {
			adjust(f)
			outer(f)
		}
	}
	return p
}

// Unpacked is d with its compression undone; name is what a sniffer may go by.
func (d *Document) Unpacked(r io.Reader, name string) *Document {
	p := *d
	p.Name, p.depth = name, d.depth+1
	p.In = bufio.NewReaderSize(r, ReaderSize)
	return &p
}

// Fragment is text of d that is a document of its own; found takes its links.
func (d *Document) Fragment(text []byte, found func(Found)) *Document {
	p := *d
	p.In, p.adjust = bufio.NewReader(bytes.NewReader(text)), nil
	p.out = &output{yield: func(f Found, err error) bool {
		if err == nil {
			found(f)
		}
		return !d.Stopped()
	}}
	return &p
}

// Yield gives one link out. It fills in what the document knows: source, member
// and scheme, and it makes readable what is shown. It says false when the
// caller wants no more.
func (d *Document) Yield(f Found) bool {
	if d.out.stopped {
		return false
	}
	f.Source, f.Member, f.URI = d.source, d.member, WithoutControls(f.URI)
	if f.URI != "" && f.Scheme == "" {
		f.Scheme = SchemeOf(f.URI)
	}
	f.Raw, f.Context, f.Title = d.readable(f.Raw), d.readable(f.Context), d.readable(f.Title)
	if d.adjust != nil {
		d.out.found = f // one variable for all: a pointer to f would cost an allocation each
		d.adjust(&d.out.found)
		f = d.out.found
	}
	f.Torn = f.Torn || secret.Mask(f.URI) == f.URI && (secret.Mask(f.Raw) != f.Raw || secret.Mask(d.Base) != d.Base && SchemeOf(f.Raw) == "")
	for _, s := range [...]*string{&f.Context, &f.Title, &f.Record, &f.Member, &f.Locator} {
		*s = secret.MaskText(*s)
	}
	d.out.stopped = !d.out.yield(f, nil)
	return !d.out.stopped
}

// Damage gives one *Damage out; line 0 means that no line is known. It says
// false when the caller wants no more.
func (d *Document) Damage(line int, err error) bool {
	if !d.out.stopped {
		d.out.stopped = !d.out.yield(Found{}, &Damage{Source: d.source, Member: d.member, Line: line, Err: err})
	}
	return !d.out.stopped
}

// Stopped says that the caller wants no more.
func (d *Document) Stopped() bool { return d.out.stopped }

// Resolve makes ref absolute; "" when it is relative and there is no base for it.
func (d *Document) Resolve(ref string) string {
	if SchemeOf(ref) != "" {
		return ref
	}
	if d.Base == "" {
		return ""
	}
	u, _ := uri.Resolve(d.Base, ref)
	return u
}

// AssumeWindows1252 says that strings of d that are not UTF-8 are in windows-1252,
// unless more is known already.
func (d *Document) AssumeWindows1252() {
	if d.shown == nil {
		d.shown = charmap.Windows1252
	}
}

// TakeBuffer gives memory that a reader of this source put back, for the next to use.
func (d *Document) TakeBuffer() []byte {
	b := d.out.buffer
	d.out.buffer = nil
	return b[:0]
}

// PutBuffer keeps the memory of b for the next reader; b must not be used any more.
func (d *Document) PutBuffer(b []byte) { d.out.buffer = b }

// YieldName gives out, where Options.Names asks for it, that what links ask for by
// this name begins at a line.
func (d *Document) YieldName(name string, line int, f Found) {
	if d.Options.Names && name != "" {
		f.Name, f.Line = name, line
		d.Yield(f)
	}
}
