package doc

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"io"
	"path"
	"strings"

	"golang.org/x/text/encoding"

	"linkcheck/extract/budget"
	"linkcheck/extract/mirror"
	"linkcheck/uri"
)

const (
	ReaderSize = 1 << 16 // bytes of the buffer before every reader; never below SniffSize
	maxDepth   = 16      // containers and parts inside one another that are read
)

// errTooDeep is the error of a document inside more than 16 others.
var errTooDeep = errors.New("nested too deep")

// Document is a source that is being read, a member of a container, or a part of
// either. A reader takes its bytes from In and gives out what it finds.
type Document struct {
	In      *bufio.Reader // what is left to read
	Base    string        // for relative references; "" is none
	Name    string        // last element of the name in lower case, a hint for sniffers; "" for a part
	Options Options
	Budget  *budget.Budget // of the whole source
	Spare   map[string]any // of the whole source: what readers have done with, for the next to use

	source string
	member string          // path inside the containers, joined by "!"
	tree   *mirror.Mirror  // whose files the members of d are; nil: of none
	page   *budget.Page    // under In
	taken  []*bufio.Reader // to be given back when d is read
	depth  int
	shown  encoding.Encoding // decodes strings that are only shown; nil: UTF-8
	adjust func(*Found)      // of the parts around
	out    *output
	read   func(d *Document, format string) error // see New
}

// output is where findings go; once the caller said stop nothing more is given.
type output struct {
	yield   func(Found, error) bool
	stopped bool
	told    bool  // that the source is over its budget
	inner   bool  // of a Fragment: whoever takes its links counts them
	found   Found // at which adjust is at work
	memory  *memory

	context, title, record, member, locator repeated // of the last link
}

// open makes r what d is read from.
func (d *Document) open(r io.Reader) {
	d.page, d.taken = d.Budget.Page(r), nil
	d.In = d.buffered(d.page)
}

// close gives the memory of d to the next document: nothing of d is read any more.
func (d *Document) close() {
	d.out.memory.readers = append(d.out.memory.readers, d.taken...)
	d.taken = nil
}

// New makes a document of a source, which r reads under the budget b. read reads it, and each of its members and parts,
// by the name of a format, or as what it looks like where the name is "": it knows the
// list of all formats, which is not known here. yield takes what is found, and says
// false when it wants no more.
func New(source string, r io.Reader, b *budget.Budget, o Options, read func(d *Document, format string) error, yield func(Found, error) bool) *Document {
	d := &Document{source: source, Name: baseName(source), Base: o.Base, Options: o, Budget: b, Spare: map[string]any{}, out: &output{yield: yield, memory: memories.Get().(*memory)}, read: read}
	d.open(b.Source(r))
	if m, name, ok := o.Mirrors.Of(o.Path); ok {
		if d.tree, d.Base = &m, m.URL; name != "" {
			d.stoodAt(name)
		}
	}
	return d
}

func baseName(p string) string {
	return strings.ToLower(path.Base(strings.ReplaceAll(p, `\`, "/")))
}

// Nest reads d with the reader of a format, or with that of the format it looks
// like where format is "". The error is what spoiled the rest of d, of which nothing
// can be read any more.
func (d *Document) Nest(format string) error {
	defer d.close()
	return d.read(d, format)
}

// NestDeeper is Nest, or an error where too many documents stand around d.
func (d *Document) NestDeeper(format string) error {
	if d.depth > maxDepth {
		return errTooDeep
	}
	return d.Nest(format)
}

// Read reads d as what it looks like, unless it is nested too deep; what spoils the
// rest of it becomes one *Damage.
func (d *Document) Read() {
	if err := d.NestDeeper(""); err != nil || d.Budget.Err() != nil {
		d.Damage(0, err)
	}
	if d.depth == 0 && !d.out.inner { // the whole source is read
		d.out.memory.free()
	}
}

// Member is the document called name inside the container d.
func (d *Document) Member(name string, r io.Reader) *Document {
	m := d.Unpacked(r, baseName(name))
	whole := name
	if d.member != "" {
		whole = d.member + "!" + name
	}
	m.member, _ = d.Cut(0, "name of a member", whole)
	if m.tree != nil {
		m.stoodAt(name)
	}
	return m
}

// maxTitle is how many octets of a title stand with each link of a record. It is for people.
const maxTitle = 1000

// stoodAt says that d is the file of a mirror that has this name: what is inside d is none.
func (d *Document) stoodAt(name string) {
	m := d.tree
	d.Base, d.tree = m.Address(name), nil
	for _, n := range m.Names(name) {
		d.YieldName(n, 0, Found{})
	}
}

// Part is a stretch of d with its own content, such as a MIME part. adjust sets
// what the reader of the part cannot know: the record, the locator, the line.
func (d *Document) Part(r io.Reader, adjust func(*Found)) *Document {
	p := d.Unpacked(r, "")
	p.adjust, p.tree = adjust, nil
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
	p.open(r)
	return &p
}

// Fragment is text of d that is a document of its own; found takes its links.
func (d *Document) Fragment(text []byte, found func(Found)) *Document {
	p := *d
	p.adjust, p.depth = nil, d.depth+1
	p.open(bytes.NewReader(text))
	p.out = &output{inner: true, memory: d.out.memory, yield: func(f Found, err error) bool {
		if err == nil {
			found(f)
		} else if d.Budget.Err() != nil {
			d.Damage(0, err)
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
	f.Source, f.Member = d.source, d.member
	// adjust leaves these three alone; a part of what is plain is plain
	plainRef, plainContext := plain(f.URI) && (strings.HasSuffix(f.URI, f.Raw) || plain(f.Raw)), plain(f.Context)
	if !plainRef {
		f.URI, f.Raw = WithoutControls(f.URI), d.readable(f.Raw)
	}
	if !plainContext {
		f.Context = d.readable(f.Context)
	}
	if f.URI != "" && f.Scheme == "" {
		f.Scheme = SchemeOf(f.URI)
	}
	f.Title, f.Owner, f.Repair = d.readable(f.Title), d.readable(f.Owner), d.readable(f.Repair)
	if d.adjust != nil {
		d.out.found = f // one variable for all: a pointer to f would cost an allocation each
		d.adjust(&d.out.found)
		f = d.out.found
	}
	f.Torn = f.Torn || f.Fault == "" && d.tears(&f, plainRef)
	if !plainContext || strings.IndexByte(f.Context, ':') >= 0 {
		f.Context = d.out.context.masked(f.Context)
	}
	if len(f.Title) > maxTitle {
		f.Title = Shown([]byte(f.Title), maxTitle)
	}
	f.Title, f.Record, f.Member, f.Locator = d.out.title.masked(f.Title), d.out.record.masked(f.Record), d.out.member.masked(f.Member), d.out.locator.masked(f.Locator)
	if !d.out.inner && !d.count(f.rowSize(plainRef, plainContext)) {
		return false
	}
	d.out.stopped = !d.out.yield(f, nil)
	return !d.out.stopped
}

// count charges a link that is a row of so many octets, and tells where there are too many.
func (d *Document) count(row int) bool {
	told := d.page.Full()
	err := d.page.Link(int64(row))
	if err == nil {
		return true
	}
	if !told {
		d.Damage(0, err)
	}
	d.out.stopped = d.out.stopped || d.Budget.Err() != nil
	return false
}

// Tried charges n places at which a link was looked for and octets that were read
// again, and says false where the reader has to end: there were too many.
func (d *Document) Tried(n int) bool {
	if err := d.Budget.Tried(n); err != nil {
		return d.Damage(0, err)
	}
	return true
}

// Damage gives one *Damage out; line 0 means that no line is known. It says
// false when the caller wants no more. Once the source is over its budget that is told
// in place of the rest, which it spoils.
func (d *Document) Damage(line int, err error) bool {
	if over := cmp.Or(d.Budget.Err(), d.Budget.Damage()); over != nil {
		if d.out.told {
			return false
		}
		d.out.told, line, err = true, 0, over
	}
	if !d.out.stopped {
		d.out.stopped = !d.out.yield(Found{}, &Damage{Source: d.source, Member: d.member, Line: line, Err: err})
	}
	return !d.Stopped()
}

// Stopped says that no more can come of d: the caller wants no more, or there was too
// much of d or of its source.
func (d *Document) Stopped() bool {
	return d.out.stopped || d.page.Full() || d.Budget.Err() != nil
}

// Resolve makes ref absolute; "" when it is relative and there is no base for it.
func Resolve(base, ref string) string {
	if SchemeOf(ref) != "" {
		return ref
	}
	if base == "" {
		return ""
	}
	u, _ := uri.Resolve(base, ref)
	return u
}

// YieldName gives out, where Options.Names asks for it, that what links ask for by
// this name begins at a line.
func (d *Document) YieldName(name string, line int, f Found) {
	if d.Options.Names && name != "" {
		f.Name, f.Line = name, line
		d.Yield(f)
	}
}
