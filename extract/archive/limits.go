package archive

import (
	"cmp"
	"errors"
	"io"

	"github.com/klauspost/compress/zstd"

	"linkcheck/extract/doc"
)

// Limits against decompression bombs: a stream may be long, but not longer than
// text makes it, and the sum of all that one source unfolds to is bounded.
const (
	maxRatio   = 500      // decompressed bytes for one compressed byte ...
	ratioGrace = 64 << 20 // ... beyond this many
	maxUnpack  = 64 << 30 // bytes unpacked from one source, all levels together
	maxMembers = 1 << 20  // members of one source, all levels together
	maxZip     = 8 << 30  // a zip inside another container is spooled to disk up to this size
	maxWindow  = 128 << 20
)

var (
	errRatio   = errors.New("decompresses to more than any honest file: stopped")
	errUnpack  = errors.New("unpacks to too many bytes: stopped")
	errMembers = errors.New("too many members: stopped")
)

// unpacked guards a decompressor: in counts what went in, r gives what came out.
type unpacked struct {
	r       io.Reader
	in      *counted
	n       int64
	content *doc.Content
}

func (u *unpacked) Read(p []byte) (int, error) {
	n, err := u.r.Read(p)
	u.n += int64(n)
	u.content.Bytes += int64(n)
	return n, cmp.Or(bomb(u.content, u.n, u.in.n), err)
}

// bomb is the error of a stream that has decompressed in bytes to far too many (out), or
// of a source whose contents are too large together; nil for any other.
func bomb(content *doc.Content, out, in int64) error {
	switch {
	case content.Bytes > maxUnpack:
		return errUnpack
	case out > ratioGrace && out/maxRatio > in:
		return errRatio
	}
	return nil
}

type counted struct {
	r io.Reader
	n int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

func openZstd(r io.Reader) (io.Reader, error) {
	return zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
}
