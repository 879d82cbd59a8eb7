package harvest

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"net/http"
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
	if res.Reply == "" {
		return string(res.Reason)
	}
	return string(res.Reason) + ": " + res.Reply
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
	held []Item // failures one after the other, not told: in an outage nothing was asked
}

// down keeps the failure of a document, and says whether that is an outage.
func (h *health) down(i Item) error {
	h.count(true)
	h.held = append(h.held, i)
	failed := 0
	for _, f := range h.last {
		if f {
			failed++
		}
	}
	if len(h.held) < maxInRow && 2*failed < lately {
		return nil
	}
	if isTooMuch(&i.Heard) {
		return &Stop{Why: Refused, Text: words(&i.Heard)}
	}
	return &Stop{Why: Outage, Text: words(&i.Heard)}
}

// up notes an answer, and tells what failed before it.
func (h *health) up(tell func(Item) error) error {
	h.count(false)
	return h.tellHeld(tell)
}

func (h *health) count(failed bool) {
	h.last[h.n%lately] = failed
	h.n++
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

// onePage watches the pages that are known and come with another text. A server in trouble,
// or a name that was sold, may give one page for every address with the status of success:
// then none of them has changed. The first page with another text waits until the server is
// seen to give each address its own.
type onePage struct {
	trusted bool   // a page is as it was, or two differ
	last    []byte // hash of the last page that came with another text
	doubled bool   // that page came at another address too
	waiting *changed
}

// changed is a page that came with another text and is not told yet.
type changed struct {
	answered
	doc    Document
	text   []byte
	answer check.Answer
}

// hashOf is the hash of a document as Document.Hash has it.
func hashOf(text []byte) []byte {
	sum := sha256.Sum256(text)
	return sum[:16]
}

// judge says what is to be done with a page that came whole: it is told, it waits, or it
// counts as none since it is what stood at another address too.
func (o *onePage) judge(known *Document, text []byte) (waits, none bool) {
	sum := hashOf(text)
	again := bytes.Equal(sum, o.last)
	stood := known.Read && !known.Gone && len(known.Hash) > 0
	switch {
	case stood && bytes.Equal(sum, known.Hash):
		o.trusted = true
	case !stood:
		o.trusted = o.trusted || o.last != nil && !again
		none = again && !o.trusted
	case again:
		none = true
	case !o.trusted && o.last == nil:
		o.last, waits = sum, true
	default:
		o.trusted, o.last, o.doubled = true, sum, false
	}
	o.doubled = o.doubled || none
	return waits, none
}

// wait keeps a page until the server is trusted.
func (r *reading) wait(a *answered, d Document, text []byte, answer *check.Answer) {
	a.waits = true
	r.one.waiting = &changed{doc: d, text: bytes.Clone(text), answer: *answer}
	r.one.waiting.answer.Body, r.one.waiting.answer.Entries = nil, nil
}

// tellWaiting tells the page that waits, where the server is trusted or the sweep ends.
func (r *reading) tellWaiting(end bool) error {
	c := r.one.waiting
	if c == nil || !r.one.trusted && !end {
		return nil
	}
	r.one.waiting, c.waits = nil, false
	if !r.one.trusted && r.one.doubled {
		c.came, c.res = "", oneForAll()
		return r.tellAnswer(c.answered)
	}
	if err := r.tellRead(&c.answered, c.doc, bytes.NewReader(c.text), &c.answer); err != nil {
		return err
	}
	return r.tellAnswer(c.answered)
}

// oneForAll is the answer of an address that gives the page of another.
func oneForAll() check.Result {
	return check.New(check.Suspect, check.ReasonSoft404, "the page that stands at other addresses too")
}

// up notes that the server is up, and tells what was held back until that was known.
func (r *reading) up() error {
	if err := r.tellWaiting(false); err != nil {
		return err
	}
	return r.health.up(r.tell)
}
