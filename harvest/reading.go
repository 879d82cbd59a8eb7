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
	ended  bool
	broken error // in place of its end
}

// Read implements io.Reader.
func (h *hashing) Read(b []byte) (int, error) {
	n, err := h.r.Read(b)
	h.hash.Write(b[:n])
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
