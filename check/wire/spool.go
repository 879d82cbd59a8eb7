package wire

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"math"
	"os"
)

// The most that is kept.
const (
	usualLargest = 64 << 20  // octets of a document, where the caller says nothing else
	LargestList  = 64 << 20  // octets of a list
	LongestList  = 1_000_000 // its entries
)

// Largest is how many octets of a document are kept, where n are wanted; 0: as usual.
func Largest(n int64) int64 { return cmp.Or(max(n, 0), usualLargest) }

// inMemory is how many octets a Spool holds in memory; the rest is in a file.
const inMemory = 1 << 20

// ErrSpool reports that the temporary file of a Spool failed: no peer is to blame.
var ErrSpool = errors.New("temporary file")

// Spool keeps what a peer sends, so that the connection is free before anybody reads it:
// in memory, and beyond 1 MiB in a temporary file. The zero value is ready.
type Spool struct {
	head  []byte
	file  *os.File
	named bool // the file has a name still
	size  int64
}

// Write implements io.Writer. Its errors are ErrSpool.
func (s *Spool) Write(p []byte) (n int, err error) {
	if room := inMemory - len(s.head); room > 0 {
		n = min(room, len(p))
		s.head = append(s.head, p[:n]...)
	}
	if rest := p[n:]; len(rest) > 0 {
		if s.file == nil {
			if s.file, err = os.CreateTemp("", "linkcheck-read-"); err != nil {
				return n, errors.Join(ErrSpool, err)
			}
			s.named = os.Remove(s.file.Name()) != nil // a process that is killed leaves nothing behind
		}
		var more int
		if more, err = s.file.Write(rest); err != nil {
			err = errors.Join(ErrSpool, err)
		}
		n += more
	}
	s.size += int64(n)
	return n, err
}

// Fill writes what comes, up to limit octets, and says whether there is more. Errors other
// than ErrSpool are those of r: what came before is kept.
func (s *Spool) Fill(r io.Reader, limit int64) (more bool, err error) {
	if _, err = io.CopyN(s, r, limit); err == nil {
		var n int
		n, err = io.ReadFull(r, make([]byte, 1))
		more = n > 0
	}
	if err == io.EOF {
		err = nil
	}
	return more, err
}

// Size is how many octets were written.
func (s *Spool) Size() int64 { return s.size }

// Head gives at most n of the first octets, and no more than are in memory.
func (s *Spool) Head(n int64) []byte { return s.head[:min(n, int64(len(s.head)))] }

// Reader reads all from the beginning, until Close.
func (s *Spool) Reader() io.Reader {
	if s.file == nil {
		return bytes.NewReader(s.head)
	}
	return io.MultiReader(bytes.NewReader(s.head), io.NewSectionReader(s.file, 0, math.MaxInt64))
}

// Digest is one of all that was written.
func (s *Spool) Digest() string {
	sum := sha256.New()
	_, _ = io.Copy(sum, s.Reader())
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// Close forgets all, and removes the file.
func (s *Spool) Close() error {
	if s.file == nil {
		*s = Spool{}
		return nil
	}
	err := s.file.Close()
	if s.named {
		err = errors.Join(err, os.Remove(s.file.Name()))
	}
	*s = Spool{}
	return err
}
