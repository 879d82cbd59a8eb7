package archive

import (
	"archive/tar"
	"archive/zip"
	"compress/bzip2"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strconv"
	"strings"

	"linkcheck/extract/doc"
	"linkcheck/internal/ascii"
	"linkcheck/internal/lzw"
	"linkcheck/uri/secret"
)

// packed makes the reader of a compressed stream of one document. The stream is no
// container: the document keeps its name, and lines are those of the unpacked bytes.
func packed[R io.Reader](open func(io.Reader) (R, error)) func(*doc.Document) error {
	return func(d *doc.Document) error {
		r, err := open(d.In)
		if err != nil {
			return err
		}
		d.Unpacked(d.Budget.Unfolding(r), unsuffixed(d.Name)).Read()
		return nil
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
	ReadGzip     = packed(gzip.NewReader)
	ReadCompress = packed(lzw.NewReader)
	ReadBzip2    = packed(func(r io.Reader) (io.Reader, error) { return bzip2.NewReader(r), nil })
	ReadXz       = packed(openXz)
	ReadZstd     = packed(openZstd)
)

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

// ReadTar reads the regular files of a tar file.
func ReadTar(d *doc.Document) error {
	t := tar.NewReader(d.In)
	mail := maildirs{}
	for {
		h, err := t.Next()
		if err == io.EOF || d.Stopped() {
			return nil
		}
		if err != nil && !errors.Is(err, tar.ErrInsecurePath) {
			return fmt.Errorf("tar: %w", err)
		}
		name := memberName(h.Name)
		mail.see(name)
		if h.Typeflag != tar.TypeReg || mail.unfinished(name) {
			continue // links and devices hold nothing of their own
		}
		if err := count(d); err != nil {
			return err
		}
		d.Member(name, t).Read()
	}
}

// count counts one member against the limit.
func count(d *doc.Document) error {
	if d.Content.Members++; d.Content.Members > maxMembers {
		return errMembers
	}
	return nil
}

// memberName is the name as the archive has it, less what could point outside:
// it is only ever shown. Its passwords are hidden as long as the "//" before them stands.
func memberName(name string) string {
	return strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(secret.MaskText(name), `\`, "/")), "/")
}

// maildirs are the folders of an archive that have shown themselves to be
// Maildirs: they have a folder cur. A tar file shows it before tmp, as a rule.
type maildirs map[string]bool

// see notes a member, file or folder.
func (m maildirs) see(name string) {
	for _, folder := range []string{name, path.Dir(name)} {
		if path.Base(folder) == "cur" {
			m[path.Dir(folder)] = true
		}
	}
}

// unfinished says whether a member is a message not yet delivered: in the tmp of
// a Maildir, or in some tmp by the name that deliverers give (seconds since 1970,
// process, host: maildir(5)).
func (m maildirs) unfinished(name string) bool {
	folder, base := path.Split(name)
	folder = path.Clean(folder)
	if path.Base(folder) != "tmp" {
		return false
	}
	seconds, rest, _ := strings.Cut(base, ".")
	return m[path.Dir(folder)] || len(seconds) >= 9 && ascii.Digits(seconds) && strings.Contains(rest, ".")
}

// ReadZip reads the regular files of a zip file. That needs to seek, so the file is
// copied to a temporary one.
func ReadZip(d *doc.Document) error {
	f, err := os.CreateTemp("", "linkcheck-zip-")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	defer f.Close()
	n, err := io.Copy(f, io.LimitReader(d.In, maxZip+1))
	if err != nil {
		d.Damage(0, fmt.Errorf("zip: %w", err))
	}
	if n > maxZip {
		return errUnpack
	}
	z, err := zip.NewReader(f, n)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return fmt.Errorf("zip: %w", err)
	}
	mail := maildirs{}
	for _, e := range z.File {
		mail.see(memberName(e.Name))
	}
	for _, e := range z.File {
		if d.Stopped() {
			break
		}
		if err := readZipEntry(d, e, mail); err != nil {
			return err
		}
	}
	return nil
}

func readZipEntry(d *doc.Document, e *zip.File, mail maildirs) error {
	name := memberName(e.Name)
	if !e.Mode().IsRegular() || mail.unfinished(name) {
		return nil
	}
	if err := count(d); err != nil {
		return err
	}
	if e.Flags&1 != 0 {
		d.Damage(0, fmt.Errorf("zip: %.200q is encrypted", e.Name))
		return nil
	}
	r, err := e.Open()
	if err != nil {
		d.Damage(0, fmt.Errorf("zip: %.200q: %w", e.Name, err))
		return nil
	}
	defer r.Close()
	in := &counted{n: int64(e.CompressedSize64)}
	d.Member(name, &unpacked{r: r, in: in, content: d.Content}).Read()
	return nil
}
