package pdf

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/flate"
)

const maxFilters = 8 // of a stream

// errImage says that a stream holds a picture; it is never given out.
var errImage = errors.New("picture")

// inflater undoes deflate. It is used again by the next stream, unless that is opened within it.
type inflater struct {
	io.ReadCloser
	in *bufio.Reader
}

// open gives what a stream unfolds to, and done, which must be called when it was read.
// What comes out is charged.
func (f *file) open(s *stream) (r io.Reader, done func()) {
	n := f.length(s)
	r = io.NewSectionReader(f.r, s.at, n)
	var used *inflater
	done = func() {
		if used != nil {
			f.inflater = used
		}
	}
	if f.crypt != nil && s.dict["Type"] != name("XRef") {
		r = f.crypt.stream(f, s, r)
	}
	filters, parms := f.filters(s)
	if len(filters) > maxFilters {
		return failing{errors.New("pdf: too many filters of a stream")}, done
	}
	for i, filter := range filters {
		switch filter {
		case "FlateDecode", "Fl":
			z := f.inflate(r)
			used = z
			r = f.unpredicted(f.d.Budget.Unfolding(z), parms[i])
		case "LZWDecode", "LZW":
			early := f.number(parms[i]["EarlyChange"], 1) != 0
			r = f.unpredicted(f.d.Budget.Unfolding(&lzwReader{in: bufio.NewReader(r), early: early}), parms[i])
		case "ASCII85Decode", "A85":
			r = f.d.Budget.Unfolding(&ascii85{in: bufio.NewReader(r)})
		case "ASCIIHexDecode", "AHx":
			r = f.d.Budget.Unfolding(&asciiHex{in: bufio.NewReader(r)})
		case "RunLengthDecode", "RL":
			r = f.d.Budget.Unfolding(&runLength{in: bufio.NewReader(r)})
		case "Crypt":
		case "DCTDecode", "DCT", "JPXDecode", "CCITTFaxDecode", "CCF", "JBIG2Decode":
			return failing{errImage}, done
		default:
			return failing{fmt.Errorf("pdf: filter %.50q that is not read here", string(filter))}, done
		}
	}
	if len(filters) == 0 {
		r = f.d.Budget.Unfolding(r)
	}
	return r, done
}

// filters gives those of a stream with their parameters (ISO 32000-1 table 5).
func (f *file) filters(s *stream) (filters []name, parms []dict) {
	filter, parm := f.get(s.dict["Filter"]), f.get(s.dict["DecodeParms"])
	if filter == nil {
		filter = f.get(s.dict["F"])
	}
	if parm == nil {
		parm = f.get(s.dict["DP"])
	}
	switch v := filter.(type) {
	case name:
		return []name{v}, []dict{f.dict(first(parm))}
	case array:
		of, _ := parm.(array)
		for i, x := range v {
			filters = append(filters, f.name(x))
			var d dict
			if i < len(of) {
				d = f.dict(of[i])
			} else if only, ok := parm.(dict); ok && len(v) == 1 {
				d = only
			}
			parms = append(parms, d)
		}
	}
	return filters, parms
}

// first is the first of an array, or what is none.
func first(v value) value {
	if a, ok := v.(array); ok {
		if len(a) == 0 {
			return nil
		}
		return a[0]
	}
	return v
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// inflate undoes deflate (RFC 1951) behind the two octets of a zlib header (RFC 1950), if
// they are one. The sum at the end is not looked at: what came before it is read.
func (f *file) inflate(r io.Reader) *inflater {
	z := f.inflater
	if f.inflater = nil; z == nil {
		z = &inflater{in: bufio.NewReaderSize(r, 4096)}
		z.ReadCloser = flate.NewReader(z.in)
	}
	in := z.in
	in.Reset(r)
	head, _ := in.Peek(16)
	blank := len(head) - len(bytes.TrimLeft(head, "\r\n"))
	if len(head) >= blank+2 && head[blank]&0x0f == 8 && (int(head[blank])<<8|int(head[blank+1]))%31 == 0 {
		in.Discard(blank + 2)
	}
	z.ReadCloser.(flate.Resetter).Reset(in, nil)
	return z
}

// asciiHex undoes ASCIIHexDecode (section 7.4.2).
type asciiHex struct {
	in   *bufio.Reader
	done bool
}

func (a *asciiHex) Read(p []byte) (n int, err error) {
	half := -1
	for n < len(p) && !a.done {
		c, err := a.in.ReadByte()
		if err != nil || c == '>' {
			if a.done = true; half >= 0 {
				p[n] = byte(half << 4)
				n++
			}
			break
		}
		switch d := hexDigit(c); {
		case d < 0:
		case half < 0:
			half = d
		default:
			p[n] = byte(half<<4 | d)
			n++
			half = -1
		}
	}
	if n == 0 && len(p) > 0 {
		return 0, io.EOF
	}
	return n, nil
}

// ascii85 undoes ASCII85Decode (section 7.4.3).
type ascii85 struct {
	in *bufio.Reader
	pieces
}

func (a *ascii85) Read(p []byte) (int, error) { return a.read(p, a.group) }

// pieces are what a filter puts out, a piece at a time.
type pieces struct {
	out  []byte
	done bool // nothing follows
}

// read reads of the piece at hand; more puts the next one in its place.
func (b *pieces) read(p []byte, more func()) (int, error) {
	for len(b.out) == 0 && !b.done {
		more()
	}
	if len(b.out) == 0 {
		return 0, io.EOF
	}
	n := copy(p, b.out)
	b.out = b.out[n:]
	return n, nil
}

func (a *ascii85) group() {
	n, v := 0, uint32(0)
	for n < 5 {
		c, err := a.in.ReadByte()
		switch {
		case err != nil || c == '~':
			a.done = true
		case c == 'z' && n == 0:
			a.out = append(a.out, 0, 0, 0, 0)
			return
		case '!' <= c && c <= 'u':
			v = v*85 + uint32(c-'!')
			n++
		}
		if a.done {
			break
		}
	}
	keep := 4
	if a.done {
		if n < 2 {
			return
		}
		for keep = n - 1; n < 5; n++ {
			v = v*85 + 84
		}
	}
	four := [4]byte{byte(v >> 24), byte(v >> 16), byte(v >> 8), byte(v)}
	a.out = append(a.out[:0], four[:keep]...)
}

// runLength undoes RunLengthDecode (section 7.4.5).
type runLength struct {
	in    *bufio.Reader
	left  int  // of the run at hand
	again byte // what it repeats
	copy  bool
}

func (r *runLength) Read(p []byte) (n int, err error) {
	for r.left == 0 {
		c, err := r.in.ReadByte()
		if err != nil || c == 128 {
			return 0, io.EOF
		}
		if r.copy = c < 128; r.copy {
			r.left = int(c) + 1
			continue
		}
		r.left = 257 - int(c)
		if r.again, err = r.in.ReadByte(); err != nil {
			return 0, io.EOF
		}
	}
	n = min(len(p), r.left)
	if r.copy {
		n, err = r.in.Read(p[:n])
	} else {
		for i := range n {
			p[i] = r.again
		}
	}
	r.left -= n
	return n, err
}
