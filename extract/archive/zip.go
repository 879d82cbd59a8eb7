package archive

import (
	"archive/zip"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"linkcheck/extract/budget"
	"linkcheck/extract/doc"
	"linkcheck/extract/spool"
)

const maxZip = 8 << 30 // octets of a zip file, of which a copy is made

// SniffZip recognises zip files: those that begin with a member, with the mark of an
// archive once split, or with their directory, which lists nothing (APPNOTE.TXT 4.3.1,
// 8.5.4).
func SniffZip(p doc.Peek) bool {
	return p.Begins("PK\x03\x04", "PK00PK", "PK\x07\x08PK", "PK\x05\x06")
}

// SniffProgram recognises what may be a zip file behind a program that unpacks it
// (APPNOTE.TXT 4.1.9).
func SniffProgram(p doc.Peek) bool {
	return p.Begins("MZ") && bytes.IndexByte(p.Head, 0) >= 0 || p.Named(".zip") && p.Binary() && !p.Image() && p.Foreign() == ""
}

// ReadZip reads the files in a zip file. A program that holds none is passed over.
func ReadZip(d *doc.Document) error { return readZip(d, nil) }

// ZipReader is ReadZip where a zip file may be one document: recognise gives its reader, nil
// for an archive.
func ZipReader(recognise func([]*zip.File) func(*doc.Document, []*zip.File) error) func(*doc.Document) error {
	return func(d *doc.Document) error { return readZip(d, recognise) }
}

func readZip(d *doc.Document, recognise func([]*zip.File) func(*doc.Document, []*zip.File) error) error {
	head, _ := d.In.Peek(2)
	program := string(head) == "MZ"
	f, n, done, err := spool.All(d, "zip", maxZip)
	if err != nil || d.Stopped() {
		return err
	}
	defer done()
	parsed := &directory{r: f, budget: d.Budget}
	z, err := zip.NewReader(parsed, n)
	switch {
	case program && errors.Is(err, zip.ErrFormat):
		return nil
	case err != nil && !errors.Is(err, zip.ErrInsecurePath):
		return fmt.Errorf("zip: %w", err)
	}
	parsed.done = true
	if recognise != nil {
		if read := recognise(z.File); read != nil {
			return read(d, z.File)
		}
	}
	mail := maildirs{}
	for _, e := range z.File {
		mail.see(memberName(e.Name))
	}
	for _, e := range z.File {
		if d.Stopped() {
			break
		}
		readZipEntry(d, e, mail)
	}
	return nil
}

// readZipEntry reads a member: all but folders and symbolic links, since what zip(1) read
// from a pipe has the mode of one.
func readZipEntry(d *doc.Document, e *zip.File, mail maildirs) {
	name := memberName(e.Name)
	switch e.Mode().Type() {
	case fs.ModeDir, fs.ModeSymlink:
		return
	}
	if mail.unfinished(name) {
		return
	}
	if e.Flags&1 != 0 {
		d.Damage(0, fmt.Errorf("zip: %.200q is encrypted", e.Name))
		return
	}
	r, err := e.Open()
	if err != nil {
		d.Damage(0, fmt.Errorf("zip: %.200q: %w", e.Name, err))
		return
	}
	defer r.Close()
	d.Member(name, d.Budget.Unfolding(r)).Read()
}

// directory is a zip file whose directory is being parsed. What is read of it is charged
// before it is parsed: an entry for each signature of one (APPNOTE.TXT 4.3.12), and all
// octets, which stay in memory, eightfold.
type directory struct {
	r      io.ReaderAt
	budget *budget.Budget
	end    int64  // of what was read last
	tail   []byte // of what was read last: a signature may begin there
	done   bool   // the rest are members
}

var entrySignature = []byte("PK\x01\x02")

func (z *directory) ReadAt(p []byte, off int64) (int, error) {
	n, err := z.r.ReadAt(p, off)
	if z.done {
		return n, err
	}
	if off != z.end {
		z.tail = nil
	}
	read := append(z.tail, p[:n]...)
	z.end, z.tail = off+int64(n), bytes.Clone(read[max(0, len(read)-len(entrySignature)+1):])
	return n, cmp.Or(z.budget.Unfold(8*int64(n)), z.budget.Member(int64(bytes.Count(read, entrySignature))), err)
}
