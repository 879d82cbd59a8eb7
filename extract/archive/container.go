package archive

import (
	"archive/tar"
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"

	"linkcheck/extract/doc"
)

// packed makes the reader of a compressed stream of one document. The stream is no
// container: the document keeps its name, and lines are those of the unpacked bytes.
func packed(kind string) func(*doc.Document) error {
	return func(d *doc.Document) error {
		r, done, err := decode(d, kind, d.In)
		if err == nil {
			d.Unpacked(r, unsuffixed(d.Name)).Read()
		}
		done()
		return err
	}
}

// unsuffixed takes the compression suffix off a name: "x.tar.gz" is a tar file.
func unsuffixed(name string) string {
	switch ext := path.Ext(name); ext {
	case ".tgz", ".tbz", ".tbz2", ".txz":
		return strings.TrimSuffix(name, ext) + ".tar"
	case ".gz", ".z", ".bz2", ".xz", ".zst":
		return strings.TrimSuffix(name, ext)
	}
	return name
}

// The readers of compressed streams; that of gzip reads all its members as one.
var (
	readGzip     = packed("gzip")
	ReadCompress = packed("compress")
	ReadBzip2    = packed("bzip2")
	ReadXz       = packed("xz")
	ReadZstd     = packed("zstd")
)

// ReadGzip reads a gzip file: web archives are compressed record by record.
func ReadGzip(d *doc.Document) error {
	head, _ := d.In.Peek(doc.SniffSize)
	z, done, err := decode(d, "gzip", bytes.NewReader(head))
	records := err == nil && beginsWARC(z)
	done()
	if records {
		return readWARCGzip(d)
	}
	return readGzip(d)
}

// SniffTar checks the sum of the first header: archives older than POSIX have
// no other mark (tar(5), "old-style archive format").
func SniffTar(p doc.Peek) bool {
	if len(p.Head) < 512 || p.Head[0] == 0 {
		return false
	}
	want, err := strconv.ParseInt(strings.Trim(string(p.Head[148:156]), " \x00"), 8, 64)
	if err != nil {
		return false
	}
	sum := int64(8 * ' ')
	for i, c := range p.Head[:512] {
		if i < 148 || i >= 156 {
			sum += int64(c)
		}
	}
	return sum == want
}

// tarAhead goes over zeros and says whether a tar file begins behind them.
func tarAhead(in *bufio.Reader) bool {
	if skipZeros(in) != nil {
		return false
	}
	head, _ := in.Peek(512)
	return SniffTar(doc.Peek{Head: head})
}

// ReadTar reads the regular files of a tar file, and of those that follow it behind
// padding, as where several were written to one tape. What else is behind the end is what
// the buffer of the writer held.
func ReadTar(d *doc.Document) error {
	t := tar.NewReader(d.In)
	mail := maildirs{}
	for {
		h, err := t.Next()
		if d.Stopped() {
			return nil
		}
		if err == io.EOF {
			if !tarAhead(d.In) {
				return nil
			}
			t = tar.NewReader(d.In)
			continue
		}
		if err != nil && !errors.Is(err, tar.ErrInsecurePath) {
			return fmt.Errorf("tar: %w", err)
		}
		if err := d.Budget.Member(1); err != nil {
			return err
		}
		name := memberName(h.Name)
		mail.see(name)
		sparse := h.Typeflag == tar.TypeGNUSparse || h.PAXRecords["GNU.sparse.major"] != "" || h.PAXRecords["GNU.sparse.size"] != ""
		switch {
		case mail.unfinished(name):
		case sparse:
			d.Member(name, d.Budget.Unfolding(t)).Read()
		case h.Typeflag == tar.TypeReg || h.Typeflag == tar.TypeCont: // links and devices hold nothing of their own
			d.Member(name, t).Read()
		}
	}
}
