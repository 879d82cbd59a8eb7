package check

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"linkcheck/uri"
)

const (
	maxReply       = 512
	defaultTimeout = 20 * time.Second
	defaultBytes   = 64 << 10
)

// WithDefaults fills what is zero.
func (o Options) WithDefaults() Options {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Timeout <= 0 {
		o.Timeout = defaultTimeout
	}
	if o.MaxBytes <= 0 {
		o.MaxBytes = defaultBytes
	}
	if o.UserAgent == "" {
		o.UserAgent = "linkcheck"
	}
	if o.Contact == "" {
		o.Contact = "linkcheck@localhost.invalid"
	}
	return o
}

// Run makes one probe of f: it sets the deadline, keeps the time, turns a panic
// into a result, and puts what f learned in order. o must have its defaults.
func (o Options) Run(ctx context.Context, f func(context.Context) Result) (r Result) {
	begin := o.Now()
	ctx, cancel := context.WithTimeout(ctx, o.Timeout)
	defer cancel()
	defer func() {
		if p := recover(); p != nil {
			r = New(Internal, ReasonPanic, fmt.Sprintf("%v at %s", p, debug.Stack()))
		}
		r.At, r.Took = begin, o.Now().Sub(begin)
		if r.Attempts == 0 {
			r.Attempts = 1
		}
		r.Reply = CleanReply(r.Reply)
		slices.Sort(r.Flags)
		r.Flags = slices.Compact(r.Flags)
	}()
	if err := ctx.Err(); err != nil {
		return Classify(err)
	}
	return f(ctx)
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

// CleanReply makes one line of a server's words: valid UTF-8 without control
// characters, at most 512 bytes.
func CleanReply(s string) string {
	if plain(s) {
		return s
	}
	if len(s) > 4*maxReply {
		s = s[:4*maxReply]
	}
	s = strings.Join(strings.FieldsFunc(readable(s), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) && r != '\u200d'
	}), " ")
	if len(s) <= maxReply {
		return s
	}
	cut := maxReply
	for !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut]
}

// readable reads octets that are no UTF-8 as ISO 8859-1, which servers of the
// time wrote, and leaves out what moves cursors and changes colours (ECMA-48
// section 5.4): telnet hosts greet with pictures.
func readable(s string) string {
	var b strings.Builder
	for len(s) > 0 {
		if n := escapeLen(s); n > 0 {
			if s[n-1] != 'm' { // anything but a colour ends a word
				b.WriteByte(' ')
			}
			s = s[n:]
			continue
		}
		r, n := utf8.DecodeRuneInString(s)
		if n == 1 { // ASCII, or no UTF-8
			r = rune(s[0])
		}
		b.WriteRune(r)
		s = s[n:]
	}
	return b.String()
}

// escapeLen is the length of the control sequence that s begins with, or 0.
func escapeLen(s string) int {
	if !strings.HasPrefix(s, "\x1b[") {
		return 0
	}
	for i := 2; i < len(s) && s[i] >= ' ' && s[i] <= '~'; i++ {
		if s[i] >= '@' {
			return i + 1
		}
	}
	return 0
}

// plain says whether s is clean already, as most replies are.
func plain(s string) bool {
	space := true // before the first octet, and after the last
	for i := range len(s) {
		if s[i] < ' ' || s[i] >= 0x7f || s[i] == ' ' && space {
			return false
		}
		space = s[i] == ' '
	}
	return len(s) <= maxReply && (!space || s == "")
}
