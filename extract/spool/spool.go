// Package spool makes documents readable anywhere that come as streams.
package spool

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"linkcheck/extract/doc"
)

// inMemory is the octets of documents that are held; of larger ones a copy is made.
const inMemory = 1 << 20

// heads is memory for them.
var heads = sync.Pool{New: func() any { return &bytes.Buffer{} }}

// All gives all of d so that it can be read anywhere, and its size in octets: as it stands in
// the buffer of d or in memory, or as a copy in a temporary file, which done removes. A document of more
// than most octets is not read; errors begin with the name of its kind.
func All(d *doc.Document, kind string, most int64) (r io.ReaderAt, n int64, done func(), err error) {
	if head, err := d.In.Peek(doc.ReaderSize); err == io.EOF {
		return bytes.NewReader(head), int64(len(head)), func() {}, nil
	}
	head := heads.Get().(*bytes.Buffer)
	head.Reset()
	if _, err = io.CopyN(head, d.In, inMemory); errors.Is(err, io.EOF) && !d.Stopped() {
		return bytes.NewReader(head.Bytes()), int64(head.Len()), func() { heads.Put(head) }, nil
	}
	defer heads.Put(head)
	f, err := os.CreateTemp("", "linkcheck-"+kind+"-")
	if err != nil {
		return nil, 0, nil, err
	}
	done = func() {
		f.Close()
		os.Remove(f.Name())
	}
	n, err = io.Copy(f, io.LimitReader(io.MultiReader(head, d.In), most+1))
	switch {
	case d.Stopped():
		err = d.Budget.Err()
	case n > most:
		err = fmt.Errorf("%s: more than %d GB: not read", kind, most>>30)
	case err != nil:
		d.Damage(0, fmt.Errorf("%s: %w", kind, err))
		err = nil
	}
	if err != nil || d.Stopped() {
		done()
		return nil, 0, nil, err
	}
	return f, n, done, nil
}
