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

// When a page says something new: lines of it that no page of the run had.
const (
	newLetters = 80 // a sentence or two
	blanksOf   = 5  // in a line: what has fewer is a name, a label or an address
)

// said is what pages of a run have said: a bit for each line, by its hash. Of a thousand new lines
// two are taken for others where 30,000 were said.
type said [1 << 24 / 64]uint64

// isNew says whether a line was not said, and notes that it is.
func (s *said) isNew(line uint64) bool {
	at, bit := line>>6%uint64(len(s)), uint64(1)<<(line&63)
	is := s[at]&bit == 0
	s[at] |= bit
	return is
}

// text is the body of a page, of which is known at its end what it is and what it says. A line of
// it ends with a tag too; what stands in links, scripts and styles says nothing.
type text struct {
	r       io.Reader
	said    *said
	hash    maphash.Hash // of the body
	lines   uint64       // of its lines: not of their order
	fresh   int          // letters in lines that are new
	line    maphash.Hash // with each number as one figure
	letters int          // in the line
	blanks  int
	digit   bool   // it ends in one
	inTag   bool   // not in a line
	tag     []byte // the beginning of the tag
	quiet   string // the element whose text is not counted
	ended   bool
	broken  error // in place of its end
}

func newText(r io.Reader, seed maphash.Seed, said *said) *text {
	t := &text{r: r, said: said}
	t.hash.SetSeed(seed)
	t.line.SetSeed(seed)
	return t
}

// Read implements io.Reader.
func (t *text) Read(b []byte) (int, error) {
	n, err := t.r.Read(b)
	t.hash.Write(b[:n])
	for _, c := range b[:n] {
		switch {
		case c == '<' && !t.inTag, c == '>' && t.inTag:
			t.endLine()
			t.inTag = !t.inTag
		case t.inTag:
			if len(t.tag) < len("/script ") {
				t.tag = append(t.tag, c)
			}
		case c == '\n':
			t.endLine()
		case t.quiet == "":
			t.write(c)
		}
	}
	if err == io.EOF {
		t.endLine()
		t.ended = true
	} else if err != nil {
		t.broken = err
	}
	return n, err
}

// write takes one more octet of a line.
func (t *text) write(c byte) {
	was := t.digit
	switch t.digit = ascii.Digit(c); {
	case t.digit && was:
		return
	case t.digit:
		c = '0'
	case c >= 0x80 || c|0x20 >= 'a' && c|0x20 <= 'z':
		t.letters++
	case c == ' ':
		t.blanks++
	}
	t.line.WriteByte(c)
}

// endLine counts a line, or takes the tag that ends.
func (t *text) endLine() {
	if t.inTag {
		name, _, _ := bytes.Cut(bytes.ToLower(t.tag), []byte(" "))
		switch name := strings.TrimSpace(string(name)); {
		case t.quiet != "" && name == "/"+t.quiet:
			t.quiet = ""
		case t.quiet == "" && (name == "a" || name == "script" || name == "style"):
			t.quiet = name
		}
		t.tag = t.tag[:0]
		return
	}
	if line := t.line.Sum64(); t.letters > 0 {
		if t.lines += line; t.blanks >= blanksOf && t.said.isNew(line) {
			t.fresh += t.letters
		}
	}
	t.line.Reset()
	t.letters, t.blanks, t.digit = 0, 0, false
}
