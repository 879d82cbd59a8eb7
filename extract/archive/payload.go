package archive

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"linkcheck/extract/dates"
	"linkcheck/extract/doc"
	"linkcheck/internal/lzw"
)

// payload reads what a record archived: the body of an HTTP response, or a
// resource as it is. Links are resolved against the record's target.
func (a *archive) payload(r record, b *block) error {
	in := a.body
	in.Reset(b)
	line, media, body := a.line, r.media, io.Reader(in)
	at := &doc.Locations{}
	var h httpHeader
	coded := false // the body was compressed: its text has no lines in the file
	if kind, _ := doc.MediaType(r.media); strings.HasPrefix(kind, "application/http") || kind == "" && httpAhead(in) {
		h = readHTTPHeader(in)
		line, media = line+h.lines, h.media
		if h.chunked {
			_, h.chunked = chunkAhead(in) // bodies that crawlers joined keep the header that says so
		}
		if h.chunked {
			at.Reset()
			body = &dechunk{in: in, at: at, line: line, column: 1}
		}
		var err error
		var done func()
		body, coded, done, err = decodeContent(a.d, body, h.coding)
		defer done()
		if err != nil {
			return err
		}
	}
	locator, captured := fmt.Sprintf("offset %d", r.offset), dates.OfDigits(r.date)
	title, cut := a.d.Cut(line, "target of a record", strings.TrimSpace(r.target+" "+r.date))
	id, _ := a.d.Cut(line, "id of a record", r.id)
	p := a.d.Part(body, func(f *doc.Found) {
		switch {
		case coded:
			f.Line, f.Column = 0, 0
		case h.chunked:
			f.Line, f.Column = at.Physical(f.Line, f.Column)
		case f.Line > 0:
			f.Line += line - 1
		}
		dates.Give(f, captured, dates.WARC)
		inner := f.Locator
		if f.Record, f.Locator, f.Title = id, locator, cmp.Or(f.Title, title); f.Binary && inner != "" {
			f.Locator += ", " + inner
		}
	})
	if !cut {
		p.Base = r.target
	}
	if h.there() {
		p.YieldName(p.Options.Mirrors.NameFrom(p.Options.Path, r.target), 1, doc.Found{})
	}
	if isMenu(r.target) {
		return p.Nest("gophermap")
	}
	return readMedia(p, media)
}

// isMenu says whether a gopher URL names a menu or a search, which gives one.
func isMenu(target string) bool {
	rest, ok := strings.CutPrefix(target, "gopher://")
	_, path, _ := strings.Cut(rest, "/")
	return ok && (path == "" || path[0] == '1' || path[0] == '7')
}

// readMedia reads d as what its media type says; without one, as what it looks
// like. Styles, scripts, images and octets are passed over.
func readMedia(d *doc.Document, media string) error {
	kind, params := doc.MediaType(media)
	if cs := params["charset"]; cs != "" && d.Options.Charset == "" {
		d.Options.Charset = cs
	}
	format := doc.FormatOf(kind)
	switch kind {
	case "text/css", "text/javascript", "text/ecmascript", "text/x-javascript", "text/dns", "application/json":
		return nil
	case "", "no-type", "unk", "unknown":
		if head, _ := d.In.Peek(512); doc.LooksLikeHTML(head) {
			format = "html"
		} else if doc.LooksLikeText(head) {
			format = "text"
		}
	}
	if format == "" {
		return nil
	}
	return d.Nest(format)
}

func httpAhead(in *bufio.Reader) bool {
	head, _ := in.Peek(5)
	return string(head) == "HTTP/"
}

// httpHeader is what of a response's header matters for reading its body.
type httpHeader struct {
	status        string // of a response: three digits
	media, coding string
	chunked       bool
	lines         int
}

// there says whether the server gave what was asked for; what came by another protocol was
// given.
func (h *httpHeader) there() bool { return h.lines == 0 || len(h.status) == 3 && h.status[0] == '2' }

func readHTTPHeader(in *bufio.Reader) (h httpHeader) {
	if !httpAhead(in) {
		return h
	}
	headerFields(func() ([]byte, error) {
		line, err := in.ReadSlice('\n')
		if h.lines == 0 {
			_, rest, _ := strings.Cut(string(bytes.TrimSpace(line)), " ")
			h.status, _, _ = strings.Cut(strings.TrimSpace(rest), " ")
		}
		if err == nil {
			h.lines++
		}
		return line, err
	}, func(name, value string) {
		switch name {
		case "content-type":
			h.media = value
		case "content-encoding":
			h.coding = strings.ToLower(value)
		case "transfer-encoding":
			h.chunked = strings.Contains(strings.ToLower(value), "chunked")
		}
	})
	return h
}

var errCoding = errors.New("content coding that is not read here")

// decodeContent undoes a content coding. Bodies that say they are coded and are
// not come from crawlers that decoded them. done must be called when it was read.
func decodeContent(d *doc.Document, r io.Reader, coding string) (out io.Reader, coded bool, done func(), err error) {
	if coding == "" || coding == "identity" || coding == "utf-8" {
		return r, false, func() {}, nil
	}
	in := bufio.NewReaderSize(r, 4096)
	head, _ := in.Peek(512)
	kind := ""
	switch {
	case strings.HasSuffix(coding, "gzip") && bytes.HasPrefix(head, []byte("\x1f\x8b")):
		kind = "gzip"
	case coding == "deflate" && len(head) > 1 && head[0]&0x0f == 8 && (int(head[0])<<8|int(head[1]))%31 == 0:
		kind = "zlib"
	case coding == "deflate":
		kind = "deflate"
	case coding == "zstd":
		kind = "zstd"
	case doc.LooksLikeText(head):
		return in, false, func() {}, nil
	case coding == "br":
		kind = "brotli"
	case strings.HasSuffix(coding, "compress") && bytes.HasPrefix(head, []byte(lzw.Magic)):
		kind = "compress"
	default:
		return nil, false, func() {}, fmt.Errorf("%w: %.20q", errCoding, coding)
	}
	out, done, err = decode(d, kind, in)
	return out, true, done, err
}

// chunkAhead is the size of the chunk that the line ahead begins (RFC 9112 section
// 7.1); false where it begins none.
func chunkAhead(in *bufio.Reader) (int64, bool) {
	head, _ := in.Peek(64)
	line, _, ok := bytes.Cut(head, []byte{'\n'})
	size, _, _ := bytes.Cut(line, []byte{';'})
	n, err := strconv.ParseUint(string(bytes.TrimSpace(size)), 16, 40)
	return int64(n), ok && err == nil
}

// dechunk joins the chunks of a body and notes where they stand. Where a size is
// wrong the rest is given as it stands.
type dechunk struct {
	in           *bufio.Reader
	at           *doc.Locations
	line, column int   // of the next byte
	left         int64 // bytes of the chunk at hand
	raw          bool  // a size was wrong
	done         bool
}

func (c *dechunk) Read(p []byte) (int, error) {
	if c.left == 0 && !c.raw && !c.done {
		c.nextChunk()
	}
	if c.done {
		return 0, io.EOF
	}
	if !c.raw {
		p = p[:min(int64(len(p)), c.left)]
	}
	n, err := c.in.Read(p)
	c.at.Add(p[:n], c.line, c.column)
	c.line, c.column = doc.Advance(p[:n], c.line, c.column)
	c.left -= int64(n)
	return n, err
}

// nextChunk goes past the end of the chunk at hand and its successor's size.
func (c *dechunk) nextChunk() {
	for range 2 {
		line, err := c.in.Peek(2)
		if len(line) == 0 {
			c.done = err != nil
			return
		}
		if line[0] != '\r' && line[0] != '\n' {
			break
		}
		b, _ := c.in.ReadByte()
		if b == '\n' {
			c.line, c.column = c.line+1, 1
		}
	}
	n, ok := chunkAhead(c.in)
	if !ok {
		c.raw = true
		return
	}
	line, _ := c.in.ReadSlice('\n')
	c.line, c.column = doc.Advance(line, c.line, c.column)
	c.left, c.done = n, n == 0
}
