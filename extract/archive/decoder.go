package archive

import (
	"bufio"
	"compress/bzip2"
	"io"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
	"github.com/mikelolasagasti/xz"

	"linkcheck/extract/doc"
	"linkcheck/internal/lzw"
)

// maxWindow bounds what a decoder remembers of what it gave: that of "xz -9" and of
// "zstd --long=26".
const maxWindow = 64 << 20

// decoder undoes a compression. Reset begins a stream.
type decoder interface {
	io.Reader
	Reset(io.Reader) error
}

// makers make the decoders, each of a kind.
var makers = map[string]func() (decoder, error){
	"brotli":   func() (decoder, error) { return brotli.NewReader(nil), nil },
	"bzip2":    func() (decoder, error) { return &bzip{}, nil },
	"compress": func() (decoder, error) { return &lzw.Reader{}, nil },
	"deflate":  func() (decoder, error) { return &deflate{flate.NewReader(nil)}, nil },
	"gzip":     func() (decoder, error) { return &gunzip{}, nil },
	"zlib":     func() (decoder, error) { return &zlibs{}, nil },
	"xz":       func() (decoder, error) { return xz.NewReader(nil, maxWindow) },
	"zstd": func() (decoder, error) {
		return zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
	},
}

// decode gives what r unfolds to, charged to the budget of d. done must be called when it
// was read: the next stream of d has the same memory, which may be 64 MB.
func decode(d *doc.Document, kind string, r io.Reader) (out io.Reader, done func(), err error) {
	var z decoder
	spare, _ := d.Spare[kind].([]decoder)
	if last := len(spare) - 1; last >= 0 {
		z, d.Spare[kind] = spare[last], spare[:last]
	} else if z, err = makers[kind](); err != nil {
		return nil, nil, err
	}
	done = func() {
		spare, _ := d.Spare[kind].([]decoder)
		d.Spare[kind] = append(spare, z)
	}
	if kind == "bzip2" {
		err = d.Budget.Unfold(bzipCost)
	}
	if err == nil {
		err = z.Reset(r)
	}
	return d.Budget.Unfolding(z), done, err
}

// gunzip reads the members of a file as one stream. Zeros behind the last are padding, as
// of tapes and block devices; what else stands there is an error of the stream.
type gunzip struct {
	gzip.Reader
	in *bufio.Reader
}

func (z *gunzip) Reset(r io.Reader) error {
	in, ok := r.(*bufio.Reader)
	if !ok {
		in = bufio.NewReaderSize(r, 4096)
	}
	z.in = in
	return z.member()
}

func (z *gunzip) member() error {
	err := z.Reader.Reset(z.in)
	z.Multistream(false)
	return err
}

func (z *gunzip) Read(p []byte) (n int, err error) {
	for n == 0 && err == nil {
		if n, err = z.Reader.Read(p); err != io.EOF {
			break
		}
		if err = skipZeros(z.in); err == nil {
			err = z.member()
		}
	}
	return n, err
}

// skipZeros leaves in at the next octet that is none; io.EOF where there is none.
func skipZeros(in *bufio.Reader) error {
	for {
		c, err := in.ReadByte()
		switch {
		case err != nil:
			return err
		case c != 0:
			return in.UnreadByte()
		}
	}
}

// deflate and zlibs are the streams of RFC 1951 and RFC 1950, whose libraries' Reset takes
// a dictionary too.
type deflate struct{ io.Reader }

func (z *deflate) Reset(r io.Reader) error { return z.Reader.(flate.Resetter).Reset(r, nil) }

type zlibs struct{ io.Reader }

func (z *zlibs) Reset(r io.Reader) (err error) {
	if z.Reader == nil {
		z.Reader, err = zlib.NewReader(r)
		return err
	}
	return z.Reader.(zlib.Resetter).Reset(r, nil)
}

// bzip makes a decoder for each stream: that of the library cannot be used again. Its 4 MB
// take as long as bzipCost octets.
type bzip struct{ io.Reader }

func (z *bzip) Reset(r io.Reader) error {
	z.Reader = bzip2.NewReader(r)
	return nil
}

const bzipCost = 48 << 10

// Unpack gives what a compressed stream unfolds to; kind is that of the list of containers.
func Unpack(kind string, r io.Reader) (io.Reader, error) {
	z, err := makers[kind]()
	if err == nil {
		err = z.Reset(r)
	}
	return z, err
}
