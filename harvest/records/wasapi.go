package records

import (
	"bufio"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"strings"
)

// WASAPI is a page of a list of web archive files, as Archive-It and others give them (WASAPI
// data transfer API).
type WASAPI struct {
	Count int       `json:"count"` // of all pages
	Next  string    `json:"next"`  // the address of the next page; "": this is the last
	Files []WebFile `json:"files"`
}

// WebFile is one of them.
type WebFile struct {
	Name      string            `json:"filename"`
	Size      int64             `json:"size"`      // in octets; 0: not said
	Checksums map[string]string `json:"checksums"` // in hexadecimal digits, by what made them
	Locations []string          `json:"locations"` // where it is to be had
}

// ReadWASAPI reads a page. The error is an *Other where it is none.
func ReadWASAPI(r io.Reader) (*WASAPI, error) {
	in := bufio.NewReader(io.LimitReader(r, MaxPage))
	start, _ := in.Peek(80)
	var page WASAPI
	err := json.NewDecoder(in).Decode(&page)
	if text := strings.TrimSpace(string(start)); !strings.HasPrefix(text, "{") || err == nil && page.Files == nil {
		line, _, _ := strings.Cut(text, "\n")
		return nil, &Other{line}
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return &page, err
}

// sums are what checksums are made with, the strongest first.
var sums = []struct {
	name string
	make func() hash.Hash
}{{"sha512", sha512.New}, {"sha256", sha256.New}, {"sha1", sha1.New}, {"md5", md5.New}}

// checksum is the strongest that is said; nil: none is. Archive-It fills in what is none.
func (f *WebFile) checksum() (name string, sum []byte, start hash.Hash) {
	for _, s := range sums {
		h := s.make()
		if sum, err := hex.DecodeString(f.Checksums[s.name]); err == nil && len(sum) == h.Size() {
			return s.name, sum, h
		}
	}
	return "", nil, nil
}

// Version is what is known of the octets of a file: its checksum, else its size; "": nothing.
func (f *WebFile) Version() string {
	if name, sum, _ := f.checksum(); sum != nil {
		return name + ":" + hex.EncodeToString(sum)
	}
	if f.Size > 0 {
		return fmt.Sprint("size:", f.Size)
	}
	return ""
}

// Checked gives the octets of the file, with an error in place of their end where they are
// other than was said.
func (f *WebFile) Checked(r io.Reader) io.Reader {
	_, sum, h := f.checksum()
	return &checked{Reader: r, file: f, want: sum, sum: h}
}

type checked struct {
	io.Reader
	file   *WebFile
	want   []byte
	sum    hash.Hash
	octets int64
}

// Read implements io.Reader.
func (c *checked) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.octets += int64(n)
	if c.sum != nil {
		c.sum.Write(p[:n])
	}
	switch {
	case err != io.EOF:
	case c.file.Size > 0 && c.octets != c.file.Size:
		err = fmt.Errorf("%d octets came, and the list says %d", c.octets, c.file.Size)
	case c.sum != nil && string(c.sum.Sum(nil)) != string(c.want):
		err = errors.New("its checksum is another than the list says")
	}
	return n, err
}
