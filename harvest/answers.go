package harvest

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"net/http"
	"slices"
	"time"

	"linkcheck/check"
)

// What a walk bears of a server that does not answer.
const (
	maxInRow = 5               // failures one after the other
	lately   = 20              // answers, of which half may be failures
	maxWait  = 2 * time.Minute // that a server asks for, and is waited for
)

// isDown says whether an answer is none, or one that says nothing of what was asked for.
func isDown(res *check.Result) bool {
	switch res.Outcome {
	case check.Temporary, check.Unreachable, check.Internal, check.Unknown:
		return true
	}
	switch res.Reason {
	case check.ReasonEmpty: // the connection was closed without a word, which gopher may mean
		return res.Reply == ""
	case check.ReasonGarbled, check.ReasonEOF, check.ReasonTooLong, check.ReasonLineTooLong:
		return true
	}
	return false
}

// isRefused says whether a server, or its robots.txt, does not let us have a document.
func isRefused(res *check.Result) bool {
	return res.Outcome == check.Auth || res.Outcome == check.Blocked
}

// isLeftOut says whether our own side does not ask such a server.
func isLeftOut(res *check.Result) bool {
	return res.Outcome == check.Skipped || res.Outcome == check.Unsupported || res.Outcome == check.Invalid
}

// kindOf is what an answer without a document says of it.
func kindOf(res *check.Result, wasRead bool) Kind {
	switch {
	case (res.NotModified() || res.Reason == check.ReasonFTP(213)) && wasRead:
		return Same
	case res.Reason == check.ReasonHTTP(http.StatusGone):
		return Gone
	case res.Outcome == check.Gone && !isDown(res):
		return Missed
	}
	return Failed
}

// rootStop is what an answer without a document says of the root; nil: it goes on.
func rootStop(res *check.Result) error {
	switch kind := kindOf(res, true); {
	case kind == Same:
		return nil
	case kind == Gone, kind == Missed:
		return &Stop{Why: Vanished, Text: words(res)}
	case isRefused(res), isLeftOut(res), res.Reason == check.ReasonLoginPage:
		return &Stop{Why: Refused, Text: words(res)}
	case isDown(res):
		return &Stop{Why: Outage, Text: words(res)}
	}
	return &Stop{Why: NotThis, Text: words(res)}
}

// words are those of the server, else of its result.
func words(res *check.Result) string {
	text := string(res.Reason)
	if res.Reply != "" {
		text += ": " + res.Reply
	}
	switch res.Reason { // our own guard: HARVEST section 10
	case check.ReasonPrivateAddress:
		text += " (--allow-private allows it)"
	case check.ReasonPortDenied, check.ReasonReservedName:
		text += " (a --connect-to that names the host allows it)"
	}
	return text
}

// asksToWait says whether a server asks to be left alone for a while.
func asksToWait(res *check.Result) bool {
	return res.RetryAfter > 0 && (isDown(res) || isRefused(res))
}

// isResting says whether that is longer than is waited for.
func isResting(res *check.Result) bool {
	return res.Reason == check.ReasonHostBackoff || asksToWait(res) && res.RetryAfter > maxWait
}

// isTooMuch says whether it has had enough of programs.
func isTooMuch(res *check.Result) bool {
	return res.Reason == check.ReasonHTTP(http.StatusTooManyRequests) || res.Reason == check.ReasonChallenge
}

func (r *run) resting(res *check.Result) error {
	return &Stop{Why: Resting, Text: words(res), Until: r.Now().Add(cmp.Or(res.RetryAfter, maxWait))}
}

// health watches whether the server is up.
type health struct {
	last [lately]bool // answers that were none
	n    int
	row  int    // failures one after the other
	held []Item // those of them that are not told: in an outage nothing was asked
}

// down keeps the failure of a document, and says whether that is an outage.
func (h *health) down(i Item) error {
	h.held = append(h.held, i)
	switch {
	case !h.failed():
		return nil
	case isTooMuch(&i.Heard):
		return &Stop{Why: Refused, Text: words(&i.Heard)}
	}
	return &Stop{Why: Outage, Text: words(&i.Heard)}
}

// torn counts a document that did not come whole, if there is a reason, and says whether that
// is an outage.
func (h *health) torn(why error) error {
	if why == nil || !h.failed() {
		return nil
	}
	return &Stop{Why: Outage, Text: why.Error()}
}

// failed counts a failure, and says whether there were too many.
func (h *health) failed() bool {
	h.count(true)
	failed := 0
	for _, f := range h.last {
		if f {
			failed++
		}
	}
	return h.row >= maxInRow || 2*failed >= lately
}

// up notes an answer, and tells what failed before it.
func (h *health) up(tell func(Item) error) error {
	h.count(false)
	return h.tellHeld(tell)
}

func (h *health) count(failed bool) {
	h.last[h.n%lately] = failed
	h.n++
	if h.row++; !failed {
		h.row = 0
	}
}

func (h *health) tellHeld(tell func(Item) error) error {
	for _, i := range h.held {
		if err := tell(i); err != nil {
			return err
		}
	}
	h.held = h.held[:0]
	return nil
}

// onePage watches the documents that are known and come with another text. A server in
// trouble, or a name that was sold, may give one text for every address with the status of
// success: then none of them has changed. So a document with another text waits until the next
// such one is seen to have its own. The text of the root stands at no other address.
type onePage struct {
	trusted bool     // a document is as it was, or two differ
	last    []byte   // hash of the last document that came with another text
	root    [][]byte // hashes of the root, as it was and as it is
	before  []byte   // hash of what waits, as it was
	waiting []*changed
	since   int      // documents that came as they were or were told, since it waits
	none    [][]byte // hashes of texts that came at an address that had another before
}

// changed is a document that came with another text and is not told yet.
type changed struct {
	answered
	doc    Document
	text   []byte
	answer check.Answer
	known  bool // it was told by an earlier run of this sweep
}

// hashOf is the hash of a document as Document.Hash has it.
func hashOf(text []byte) []byte {
	sum := sha256.Sum256(text)
	return sum[:16]
}

// judge says what is to be done with a document that came whole, by its hash: it is told, it waits, or it
// counts as none since it is what stood at another address too.
func (o *onePage) judge(known *Document, sum []byte, root bool) (waits, none bool) {
	if root {
		o.root = append(o.root, sum)
	}
	again, isRoot, refused := bytes.Equal(sum, o.last), has(o.root, sum), has(o.none, sum)
	stood := known.Read && !known.Gone && len(known.Hash) > 0
	copied := again && bytes.Equal(known.Hash, o.before) || isRoot && has(o.root, known.Hash) // they were alike before
	switch {
	case stood && bytes.Equal(sum, known.Hash):
		o.trusted = true
		return false, false
	case !stood:
		o.trusted = o.trusted || o.last != nil && !again
		return false, again && !o.trusted || refused
	case refused, again && !copied, isRoot && !root && !copied:
		if !refused {
			o.none = append(o.none, sum)
		}
		return false, true
	case again:
		return len(o.waiting) > 0 && len(o.waiting) < lately, false
	}
	o.trusted, o.last, o.before = o.trusted || o.last != nil, sum, known.Hash
	return true, false
}

func has(hashes [][]byte, sum []byte) bool {
	return slices.ContainsFunc(hashes, func(h []byte) bool { return bytes.Equal(h, sum) })
}

// wait keeps a document until the next one has its own text: then one that waits already is
// told.
func (r *reading) wait(a *answered, d Document, text []byte, answer *check.Answer) error {
	c := &changed{doc: d, text: bytes.Clone(text), answer: *answer}
	if c.answer.Body = nil; answer.Entries != nil {
		var all []check.Entry
		for e, err := range answer.Entries {
			if err == nil {
				all = append(all, e)
			}
		}
		c.answer.Entries = func(yield func(check.Entry, error) bool) {
			for _, e := range all {
				if !yield(e, nil) {
					return
				}
			}
		}
	}
	return r.add(c)
}

// add lets it wait.
func (r *reading) add(c *changed) error {
	if w := r.one.waiting; len(w) > 0 && !bytes.Equal(w[0].kept.Sum, r.one.last) {
		if err := r.tellWaiting(true); err != nil {
			return err
		}
	}
	r.one.waiting, r.one.since = append(r.one.waiting, c), 0
	return nil
}

// tellWaiting tells what waits, where enough others came since, or another text, or at the end.
func (r *reading) tellWaiting(end bool) error {
	if r.one.since < lately && !end {
		return nil
	}
	waiting := r.one.waiting
	r.one.waiting = nil
	for _, c := range waiting {
		if c.waits = false; c.known {
			if err := r.learnKept(&c.answered); err != nil {
				return err
			}
			continue
		}
		if has(r.one.none, c.kept.Sum) {
			c.came, c.res = "", oneForAll()
		} else if err := r.tellRead(&c.answered, c.doc, bytes.NewReader(c.text), &c.answer); err != nil {
			return err
		}
		if err := r.tellAnswer(c.answered); err != nil {
			return err
		}
	}
	return nil
}

// up notes that the server is up, and tells what was held back until that was known.
func (r *reading) up() error {
	r.one.since++
	if err := r.tellWaiting(false); err != nil {
		return err
	}
	return r.health.up(r.tell)
}
