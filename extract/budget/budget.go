// Package budget bounds the work for one file. All that the file unfolds to is charged
// to one budget: every level, decoder, hole and directory, and what is read twice. A
// file that is over its budget is not read on; what was found in it stays.
package budget

import (
	"cmp"
	"context"
	"io"
	"time"
)

// Limits says how much work one file may be. Each number is what any file may have;
// more comes with its size. The zero value of a field stands for that of [Default].
type Limits struct {
	Unfolded   int64         // octets out of decoders and holes: this many and 100 for each octet of the file
	Members    int64         // of archives: this many and 1 for each 20 octets of the file
	Links      int64         // this many and 1 for each 2 octets of the file, of a large one each octet beyond 1 MB
	PageLinks  int64         // links of one page or table: this many and 1 for each 10 octets of it
	Candidates int64         // places tried for a link: this many and 2 for each octet of the file
	Time       time.Duration // for the file
}

// Default gives the limits under which mail at 90:1 and archives of 100,000 members
// are read whole, and no file of 1 MB takes 10 s of a processor.
func Default() Limits {
	return Limits{Unfolded: 32 << 20, Members: 120_000, Links: 200_000, PageLinks: 100_000, Candidates: 2_000_000, Time: 10 * time.Minute}
}

// A link is a row of output: on average of a page it may have pageRow octets, on
// average of a file fileRow.
const (
	pageRow = 480
	fileRow = 900
)

// large is the size beyond which a file may have more links for its size: 1 MB may be
// made to be all links, 10 MB of mail at 90:1 have a link in each line.
const large = 1 << 20

// Over says which limit a file or page is over.
type Over struct {
	Key  string // of the limit: the flag and the key of the configuration
	what string
}

func (o *Over) Error() string {
	return o.what + ": the rest is not read; raise --" + o.Key + " to read on"
}

var (
	overUnfolded   = &Over{"max-unfolded", "unfolds to too many octets"}
	overMembers    = &Over{"max-members", "too many members"}
	overLinks      = &Over{"max-links", "too many links and damages"}
	overRows       = &Over{"max-links", "too many links that are too long"}
	overPage       = &Over{"max-page-links", "too many links for a page of this size"}
	overPageRows   = &Over{"max-page-links", "too many links that are too long for pages of this size"}
	overCandidates = &Over{"max-candidates", "too many places that may be links"}
	overTime       = &Over{"max-file-time", "takes too long to read"}
)

// Budget counts the work for one file. It is for one goroutine.
type Budget struct {
	ctx    context.Context
	limits Limits
	size   int64 // of the file: what was read of it, or more where it is known

	read, unfolded, members, links, rows, tried int64

	err error // what was over first, or that of the context
}

// New gives the budget of a file of size octets; 0 where the size is not known: it grows
// with what is read. Reading ends with ctx, which may be nil. stop frees what New took.
func New(ctx context.Context, l Limits, size int64) (b *Budget, stop func()) {
	d := Default()
	l = Limits{
		cmp.Or(l.Unfolded, d.Unfolded), cmp.Or(l.Members, d.Members), cmp.Or(l.Links, d.Links),
		cmp.Or(l.PageLinks, d.PageLinks), cmp.Or(l.Candidates, d.Candidates), cmp.Or(l.Time, d.Time),
	}
	if ctx == nil {
		ctx = context.Background()
	}
	ctx, stop = context.WithTimeoutCause(ctx, l.Time, overTime)
	return &Budget{ctx: ctx, limits: l, size: size}, stop
}

// Err is what ended the reading: an [*Over] or the error of the context; nil for nothing.
func (b *Budget) Err() error { return b.err }

// end notes why the reading ends. The first reason stays.
func (b *Budget) end(err error) error {
	b.err = cmp.Or(b.err, err)
	return b.err
}

// Check is Err after a look at the context.
func (b *Budget) Check() error {
	if b.err == nil && b.ctx.Err() != nil {
		b.err = context.Cause(b.ctx)
	}
	return b.err
}

// seen is all that there was to find links in.
func (b *Budget) seen() int64 { return b.read + b.unfolded }

// Unfold charges octets that the file does not hold as they are: those that a decoder
// gives, and the zeros of a hole.
func (b *Budget) Unfold(n int64) error {
	if b.unfolded += n; b.unfolded > b.limits.Unfolded+100*b.size {
		return b.end(overUnfolded)
	}
	return b.Check()
}

// Member charges a member of an archive, or as many as a directory lists.
func (b *Budget) Member(n int64) error {
	if b.members += n; b.members > b.limits.Members+b.size/20 {
		return b.end(overMembers)
	}
	return b.Check()
}

// Tried charges places that are looked at for a link, and octets that are read again.
func (b *Budget) Tried(n int) error {
	before := b.tried
	b.tried += int64(n)
	switch {
	case b.tried > b.limits.Candidates+2*b.size:
		return b.end(overCandidates)
	case before>>10 != b.tried>>10:
		return b.Check()
	}
	return b.err
}

// Candidates gives what was charged by Tried.
func (b *Budget) Candidates() int64 { return b.tried }

// Damage charges a damage, of which a file may have as many as links.
func (b *Budget) Damage() error { return b.link(0) }

// link charges a link that is a row of so many octets. It asks nothing of the octets
// that were unfolded: what was found until they were too many is given out.
func (b *Budget) link(row int64) error {
	b.links++
	b.rows += row
	most := b.limits.Links + b.size/2 + max(0, b.size-large)/2
	switch {
	case b.links > most:
		return b.end(overLinks)
	case b.rows > most*fileRow:
		return b.end(overRows)
	case b.rows > (b.limits.PageLinks+b.seen()/10)*pageRow:
		return b.end(overPageRows)
	case b.ctx.Err() != nil:
		return b.Check()
	}
	return nil
}

// Source reads the file itself.
func (b *Budget) Source(r io.Reader) io.Reader { return &source{b, r} }

type source struct {
	b *Budget
	r io.Reader
}

func (s *source) Read(p []byte) (int, error) {
	if err := s.b.Check(); err != nil {
		return 0, err
	}
	n, err := s.r.Read(p)
	s.b.read += int64(n)
	s.b.size = max(s.b.size, s.b.read)
	return n, err
}

// Unfolding charges what comes out of a decoder.
func (b *Budget) Unfolding(r io.Reader) io.Reader { return &unfolding{b, r} }

type unfolding struct {
	b *Budget
	r io.Reader
}

func (u *unfolding) Read(p []byte) (int, error) {
	if err := u.b.Check(); err != nil {
		return 0, err
	}
	n, err := u.r.Read(p)
	return n, cmp.Or(u.b.Unfold(int64(n)), err)
}

// Page counts the links of one page, table or text, which may be the whole file.
type Page struct {
	b             *Budget
	r             io.Reader
	octets, links int64
	full          bool
}

// Page gives the page that r reads.
func (b *Budget) Page(r io.Reader) *Page { return &Page{b: b, r: r} }

func (p *Page) Read(buf []byte) (int, error) {
	if err := p.b.Check(); err != nil {
		return 0, err
	}
	n, err := p.r.Read(buf)
	p.octets += int64(n)
	return n, err
}

// Link charges a link that is a row of so many octets. The error is that of the page, or
// of the file: then Err gives it too.
func (p *Page) Link(row int64) error {
	p.links++
	if p.full = p.full || p.links > p.b.limits.PageLinks+p.octets/10; p.full {
		return overPage
	}
	return p.b.link(row)
}

// Full says that the page may have no more links.
func (p *Page) Full() bool { return p.full }
