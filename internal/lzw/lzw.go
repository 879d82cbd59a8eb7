// Package lzw reads what compress(1) wrote, which compress/lzw does not: it reads
// the variants of GIF and TIFF only.
package lzw

import (
	"bufio"
	"errors"
	"io"
)

// Magic is how a compressed stream begins. A byte follows with the greatest width
// of a code and whether the table may be cleared, then codes of 9 bits and more,
// the lowest bit first, in groups of eight. Where the width changes, the rest of a
// group is void.
const Magic = "\x1f\x9d"

const (
	minBits   = 9
	maxBits   = 16
	clearCode = 256
)

var errCodes = errors.New("compress: the codes are spoiled")

// Reader decompresses a stream; its table has a bounded size.
type Reader struct {
	in        *bufio.Reader
	clearable bool // clearCode is no entry of the table
	maxBits   int

	bits      int // of the next code
	group     [maxBits]byte
	at, have  int // bits of the group that were read, and that are there
	free      int // next entry of the table
	last      int // code before; -1: none
	firstByte byte
	prefix    [1 << maxBits]uint16
	suffix    [1 << maxBits]byte
	out       []byte // decoded, the last byte first, and not yet read
}

// NewReader reads the head of a stream. The error says that it is none.
func NewReader(r io.Reader) (*Reader, error) {
	z := &Reader{}
	return z, z.Reset(r)
}

// Reset is NewReader in the memory of z.
func (z *Reader) Reset(r io.Reader) error {
	if z.in == nil {
		z.in = bufio.NewReader(r)
	}
	z.in.Reset(r)
	z.out, z.last = z.out[:0], -1
	var head [3]byte
	if _, err := io.ReadFull(z.in, head[:]); err != nil {
		return err
	}
	z.clearable, z.maxBits = head[2]&0x80 != 0, int(head[2]&0x1f)
	if string(head[:2]) != Magic || z.maxBits < minBits || z.maxBits > maxBits {
		return errCodes
	}
	z.clear()
	return nil
}

// clear empties the table. The entry behind a clear code is never asked for.
func (z *Reader) clear() {
	z.bits, z.free, z.at, z.have = minBits, 256, 0, 0
	if z.clearable && z.last < 0 {
		z.free = 257
	}
}

// code reads the next code.
func (z *Reader) code() (int, error) {
	if z.free >= 1<<z.bits && z.bits < z.maxBits {
		z.bits++
		z.at, z.have = 0, 0
	}
	if z.at+z.bits > z.have {
		n, err := io.ReadFull(z.in, z.group[:z.bits])
		if n*8 < z.bits {
			if err == io.ErrUnexpectedEOF {
				err = io.EOF // bits that fill the last octet
			}
			return 0, err
		}
		z.at, z.have = 0, n*8
	}
	code := 0
	for i := range z.bits {
		bit := z.at + i
		code |= int(z.group[bit/8]>>(bit%8)&1) << i
	}
	z.at += z.bits
	return code, nil
}

// next decodes one code into out.
func (z *Reader) next() error {
	code, err := z.code()
	if err != nil {
		return err
	}
	if code == clearCode && z.clearable {
		z.clear()
		return nil
	}
	entry := code
	switch {
	case z.last < 0 && code > 255, code > z.free:
		return errCodes
	case code == z.free: // the entry that this very code makes
		z.out = append(z.out, z.firstByte)
		entry = z.last
	}
	for ; entry > 255; entry = int(z.prefix[entry]) {
		z.out = append(z.out, z.suffix[entry])
	}
	z.firstByte = byte(entry)
	z.out = append(z.out, z.firstByte)
	if z.last >= 0 && z.free < 1<<z.maxBits {
		z.prefix[z.free], z.suffix[z.free] = uint16(z.last), z.firstByte
		z.free++
	}
	z.last = code
	return nil
}

func (z *Reader) Read(p []byte) (n int, err error) {
	for n < len(p) {
		if len(z.out) == 0 {
			if err := z.next(); err != nil {
				if n > 0 && err == io.EOF {
					return n, nil
				}
				return n, err
			}
			continue
		}
		p[n] = z.out[len(z.out)-1]
		z.out = z.out[:len(z.out)-1]
		n++
	}
	return n, nil
}
