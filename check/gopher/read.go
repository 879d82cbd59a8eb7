package gopher

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"strings"

	"linkcheck/check"
	"linkcheck/check/likeness"
	"linkcheck/check/wire"
	"linkcheck/uri"
)

// Read implements check.Reader for menus and documents. A menu comes as its lines in Body
// and, in Entries, as its items in their order, information and errors left out: Name is
// gopher://host:port/Tselector, of whatever host and type T, and Folder is set for menus. A
// menu of which not all came ends in an error, in both. Media is by the type of the item.
// Searches are not made, of Gopher+ the plain item is asked for, and what is of another
// protocol is an *check.Elsewhere. Version is how menus and texts end (see ending.go).
func (p *prober) Read(ctx context.Context, t check.Target, w check.Wanted, take func(*check.Answer) error) (check.Result, error) {
	u, ok := t.URI.(*uri.Gopher)
	if ok {
		if other, err := uri.Parse(otherTarget(u)); err == nil {
			return check.Result{}, &check.Elsewhere{To: other}
		}
	}
	got := &document{u: u, wanted: w, limit: wire.Largest(w.MaxBytes)}
	defer got.body.Close()
	r := p.o.Run(check.WithTimeout(ctx, wire.ReadTime), func(ctx context.Context) check.Result {
		switch {
		case !ok:
			return check.New(check.Internal, check.ReasonInternalError, "not a gopher URL")
		case strings.IndexByte("2378Ti", u.Type) >= 0, webTarget(u) != "" && u.Type == 'h':
			return check.New(check.Unsupported, check.ReasonNoClient, "no document by its type")
		}
		wait := wire.NewPatience(ctx, p.o.Timeout)
		defer wait.End()
		return p.fetch(wait, got)
	})
	if r.Outcome != check.OK {
		return r, nil
	}
	return r, take(got.answer())
}

// document is what a server sent.
type document struct {
	u      *uri.Gopher
	wanted check.Wanted
	limit  int64
	body   wire.Spool
	tail   tail
	cut    bool  // there is more
	broken error // it ended in an error
	torn   int64 // octets of a last row that is cut
}

// fetch asks for an item and keeps all that comes.
func (p *prober) fetch(wait *wire.Patience, d *document) check.Result {
	if !wire.LineSafe(d.u.Selector) {
		return check.Classify(wire.ErrControl)
	}
	return p.o.Converse(wait, d.u.At, d.limit+wire.MaxLine, func(c *wire.Conn) check.Result {
		if _, err := io.WriteString(c, d.u.Selector+"\r\n"); err != nil {
			return check.Classify(err)
		}
		var err error
		if d.cut, err = d.body.Fill(io.TeeReader(c, &d.tail), d.limit); errors.Is(err, wire.ErrSpool) {
			return check.Classify(err)
		}
		if d.dotted() > 0 { // some servers leave the connection open behind it
			err = nil
		}
		d.broken = err
		q := question{item: d.u.Type}
		seen := d.body.Head(int64(q.limit()))
		if len(seen) == q.limit() {
			err = nil
		}
		r, _ := q.judge(seen, err)
		if d.u.Type == '0' && err == nil && r.Outcome == check.OK {
			r.Look = likeness.LookAtText(string(seen))
		}
		return r
	})
}

// dotted is how many octets the "." line takes that ends menus and texts; 0: there is none.
func (d *document) dotted() int64 {
	if d.cut || d.u.Type != '0' && d.u.Type != '1' {
		return 0
	}
	for _, end := range []string{".\r\n", ".\n"} {
		if n := int64(len(end)); bytes.HasSuffix(d.tail.last, []byte("\n"+end)) || d.body.Size() == n && string(d.tail.last) == end {
			return n
		}
	}
	return 0
}

// text is the document without its "." line and without a row that is cut; an error in place
// of its end says that it did not come whole.
func (d *document) text() io.Reader {
	whole := io.LimitReader(d.body.Reader(), d.body.Size()-d.dotted()-d.torn)
	if d.broken != nil {
		return io.MultiReader(whole, failing{d.broken})
	}
	return whole
}

func (d *document) answer() *check.Answer {
	a := &check.Answer{URI: d.u, Media: mediaTypes[d.u.Type], Cut: d.cut}
	a.Version, a.Short = d.ending()
	if a.Body = d.text(); d.u.Type == '1' {
		a.Entries = d.entries()
	}
	return a
}

// ending is the version of a document by how it ends. short is its digest where it seems to be
// cut. Of what is cut the row without an end is no part.
func (d *document) ending() (version, short string) {
	var has []string
	if d.dotted() > 0 {
		has = append(has, withDot)
	}
	open := int64(0)
	if d.u.Type == '1' {
		if open = d.tail.open; open > 0 {
			has = append(has, openRow)
		}
		for _, err := range d.entries() {
			if err == nil {
				has = append(has, withItems)
			}
			break
		}
	}
	if d.cut || d.broken != nil {
		d.torn = min(open, d.body.Size())
		return "", ""
	}
	version = strings.Join(has, ",")
	why := isShort(strings.Split(d.wanted.Version, ","), has)
	if why == nil || d.body.Digest() == d.wanted.Short {
		return version, ""
	}
	d.torn, d.broken = open, why
	return version, d.body.Digest()
}

// mediaTypes are those of the types of items, RFC 1436 section 3.8.
var mediaTypes = map[byte]string{'0': "text/plain", '1': "application/gopher-menu", '4': "application/mac-binhex40", 'h': "text/html",
	'g': "image/gif", '5': "application/octet-stream", '6': "text/x-uuencode", '9': "application/octet-stream", 's': "audio/basic"}

// entries are the items of a menu.
func (d *document) entries() iter.Seq2[check.Entry, error] {
	return func(yield func(check.Entry, error) bool) {
		in := bufio.NewReaderSize(d.text(), wire.MaxLine)
		for n := 0; ; {
			line, err := wire.ReadLine(in)
			if i, ok := parseItem(line); ok && !i.isInfo() && !i.isError() && (err == nil || err == io.EOF) {
				if n == wire.LongestList {
					err = wire.ErrTooLong
				} else if n++; !yield(check.Entry{Name: i.url(), Folder: i.Type == '1'}, nil) || n == d.wanted.Most {
					return
				}
			}
			if err == io.EOF && d.cut {
				err = wire.ErrTooLong
			}
			if err == io.EOF {
				return
			}
			if err != nil {
				yield(check.Entry{}, err)
				return
			}
		}
	}
}

// tail keeps the last octets that were written, and counts those behind the last end of line.
type tail struct {
	last []byte
	open int64
}

const tailSize = len("\n.\r\n")

// Write implements io.Writer.
func (t *tail) Write(p []byte) (int, error) {
	if i := bytes.LastIndexByte(p, '\n'); i >= 0 {
		t.open = int64(len(p) - i - 1)
	} else {
		t.open += int64(len(p))
	}
	all := append(t.last, p[max(0, len(p)-tailSize):]...)
	t.last = append(t.last[:0], all[max(0, len(all)-tailSize):]...)
	return len(p), nil
}

// failing is the end of an answer that did not come whole.
type failing struct{ error }

// Read implements io.Reader.
func (f failing) Read([]byte) (int, error) { return 0, f.error }
