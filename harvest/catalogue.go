package harvest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
	"time"

	"linkcheck/check"
	"linkcheck/harvest/records"
	"linkcheck/uri"
)

const (
	mostWaits = 10  // for one page
	maxQuoted = 200 // octets of the server's words
	maxNotes  = 100 // of a run
)

// catalogue asks for the pages of one catalogue.
type catalogue struct {
	root     Root
	reader   check.Reader
	now      func() time.Time
	protocol string       // that it should speak
	last     check.Result // what was heard last
	again    bool         // a page that did not come whole or well formed was asked for once more in this run
}

// wanted is what is asked of servers over HTTP: answers are judged by what they say,
// whatever their status.
func (c *catalogue) wanted() check.Wanted {
	return check.Wanted{AnyStatus: true, NoRobots: true, MaxBytes: records.MaxPage, Secret: c.root.Secret}
}

// torn is the error of a page that did not come whole or well formed.
type torn struct {
	error
	cut bool // it broke off, for a reason that is none of the page's
}

// stop is the end of a run in which a page was cut: that is an outage.
func (t torn) stop() *Stop {
	said := t.Error()
	if r, lost := lostBy(t.error); lost {
		said = words(&r)
	}
	return &Stop{Why: Outage, Text: "its answer was cut: " + quoted(said)}
}

// lostBy says whether an error is that of a connection, and in which words.
func lostBy(err error) (r check.Result, lost bool) {
	r = check.Classify(err)
	return r, r.Outcome == check.Temporary || r.Outcome == check.Unreachable
}

// isPatient says whether a page that is cut is asked for in another night, where it has been
// cut since a time, zero for never. After a week it is the page's own fault (HARVEST section 5).
func (c *catalogue) isPatient(since *time.Time) bool {
	if since.IsZero() {
		*since = c.now()
	}
	return c.now().Sub(*since) < believed
}

// ask hands what stands at an address to read. Its error is a *records.Other where that is
// no answer of the protocol, errEnded, or what is wrong with the page. One that does not come
// whole or well formed is asked for once more, once in a run; a server that fails is
// asked in another night. The error is a *Stop, a torn, errEnded, or of ctx.
func (c *catalogue) ask(ctx context.Context, address string, wanted check.Wanted, read func(*check.Answer) error) error {
	u, err := uri.Parse(address)
	if err != nil {
		return &Stop{Why: NotThis, Text: fmt.Sprintf("%.200q: %v", address, err)}
	}
	for waits := 0; ; {
		other := (*records.Other)(nil)
		result, err := c.reader.Read(ctx, check.Target{URI: u}, wanted, func(a *check.Answer) error {
			body := &ending{Reader: a.Body}
			if a.Body != nil {
				a.Body = body
			}
			err := read(a)
			switch {
			case errors.As(err, &other):
				return nil
			case err != nil && err != errEnded && (body.broken || errors.Is(err, records.ErrCut)):
				return torn{err, true}
			}
			return cmp.Or(err, errRead)
		})
		moved, page := (*check.Elsewhere)(nil), torn{error: err}
		errors.As(err, &page)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == errRead:
			return nil
		case err == errEnded:
			return err
		case errors.As(err, &moved):
			return &Stop{Why: Moved, Text: quoted(moved.To.String())}
		case err != nil && c.again:
			return page
		case err != nil:
			c.again = true
		case asksToWait(&result) && !isResting(&result) && waits < mostWaits:
			waits++ // the Reader gives the server its time
		default:
			c.last = result
			return c.judge(&result, other)
		}
	}
}

// ending notes whether a body breaks off.
type ending struct {
	io.Reader
	broken bool
}

// Read implements io.Reader.
func (e *ending) Read(p []byte) (int, error) {
	n, err := e.Reader.Read(p)
	e.broken = err != nil && err != io.EOF
	return n, err
}

// session is one reading of a catalogue.
type session struct {
	ctx   context.Context
	known Known
	yield func(Item, error) bool
	seen  nameSet         // told of in this run
	page  nameSet         // told of from the page at hand, which may be asked for again
	noted map[string]bool // notes of this run
}

// tell yields an item.
func (s *session) tell(i Item) error {
	if !s.yield(i, nil) {
		return errEnded
	}
	return nil
}

// note tells a line for the report, once.
func (s *session) note(text string) error { return s.noteOf(Document{}, text) }

// mishap tells one of this run alone: the next sentence about the root is without it.
func (s *session) mishap(root *Root, text string) error {
	return s.noteOf(Document{Name: root.URI}, text)
}

func (s *session) noteOf(d Document, text string) error {
	if s.noted == nil {
		s.noted = map[string]bool{}
	}
	if s.noted[text] || len(s.noted) >= maxNotes {
		return nil
	}
	s.noted[text] = true
	return s.tell(Item{Kind: Note, Doc: d, Note: text})
}

// most is how many documents the root may have.
func (c *catalogue) most() int {
	if c.root.Documents > 0 {
		return c.root.Documents
	}
	return usualRecords
}

// errRead says that an answer was read.
var errRead = errors.New("read")

// notTorn makes a Stop of a page that cannot be asked for in parts.
func notTorn(err error) error {
	page := torn{}
	switch {
	case !errors.As(err, &page):
		return err
	case page.cut:
		return page.stop()
	}
	return &Stop{Why: Broken, Text: quoted(page.Error())}
}

// judge says what an answer means that is none of the protocol.
func (c *catalogue) judge(r *check.Result, other *records.Other) *Stop {
	said := quoted(words(r))
	switch {
	case isResting(r), asksToWait(r):
		return &Stop{Why: Resting, Text: said, Until: c.now().Add(cmp.Or(r.RetryAfter, maxWait))}
	case isRefused(r), isLeftOut(r):
		return &Stop{Why: Refused, Text: said}
	case isDown(r):
		return &Stop{Why: Outage, Text: said}
	case other != nil:
		said = other.Error()
	}
	return &Stop{Why: NotThis, Text: fmt.Sprintf("no %s answer: %s", c.protocol, said)}
}

// quoted is a server's text in one line, cut.
func quoted(text string) string {
	return fmt.Sprintf("%.*s", maxQuoted, strings.Join(strings.Fields(strings.ToValidUTF8(text, "?")), " "))
}

// faultWords are the errors of an answer.
func faultWords(faults []records.Fault) string {
	var all []string
	for _, f := range faults {
		all = append(all, strings.TrimSuffix(quoted(f.Code)+": "+quoted(f.Text), ": "))
	}
	return quoted(strings.Join(all, "; "))
}

// address splits the address of a root: that of the server, and the parameters that are
// named, which are no part of it.
func address(root *Root, names ...string) (base string, given map[string]string) {
	base, query, _ := strings.Cut(root.Address(), "?")
	given = map[string]string{}
	var rest []string
	for part := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(part, "=")
		decoded, err := url.QueryUnescape(value)
		switch _, known := given[name]; {
		case part == "":
		case known || err != nil || !slices.Contains(names, name):
			rest = append(rest, part)
		default:
			given[name] = decoded
		}
	}
	if len(rest) > 0 {
		base += "?" + strings.Join(rest, "&")
	}
	return base, given
}

// request is the address of a request: parameters as name and value in turn, those without
// value left out.
func request(base string, params ...string) string {
	var b strings.Builder
	b.WriteString(base)
	separator := byte('?')
	if strings.Contains(base, "?") {
		separator = '&'
	}
	for i := 0; i+1 < len(params); i += 2 {
		if params[i+1] == "" {
			continue
		}
		b.WriteByte(separator)
		b.WriteString(params[i] + "=" + url.QueryEscape(params[i+1]))
		separator = '&'
	}
	return b.String()
}

// unlisted are the documents that stand and were not told of in this sweep.
func (s *session) unlisted() []string {
	var names []string
	for d := range s.known.Documents() {
		if d.Read && !d.Gone && !d.Asked && !s.seen.has(d.Name) {
			names = append(names, d.Name)
		}
	}
	return names
}

// standing says whether a document is known that is not gone.
func standing(known Known) bool {
	for d := range known.Documents() {
		if d.Read && !d.Gone {
			return true
		}
	}
	return false
}

const (
	usualRecords = 1_000_000
	recordMedia  = "application/xml"
)

// thousands writes a number as people read it.
func thousands(n int) string {
	digits := fmt.Sprint(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
