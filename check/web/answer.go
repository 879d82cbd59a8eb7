package web

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strings"

	"linkcheck/internal/walls"
)

// answer is what one request brought.
type answer struct {
	status int
	line   string // protocol and status, the server's own words
	header http.Header
	body   string // decoded, at most MaxBytes
	cut    bool   // the body is longer
	broken error  // the body ended in an error
	bytes  int64  // octets of the body as sent
	text   *page  // of the body, once read
	seen   *walls.Page

	kind  string // what mediaType gives
	typed bool   // it is known
}

// read takes the body by way of buffer, and one octet more to know that it ended: a
// connection is used again only after that.
func (a *answer) read(body io.Reader, buffer *bytes.Buffer, limit int64) {
	buffer.Reset()
	_, a.broken = buffer.ReadFrom(io.LimitReader(body, limit+1))
	raw := buffer.Bytes()
	a.bytes, a.cut = int64(len(raw)), int64(len(raw)) > limit
	raw = raw[:min(int64(len(raw)), limit)]
	if coding := strings.ToLower(a.header.Get("Content-Encoding")); coding == "gzip" || coding == "x-gzip" { // RFC 9110 section 8.4.1
		raw = a.unzip(raw, limit)
	}
	a.body = string(raw)
}

// unzip decodes what came of a gzip body, again at most limit octets.
func (a *answer) unzip(raw []byte, limit int64) []byte {
	z, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		return raw // sent under a wrong name: judged as it is
	}
	plain, err := io.ReadAll(io.LimitReader(z, limit+1))
	a.cut = a.cut || int64(len(plain)) > limit || err != nil
	return plain[:min(int64(len(plain)), limit)]
}

// decoded is a body without its content coding, while it comes. What was sent under a
// wrong name is left as it is.
func (a *answer) decoded(raw io.Reader) io.Reader {
	if coding := strings.ToLower(a.header.Get("Content-Encoding")); coding != "gzip" && coding != "x-gzip" {
		return raw
	}
	in := bufio.NewReader(raw)
	if begin, _ := in.Peek(len(gzipBegin)); string(begin) != gzipBegin {
		return in
	}
	z, err := gzip.NewReader(in)
	if err != nil {
		return failing{err}
	}
	return z
}

const gzipBegin = "\x1f\x8b\x08" // RFC 1952 section 2.3.1

// namedErrors is a body whose errors classify knows.
type namedErrors struct {
	io.Reader
	http2 bool
}

// Read implements io.Reader.
func (b *namedErrors) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	return n, named(err, b.http2)
}

// named is an error of a body as classify knows it; the end of one is none.
func named(err error, http2 bool) error {
	if err == nil || err == io.EOF {
		return err
	}
	return &badAnswer{err, http2}
}

// html says whether the answer calls itself a page.
func (a *answer) html() bool {
	kind := a.mediaType()
	return kind == "text/html" || kind == "application/xhtml+xml"
}

// mediaType is the content type without parameters, in lower case.
func (a *answer) mediaType() string {
	if !a.typed {
		a.kind, a.typed = mediaType(a.header.Get("Content-Type")), true
	}
	return a.kind
}

func mediaType(contentType string) string {
	kind, _, _ := strings.Cut(contentType, ";")
	return strings.ToLower(strings.TrimSpace(kind))
}
