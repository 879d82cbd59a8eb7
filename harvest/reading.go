package harvest

import (
	"bytes"
	"context"
	"fmt"
	"hash/maphash"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"linkcheck/check"
	"linkcheck/internal/ascii"
	"linkcheck/uri"
)

// run is one run of a harvest that asks for documents one by one.
type run struct {
	root   Root
	reader check.Reader
	Options
	ctx    context.Context
	known  Known
	yield  func(Item, error) bool
	health health
}

// tell yields an item.
func (r *run) tell(i Item) error {
	if !r.yield(i, nil) {
		return errEnded
	}
	return nil
}

// read asks for an address. The error is errEnded where the run has cost what it may.
func (r *run) read(address string, w check.Wanted, take func(*check.Answer) error) (check.Result, error) {
	u, err := uri.Parse(address)
	if err != nil {
		return check.InvalidResult(err), nil
	}
	if r.known.Enough() {
		return check.Result{}, errEnded
	}
	w.Secret = r.root.Secret
	return r.reader.Read(r.ctx, check.Target{URI: u}, w, take)
}

// believed is how long what seems to be cut must have come in the same way until it is taken
// for whole: a week, as outages are shorter.
const believed = 7*24*time.Hour - 4*time.Hour

// shortMark begins the version that is kept of a document that seems to be cut: its digest, the
// time since when that came, and the version by which it is known.
const shortMark = "short="

func shortVersion(digest string, since time.Time, known string) string {
	return fmt.Sprintf("%s%s@%d %s", shortMark, digest, since.Unix(), known)
}

// cutShort takes it apart; of another version the digest is "".
func cutShort(version string) (digest string, since time.Time, known string) {
	rest, short := strings.CutPrefix(version, shortMark)
	if !short {
		return "", since, version
	}
	digest, known, _ = strings.Cut(rest, " ")
	digest, at, _ := strings.Cut(digest, "@")
	seconds, _ := strconv.ParseInt(at, 10, 64)
	return digest, time.Unix(seconds, 0), known
}

// know adds to what is wanted by which version a document is known.
func (r *reading) know(w *check.Wanted, d *Document) {
	digest, since, known := cutShort(d.Version)
	if d.Read {
		w.Version = known
	}
	if r.Now().Sub(since) >= believed {
		w.Short = digest
	}
}

// short makes a document one that seems to be cut, as the answer says.
func (r *reading) short(d *Document, known *Document, digest string) {
	if d.Short = digest != ""; !d.Short {
		return
	}
	before, since, version := cutShort(known.Version)
	if before != digest {
		since = r.Now()
	}
	if !known.Read || known.Gone {
		version = ""
	}
	d.Version = shortVersion(digest, since, version)
}

// note keeps a line for the report, once.
func (r *reading) note(format string, args ...any) {
	if line := fmt.Sprintf(format, args...); !slices.Contains(r.notes, line) {
		r.notes = append(r.notes, line)
	}
}

// tellNotes tells them.
func (r *reading) tellNotes() error {
	for _, line := range r.notes {
		if err := r.tell(Item{Kind: Note, Note: line}); err != nil {
			return err
		}
	}
	r.notes = r.notes[:0]
	return nil
}

// number counts things in words: "1 document", "2 documents".
func number(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// hashing is a body whose hash is known at its end.
type hashing struct {
	r      io.Reader
	hash   maphash.Hash
	text   maphash.Hash // of what stands outside of tags
	tag    bool         // it stands in one
	said   bool         // there is text
	fresh  text
	ended  bool
	broken error // in place of its end
}

// Read implements io.Reader.
func (h *hashing) Read(b []byte) (int, error) {
	n, err := h.r.Read(b)
	h.hash.Write(b[:n])
	h.fresh.write(b[:n])
	for rest := b[:n]; len(rest) > 0; {
		to := byte('<')
		if h.tag {
			to = '>'
		}
		at := bytes.IndexByte(rest, to)
		if at < 0 {
			at = len(rest)
		}
		if !h.tag {
			h.text.Write(rest[:at])
			h.said = h.said || len(bytes.TrimSpace(rest[:at])) > 0
		}
		if at < len(rest) {
			h.tag = !h.tag
			at++
		}
		rest = rest[at:]
	}
	if h.ended = h.ended || err == io.EOF; err != nil && err != io.EOF {
		h.broken = err
	}
	return n, err
}

// When a page says something new: lines of it, without what stands in links, that no page of
// the run had.
const (
	newLetters = 80 // a sentence or two
	blanksOf   = 5  // in a line: what has fewer is a name, a label or an address
)

// said is what pages of a run have said: a bit for each line, by its hash. Two in a hundred lines
// are taken for another one where 300,000 were said.
type said []uint64

const (
	saidBits = 1 << 24
	prime    = 1099511628211 // of FNV-1a
)

// isNew says whether a line was not said, and notes that it is.
func (s *said) isNew(line uint64) bool {
	if *s == nil {
		*s = make(said, saidBits/64)
	}
	line %= saidBits
	is := (*s)[line/64]>>(line%64)&1 == 0
	(*s)[line/64] |= 1 << (line % 64)
	return is
}

// text is what a page says between its tags.
type text struct {
	*said
	hash    uint64 // of the line, with each number as one figure
	letters int    // in it
	blanks  int
	fresh   int // letters in lines that are new
	last    byte
	tag     []byte // the beginning of one; nil: it is not in one
	quiet   string // the element whose text is not counted
}

// write takes more of the page.
func (t *text) write(b []byte) {
	for _, c := range b {
		switch {
		case t.tag != nil && c != '>':
			if len(t.tag) < 8 {
				t.tag = append(t.tag, max(c, ' ')|0x20)
			}
		case t.tag != nil:
			t.closeTag()
		case c == '<':
			t.endLine()
			t.tag = make([]byte, 0, 8)
		case t.quiet != "":
		case c == '\n':
			t.endLine()
		default:
			if was := t.last; ascii.Digit(c) && ascii.Digit(was) {
				continue
			}
			if t.last = c; ascii.Digit(c) {
				c = '0'
			}
			t.hash = (t.hash ^ uint64(c)) * prime
			if c >= 0x80 || c|0x20 >= 'a' && c|0x20 <= 'z' {
				t.letters++
			} else if c == ' ' {
				t.blanks++
			}
		}
	}
}

// closeTag takes the end of a tag.
func (t *text) closeTag() {
	end := bytes.IndexAny(append(t.tag, ' '), " \t\n")
	switch name := string(t.tag[:min(end, len(t.tag))]); {
	case t.quiet != "" && name == "/"+t.quiet:
		t.quiet = ""
	case t.quiet == "" && (name == "a" || name == "script" || name == "style"):
		t.quiet = name
	}
	t.tag = nil
}

// endLine counts a line.
func (t *text) endLine() {
	if t.blanks >= blanksOf && t.isNew(t.hash^t.hash>>29) {
		t.fresh += t.letters
	}
	t.hash, t.letters, t.blanks, t.last = 1, 0, 0, 0
}

// isNews says whether it says something new; it has ended.
func (t *text) isNews() bool {
	t.endLine()
	return t.fresh >= newLetters
}
