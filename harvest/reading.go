package harvest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"linkcheck/check"
	"linkcheck/harvest/kept"
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

// tell yields an item, unless an earlier run of the sweep did.
func (r *reading) tell(i Item) error {
	if r.quiet {
		return nil
	}
	return r.run.tell(i)
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

// keeps says whether what documents say is kept while the sweep is under way: where a site is judged by
// them.
func (r *reading) keeps() bool { return r.root.Kind == Web || r.root.Kind == Gopher }

// keep is what is kept of an answer that is told; nil: nothing is.
func (r *reading) keep(a *answered) []byte {
	if !r.keeps() {
		return nil
	}
	return a.kept.Encode()
}

// keptOf is what an earlier run of this sweep kept of an answer; nil: nothing that can be read.
func (r *reading) keptOf(name string) *kept.Answer {
	if text := r.known.Kept(name); text != nil && r.keeps() {
		if a, err := kept.Decode(text); err == nil {
			return a
		}
	}
	return nil
}

// oneForAll is the answer of an address that gives the page of another.
func oneForAll() check.Result {
	return check.New(check.Suspect, check.ReasonSoft404, "the page that stands at other addresses too")
}

// learnKept does all that an answer does but telling it.
func (r *reading) learnKept(a *answered) (err error) {
	k := &a.kept
	if r.quiet = true; k.Listed != nil {
		err = r.tellRows(k.Listed, Document{Name: k.Came, Depth: int(a.depth)})
	}
	if k.Came != "" && err == nil {
		r.came.add(r.key(k.Came))
		err = r.learn(a)
	}
	if r.quiet = false; k.Same {
		r.came.add(r.key(a.name))
		r.one.trusted = true
	} else if k.Fails {
		r.failed[r.key(a.name)] = true
	}
	if k.Up && err == nil {
		r.one.since++
		err = r.tellWaiting(false)
	}
	return err
}

// tellAnswer tells what is left to tell of a document that was asked for.
func (r *reading) tellAnswer(a answered) error {
	if a.waits {
		return nil
	}
	item := Item{Doc: Document{Name: a.name, Depth: int(a.depth)}, Heard: a.res}
	switch {
	case a.came == a.name:
		item.Kind, item.Keep = Heard, r.keep(&a)
		return cmp.Or(r.tellFolder(item), r.health.torn(a.torn))
	case a.came != "" || a.twin != "":
		if a.root && !a.doc.Read {
			return r.tell(Item{Kind: Heard, Doc: item.Doc, Keep: r.keep(&a)})
		}
		is := cmp.Or(a.came, a.twin)
		item.Kind, item.Note = Gone, "it is "+is
		if r.failed[r.key(is)] || r.known.Elsewhere(is) && !r.known.MetSince(is, a.name) { // nor is that known by now
			item.Kind, item.Note = Failed, item.Note+", which did not come whole"
		}
	case a.away != "":
		item.Kind, item.Note = Failed, "moved to "+a.away
	default:
		return r.tellFailure(a, item)
	}
	item.Keep = r.keep(&a)
	return r.tell(item)
}

// tellFailure tells what an answer without a document says.
func (r *reading) tellFailure(a answered, item Item) error {
	item.Kind = kindOf(&a.res, a.doc.Read && !a.doc.Gone)
	switch {
	case r.root.Kind == FTP && item.Kind == Failed && a.res.Outcome == check.OK:
		item.Kind, item.Doc.Version = Missed, r.folderVersion(a.place)
	case item.Kind == Missed && r.named.has(r.key(a.name)) && !linkRow.MatchString(r.listed(a.place)):
		item.Kind = Failed // its folder says that it is there
	}
	if item.Kind == Missed && r.absent[r.key(a.name)] {
		item.Kind = Gone
	}
	if item.Kind == Same {
		item.Doc.Version = r.versionIn(a.place)
		r.came.add(r.key(a.name))
		r.one.trusted = true
	} else {
		r.failed[r.key(a.name)] = true
	}
	if item.Kind == Failed {
		item.Note = words(&a.res)
	}
	down := item.Kind == Failed && (isDown(&a.res) || isTooMuch(&a.res) || a.none) // a soft 404 is the document's matter
	a.kept.Came, a.kept.Same, a.kept.Fails, a.kept.Up = "", item.Kind == Same, item.Kind != Same, !down
	if item.Keep = r.keep(&a); down {
		return r.health.down(item)
	}
	if err := r.up(); err != nil {
		return err
	}
	return r.tell(item)
}

// maxAgain is how many documents are asked for again in a sweep: others stay, and are gone in a later one.
const maxAgain = 500

// askLost asks again for what was gone on another night of this sweep: it may be back. It comes last, so
// that what is retired by its answer was gone when the sweep ended.
func (r *reading) askLost() error {
	var lost []place
	for d := range r.known.Documents() {
		if d.Lost && len(lost) < maxAgain && r.scope.holds(d.Name) && !r.known.Elsewhere(d.Name) {
			lost = append(lost, place{name: d.Name, depth: uint8(min(max(d.Depth, 0), 255))})
		}
	}
	for _, p := range lost {
		if r.came.has(r.key(p.name)) { // by way of another address
			continue
		}
		a, err := r.ask(p)
		if err == nil {
			err = r.tellAnswer(a)
		}
		if err != nil {
			return err
		}
	}
	return r.askAll()
}

// lost asks for what earlier runs of this sweep found and this one did not find again, as where
// nothing is kept of who led there.
func (r *reading) lost() error {
	if !r.hides {
		return nil
	}
	for d := range r.known.Documents() {
		if _, waits := partOf(&d); d.New && !d.Asked && !waits && !r.isSeen(d.Name) && !r.wasAsked(d.Name) && r.scope.holds(d.Name) && !r.known.Elsewhere(d.Name) {
			r.see(d.Name)
			r.queueKnown(d)
		}
	}
	return r.askAll()
}
