package webpage

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// What a sitemap may hold: https://www.sitemaps.org/protocol.html, "Sitemap index files".
const (
	maxLocs    = 50_000
	MaxSitemap = 50 << 20 // octets, unpacked
	maxLoc     = 2048     // octets of an address
)

// Sitemap is what a file names.
type Sitemap struct {
	Index bool // it names other sitemaps
	Locs  []Loc
}

// Loc is an address in a sitemap. When it was changed is the claim of the site, by which
// nothing is decided but the order.
type Loc struct{ Address, LastMod string }

// What is wrong with a file.
var (
	ErrNoSitemap = errors.New("it is no sitemap")
	ErrManyLocs  = fmt.Errorf("it names more than %d addresses", maxLocs)
	ErrLong      = fmt.Errorf("it is longer than %d octets", MaxSitemap)
)

// ReadSitemap reads a file in any of the forms of the protocol: XML or text, packed or
// not. What comes before a fault counts; the last changed is first.
func ReadSitemap(r io.Reader) (s Sitemap, err error) {
	in := bufio.NewReader(r)
	if magic, _ := in.Peek(2); string(magic) == "\x1f\x8b" { // RFC 1952 section 2.3.1
		z, err := gzip.NewReader(in)
		if err != nil {
			return s, err
		}
		in = bufio.NewReader(z)
	}
	in = bufio.NewReader(&bounded{r: in, left: MaxSitemap})
	start, _ := in.Peek(512)
	start = bytes.TrimLeft(bytes.TrimPrefix(start, []byte("\ufeff")), " \t\r\n")
	switch {
	case bytes.HasPrefix(start, []byte("<")):
		err = s.readXML(in)
	case bytes.HasPrefix(start, []byte("http")):
		err = s.readText(in)
	default:
		err = ErrNoSitemap
	}
	slices.SortStableFunc(s.Locs, func(a, b Loc) int { return cmp.Compare(b.LastMod, a.LastMod) })
	return s, err
}

// bounded is a reader that fails behind so many octets.
type bounded struct {
	r    io.Reader
	left int
}

// Read implements io.Reader.
func (b *bounded) Read(p []byte) (int, error) {
	if b.left == 0 {
		return 0, ErrLong
	}
	n, err := b.r.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}

func (s *Sitemap) add(l Loc) error {
	if l.Address = strings.TrimSpace(l.Address); l.Address == "" || len(l.Address) > maxLoc {
		return nil
	}
	if len(s.Locs) == maxLocs {
		return ErrManyLocs
	}
	s.Locs = append(s.Locs, l)
	return nil
}

// readText reads an address a line.
func (s *Sitemap) readText(in *bufio.Reader) error {
	for {
		line, err := in.ReadSlice('\n')
		if err == nil || err == io.EOF {
			if strings.HasPrefix(strings.TrimPrefix(string(line), "\ufeff"), "http") {
				if err := s.add(Loc{Address: strings.TrimPrefix(string(line), "\ufeff")}); err != nil {
					return err
				}
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil && err != bufio.ErrBufferFull {
			return err
		}
	}
}

// readXML reads a urlset or a sitemapindex. Elements of other name spaces (pictures, news)
// stand inside a url, and have a loc of their own.
func (s *Sitemap) readXML(in *bufio.Reader) error {
	d := xml.NewDecoder(in)
	d.Strict = false
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	depth, entry := 0, ""
	var at Loc
	var text *string // what is being read
	for {
		token, err := d.RawToken()
		if err == io.EOF && depth == 0 && entry != "" {
			return nil
		}
		if err != nil {
			return cmp.Or(unexpected(err), err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			text = nil
			switch depth++; {
			case depth == 1:
				if entry = map[string]string{"urlset": "url", "sitemapindex": "sitemap"}[t.Name.Local]; entry == "" {
					return ErrNoSitemap
				}
				s.Index = entry == "sitemap"
			case depth == 2:
				at = Loc{}
			case depth == 3 && t.Name.Local == "loc":
				text = &at.Address
			case depth == 3 && t.Name.Local == "lastmod":
				text = &at.LastMod
			}
		case xml.CharData:
			if text != nil && len(*text) <= maxLoc {
				*text += string(t)
			}
		case xml.EndElement:
			text = nil
			if depth--; depth == 1 && t.Name.Local == entry {
				if err := s.add(at); err != nil {
					return err
				}
			}
			if depth == 0 {
				return nil
			}
		}
	}
}

// unexpected is the end of a file that has begun and not ended.
func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return nil
}
