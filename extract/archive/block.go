package archive

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
)

// block reads the block of a record and leaves the stream behind it.
func (a *archive) block(r record, lineNumber int) error {
	b := &block{a: a, left: r.length, open: r.length < 0}
	if b.open {
		a.damage(lineNumber, r.offset, errNoLength)
	}
	var bad error
	switch r.kind {
	case "response", "resource", "conversion":
		bad = a.payload(r, b)
	}
	_, err := io.Copy(io.Discard, b)
	if err == nil && b.left > 0 && !b.open {
		bad = errCutRecord
	}
	if bad = cmp.Or(err, bad); bad != nil {
		a.damage(lineNumber, r.offset, bad)
	}
	return err
}

// block is the bytes of one record as a reader; reading it advances the line and the
// offset of the archive.
type block struct {
	a    *archive
	left int64
	open bool // no length: it ends where a line begins a new record
	done bool
	err  error // the first but io.EOF: it stays
}

func (b *block) Read(p []byte) (int, error) {
	if b.open {
		return b.readOpen(p)
	}
	if b.left <= 0 || b.err != nil {
		return 0, cmp.Or(b.err, io.EOF)
	}
	n, err := b.a.in.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	b.a.off += int64(n)
	b.a.line += bytes.Count(p[:n], []byte{'\n'})
	if err != io.EOF {
		b.err = err
	}
	return n, err
}

// readOpen gives a line, or a piece of one, unless a record begins with it.
func (b *block) readOpen(p []byte) (n int, err error) {
	in := b.a.in
	head, _ := in.Peek(len("WARC/1."))
	b.done = b.done || len(head) == 0 || bytes.HasPrefix(head, []byte("WARC/"))
	if !b.done {
		head, _ = in.Peek(1024)
		b.done = arcAhead(head)
	}
	if b.done {
		return 0, io.EOF
	}
	for n < len(p) && (n == 0 || p[n-1] != '\n') {
		// A line may go on behind the end of the buffer: only its start may be taken for a record.
		if p[n], err = in.ReadByte(); err != nil {
			break
		}
		n++
	}
	b.a.off += int64(n)
	b.a.line += bytes.Count(p[:n], []byte{'\n'})
	return n, nil // behind a broken member the stream goes on
}

// damage gives out damage with the offset of the record in the stored file: lines
// are those of the uncompressed one.
func (a *archive) damage(line int, offset int64, err error) {
	a.d.Damage(line, fmt.Errorf("offset %d: %w", offset, err))
}
