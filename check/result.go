package check

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"linkcheck/check/likeness"
	"linkcheck/uri"
	"linkcheck/uri/secret"
)

// Outcome is a fact about one probe. It never says "dead": only states do.
// The values are stored: append only.
type Outcome uint8

const (
	Unknown            Outcome = iota
	OK                         // the protocol said that the object exists
	Moved                      // permanent redirect that ended well
	Reachable                  // the right protocol answered; the object was not verified
	Suspect                    // success with evidence against it
	Auth                       // credentials or a subscription required
	Blocked                    // a refusal aimed at the checker
	Undetermined               // answered, meaning unclear
	Temporary                  // transient
	Unreachable                // host level
	Gone                       // authoritative "no such object"
	Invalid                    // not a URI of its scheme
	NotDereferenceable         // names, does not locate
	Unsupported                // no client for it, or the client is off
	Skipped                    // policy
	Internal                   // our own fault
)

var outcomeWords = [...]string{"unknown", "ok", "moved", "reachable", "suspect", "auth", "blocked", "undetermined",
	"temporary", "unreachable", "gone", "invalid", "not-dereferenceable", "unsupported", "skipped", "internal"}

// String returns the word that is stored and printed.
func (o Outcome) String() string { return outcomeWords[o] }

// Evidence says how much a result proves. The values are stored: append only.
type Evidence uint8

const (
	None Evidence = iota
	Weak
	Strong
)

// String returns the word that is stored and printed.
func (e Evidence) String() string { return [...]string{"none", "weak", "strong"}[e] }

// Hop is one redirect.
type Hop struct {
	Code int    `json:"code"` // status that sent us on
	URL  string `json:"url"`  // where it sent us
}

// Result is what one probe learned.
type Result struct {
	Outcome      Outcome       `json:"outcome"`
	Reason       Reason        `json:"reason"`
	Evidence     Evidence      `json:"evidence"`
	Reply        string        `json:"reply,omitempty"`          // the server's own words that decided: one line, cleaned, at most 512 bytes
	FinalURL     string        `json:"final_url,omitempty"`      // where the probe ended, if elsewhere than it began
	SuggestedURL string        `json:"suggested_url,omitempty"`  // the new address that the server named for good, or what an invalid one must have meant
	Hops         []Hop         `json:"hops,omitempty"`           // redirects in order
	Flags        []string      `json:"flags,omitempty"`          // sorted
	At           time.Time     `json:"at,omitzero"`              // when the probe began
	Took         time.Duration `json:"took_ns,omitempty"`        // how long it took
	Bytes        int64         `json:"bytes,omitempty"`          // octets received
	Attempts     int           `json:"attempts,omitempty"`       // 1, or 2 after a retry
	RetryAfter   time.Duration `json:"retry_after_ns,omitempty"` // how long the server asked to be left alone; 0: it did not

	ContentType  string `json:"content_type,omitempty"` // for drift and conditional requests
	Title        string `json:"title,omitempty"`
	Digest       string `json:"digest,omitempty"`
	ETag         string `json:"etag,omitempty"`
	LastModified string `json:"last_modified,omitempty"`

	Look likeness.Look `json:"-"` // at its text, for the memory of the link; of a good answer only

	Anchors map[string]bool `json:"-"` // the places of its page that fragments name; nil: not known
	Pages   int             `json:"-"` // of a PDF, which fragments name by number; 0: not known
}

// AtFragment is the result of the same page for a link with this fragment: it has the flag
// fragment-missing where the places of the page are known and that one is none of them. A
// directive for the text (":~:text=") and "top" need no place. In a PDF a page is named by its
// number (RFC 8118 section 3).
func (r Result) AtFragment(fragment string) Result {
	name, _, _ := strings.Cut(fragment, ":~:")
	decoded, err := url.PathUnescape(name)
	missing := r.Anchors != nil && name != "" && !strings.EqualFold(name, "top") && !r.Anchors[name] && (err != nil || !r.Anchors[decoded])
	missing = missing || r.Pages > 0 && pageOf(name) > r.Pages
	if slices.Contains(r.Flags, string(FlagFragmentMissing)) {
		r.Flags = slices.DeleteFunc(slices.Clone(r.Flags), func(f string) bool { return f == string(FlagFragmentMissing) })
	}
	if missing {
		r = r.WithFlags(FlagFragmentMissing)
		slices.Sort(r.Flags)
	}
	return r
}

// pageOf is the number of the page of a PDF that a fragment names; 0: it names none.
func pageOf(fragment string) int {
	for word := range strings.SplitSeq(fragment, "&") {
		if number, ok := strings.CutPrefix(word, "page="); ok {
			if n, err := strconv.Atoi(number); err == nil {
				return n
			}
		}
	}
	return 0
}

// New makes a result with the evidence that its outcome has as a rule: ok,
// reachable, moved and gone strong; suspect, temporary and unreachable weak;
// the rest none. OUTCOMES section 1.4.
func New(o Outcome, reason Reason, reply string) Result {
	r := Result{Outcome: o, Reason: reason, Reply: CleanReply(reply)}
	switch o {
	case OK, Moved, Reachable, Gone:
		r.Evidence = Strong
	case Suspect, Temporary, Unreachable:
		r.Evidence = Weak
	}
	return r
}

// WithEvidence sets the evidence.
func (r Result) WithEvidence(e Evidence) Result {
	r.Evidence = e
	return r
}

// WithFlags adds flags; Run sorts them.
func (r Result) WithFlags(flags ...Flag) Result {
	r.Flags = slices.Clip(r.Flags)
	for _, f := range flags {
		r.Flags = append(r.Flags, string(f))
	}
	return r
}

// Octets that a Result keeps.
const (
	maxURL  = 4 << 10  // of an address
	maxHops = 16 << 10 // of the addresses of all redirects
)

// cutMark ends an address that was cut.
const cutMark = "…"

// CutURL gives what a Result keeps of an address: all of it, or its first 4,096 octets,
// of which the last are "…". What is cut shows no password.
func CutURL(url string) string { return cutURL(url, maxURL) }

func cutURL(url string, limit int) string {
	if len(url) <= limit {
		return url
	}
	masked := secret.Mask(url)
	return strings.ToValidUTF8(masked[:min(len(masked), limit-len(cutMark))], "") + cutMark
}

// Size is how many octets of text the result holds.
func (r *Result) Size() int {
	n := len(r.Reply) + len(r.FinalURL) + len(r.SuggestedURL) + len(r.ContentType) + len(r.Title) + len(r.Digest) + len(r.Look) + len(r.ETag) + len(r.LastModified)
	for _, h := range r.Hops {
		n += len(h.URL)
	}
	return n
}

// bound cuts the addresses of r. A part of a new address is none.
func (r *Result) bound() {
	cut := func(url *string, limit int) {
		*url = cutURL(*url, limit)
		if strings.HasSuffix(*url, cutMark) {
			*r = r.WithFlags(FlagURLCut)
		}
	}
	r.Hops = slices.Clone(r.Hops)
	for i := range r.Hops {
		cut(&r.Hops[i].URL, min(maxURL, maxHops/len(r.Hops)))
	}
	cut(&r.FinalURL, maxURL)
	if cut(&r.SuggestedURL, maxURL); strings.HasSuffix(r.SuggestedURL, cutMark) {
		r.SuggestedURL = ""
	}
}

// failure is a result on its way up as an error: [Classify] unwraps it.
type failure struct{ Result Result }

func (f *failure) Error() string {
	return fmt.Sprintf("%s (%s): %.200q", f.Result.Outcome, f.Result.Reason, f.Result.Reply)
}

// ResultError makes an error of a result, for wire readers deep below a Probe.
func ResultError(o Outcome, reason Reason, reply string) error {
	return &failure{New(o, reason, reply)}
}

// InvalidResult is the result for a string that uri.Parse refused with err.
// The reason is "uri-" and the parser's code. An unknown scheme is Unsupported.
func InvalidResult(err error) Result {
	var e *uri.Error
	if !errors.As(err, &e) {
		return New(Internal, ReasonInternalError, err.Error())
	}
	if e.Code == "scheme-unknown" {
		return New(Unsupported, ReasonSchemeUnknown, e.Scheme)
	}
	return New(Invalid, ReasonURI(e.Code), fmt.Sprintf("at octet %d", e.Offset))
}

// RetryAfter returns how long an HTTP server asks to be left alone, at most limit; 0: it
// does not ask. RFC 9110 section 10.2.3: seconds or a date.
func RetryAfter(h http.Header, now func() time.Time, limit time.Duration) time.Duration {
	value := h.Get("Retry-After")
	if value == "" {
		return 0
	}
	if at, err := http.ParseTime(value); err == nil {
		return min(max(at.Sub(now()), 0), limit)
	}
	seconds, err := strconv.ParseUint(value, 10, 31)
	if err != nil {
		return 0
	}
	return min(time.Duration(seconds)*time.Second, limit)
}
