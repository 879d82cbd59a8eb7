package memento

import (
	"archive/zip"
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// own is a collection on a disk: files of WARC (ISO 28500), WACZ, CDX and CDXJ in a folder.
type own struct {
	dir, template string

	read  bool
	pages map[string][]Copy
	n     int
}

const (
	maxOwn      = 5_000_000 // captures of a collection that are remembered
	maxOwnLine  = 1 << 20   // octets of a line of an index or of the header of a record
	maxUnpacked = 1 << 40   // octets of a packed file that are read
)

var errOwnMany = fmt.Errorf("memento: more than %d captures in one collection", maxOwn)

// NewOwn makes an archive of the collections in a folder. In the template of the address at which
// the public sees them {timestamp} (14 digits) and {url} are those of a capture; without one
// they have no address. Only captures for which the server gave the page count (status
// 200). The folder is read by the first question.
func NewOwn(dir, template string) Archive { return &own{dir: dir, template: template} }

func (o *own) Name() string { return o.dir }

func (o *own) Near(ctx context.Context, page string, at time.Time) iter.Seq2[Copy, error] {
	if !o.read {
		o.pages = map[string][]Copy{}
		if err := o.walk(ctx); err != nil {
			return yieldNear(nil, at, fmt.Errorf("memento: %s: %w", o.dir, err))
		}
		o.read = true
	}
	return yieldNear(o.pages[pageKey(page)], at, nil)
}

func (o *own) walk(ctx context.Context) error {
	o.n = 0
	return filepath.WalkDir(o.dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if strings.EqualFold(filepath.Ext(name), ".wacz") {
			return o.wacz(name)
		}
		if !isIndex(name) && !isWARC(name) {
			return nil
		}
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		return o.file(name, f)
	})
}

func isIndex(name string) bool {
	name = strings.TrimSuffix(strings.ToLower(name), ".gz")
	return strings.HasSuffix(name, ".cdx") || strings.HasSuffix(name, ".cdxj")
}

func isWARC(name string) bool {
	return strings.HasSuffix(strings.TrimSuffix(strings.ToLower(name), ".gz"), ".warc")
}

// file reads an index or a WARC, packed or not.
func (o *own) file(name string, r io.Reader) error {
	if strings.HasSuffix(strings.ToLower(name), ".gz") {
		z, err := gzip.NewReader(r)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		r = io.LimitReader(z, maxUnpacked)
	}
	read := o.warc
	if isIndex(name) {
		read = o.index
	}
	if err := read(name, bufio.NewReaderSize(r, 1<<16)); err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%s: %w", name, err) // of a file that is cut short what came before counts
	}
	return nil
}

// wacz reads the files of records within a WACZ: they have all that its indexes have.
func (o *own) wacz(name string) error {
	z, err := zip.OpenReader(name)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	defer z.Close()
	for _, member := range z.File {
		if !isWARC(member.Name) {
			continue
		}
		r, err := member.Open()
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		err = o.file(name+"!"+path.Clean(member.Name), r)
		r.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

// index reads lines of CDX or CDXJ; what is none is passed over.
func (o *own) index(name string, r *bufio.Reader) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxOwnLine)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '!' || strings.HasPrefix(line, "CDX ") {
			continue
		}
		c, err := parseCDXLine(line)
		if err != nil || c.check() != nil || !c.good() {
			continue
		}
		at := name
		if c.file != "" {
			at = filepath.Join(filepath.Dir(name), filepath.Base(c.file))
		}
		if err := o.add(c, at, c.offset); err != nil {
			return err
		}
	}
	return lines.Err()
}

// warc reads the records of a WARC: the pages of responses of HTTP, and resources.
func (o *own) warc(name string, r *bufio.Reader) error {
	for at := int64(0); ; {
		head, n, err := recordHead(r)
		if err != nil || n == 0 {
			return err
		}
		offset := at
		at += n
		length, err := strconv.ParseInt(head["content-length"], 10, 64)
		if err != nil || length < 0 {
			return fmt.Errorf("record at %d without a length", offset)
		}
		block := io.LimitReader(r, length)
		c := capture{url: strings.Trim(head["warc-target-uri"], "<>"), stamp: digits(head["warc-date"])}
		switch head["warc-type"] {
		case "response":
			first := make([]byte, min(length, 64))
			if _, err := io.ReadFull(block, first); err != nil {
				return err
			}
			if f := bytes.Fields(first); len(f) > 1 && bytes.HasPrefix(f[0], []byte("HTTP/")) {
				c.status = string(f[1])
			}
		case "resource":
		default:
			c.status = "-"
		}
		if _, err := io.Copy(io.Discard, block); err != nil {
			return err
		}
		at += length
		if c.good() && c.check() == nil {
			if err := o.add(c, name, strconv.FormatInt(offset, 10)); err != nil {
				return err
			}
		}
	}
}

// recordHead reads the header of a record, its names in lower case; n is how many octets it
// has with what stands before it, 0 at the end.
func recordHead(r *bufio.Reader) (head map[string]string, n int64, err error) {
	for {
		line, err := r.ReadSlice('\n')
		n += int64(len(line))
		text := strings.TrimSpace(string(line))
		switch {
		case err == io.EOF && head == nil:
			return nil, 0, nil
		case err != nil:
			return nil, n, err
		case head == nil && strings.HasPrefix(text, "WARC/"):
			head = map[string]string{}
		case head == nil && text != "":
			return nil, n, errors.New("no record where one is to begin")
		case head == nil:
		case text == "":
			return head, n, nil
		case n > maxOwnLine:
			return nil, n, errors.New("header of a record without an end")
		default:
			name, value, _ := strings.Cut(text, ":")
			head[strings.ToLower(name)] = strings.TrimSpace(value)
		}
	}
}

// digits gives the digits of a time such as 1996-11-05T10:00:00Z, without parts of seconds.
func digits(date string) string {
	s := strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, date)
	return s[:min(len(s), len(stampTime))]
}

func (o *own) add(c capture, file, offset string) error {
	if o.n++; o.n > maxOwn {
		return errOwnMany
	}
	made, _ := time.Parse(stampTime, c.stamp)
	found := Copy{URL: file, Made: made, Local: true}
	if offset != "" {
		found.URL += " at " + offset
	}
	if o.template != "" {
		found.URL, found.Local = strings.NewReplacer("{timestamp}", c.stamp, "{url}", c.url).Replace(o.template), false
	}
	key := pageKey(c.url)
	o.pages[key] = append(o.pages[key], found)
	return nil
}
