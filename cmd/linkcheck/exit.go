package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"linkcheck/check"
	"linkcheck/crawl"
	"linkcheck/internal/logs"
	"linkcheck/judge"
	"linkcheck/store"
	"linkcheck/uri/secret"
)

// The exit codes. Where several apply, [exitOrder] decides.
const (
	exitOK          = 0
	exitMatched     = 1
	exitUsage       = 2
	exitPartial     = 3
	exitDistrusted  = 4
	exitInUse       = 5
	exitInterrupted = 130
	exitUnread      = 141
)

// exitOrder is the precedence of exit codes, highest first.
var exitOrder = [...]int{exitInterrupted, exitUnread, exitUsage, exitInUse, exitDistrusted, exitPartial, exitMatched, exitOK}

// exitTable is what `linkcheck help exit-codes` prints.
const exitTable = `Exit codes:
    0  finished; nothing matched --fail-on
    1  finished; something matched --fail-on
    2  usage or configuration error; nothing was done
    3  finished in part: a source could not be read, or --max-duration was reached;
       results are kept
    4  results distrusted: our own network looks down (no strikes were counted), or many
       results are faults of this machine (the others count), or the store cannot be
       trusted, or the store or the output cannot be written, or linkcheck is at fault
    5  the store is in use by another run
  130  interrupted; what was done is kept
  134  a fault of linkcheck that it cannot catch, such as no memory left (SIGABRT);
       what was committed is kept
  141  who reads the output, such as head, went away before its end (as after SIGPIPE):
       nothing is told of it; a run ends with 4 then
`

// failure is an error with the exit code it leads to and, where there is one, a
// hint that says what to do.
type failure struct {
	code int
	err  error
	hint string
}

func (f *failure) Error() string { return f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

func fail(code int, hint, format string, args ...any) error {
	return &failure{code, fmt.Errorf(format, args...), hint}
}

// usage is a failure of how the program was called.
func usage(format string, args ...any) error { return fail(exitUsage, "", format, args...) }

// oneOf is an error of usage unless the value of a flag is one of at least two words.
func oneOf(flag, value string, words []string) error {
	if slices.Contains(words, value) {
		return nil
	}
	last := len(words) - 1
	return usage("--%s is %s or %s, not %q", flag, strings.Join(words[:last], ", "), words[last], value)
}

// worst gives the exit code that wins among codes.
func worst(codes ...int) int {
	for _, c := range exitOrder {
		if slices.Contains(codes, c) {
			return c
		}
	}
	return exitOK
}

// status says what an error means to the shell and prints it for people:
// "linkcheck: error: ...", then "linkcheck: hint: ...". Passwords of URIs in it are
// hidden whatever the flags say: errors end in logs.
func status(err error, told *logs.Log) int {
	if err == nil {
		return exitOK
	}
	f, ok := errors.AsType[*failure](err)
	if !ok {
		f = &failure{code: exitUsage, err: err}
	}
	if errors.Is(err, context.Canceled) {
		f = &failure{code: exitInterrupted, err: errors.New("interrupted")}
	}
	if text := errorText(f.err); text != "" {
		told.Error("%s", text)
	}
	if f.hint != "" {
		told.Hint("%s", secret.MaskText(f.hint))
	}
	return f.code
}

// errorText is an error for people, on one line: without the name of the system call that
// failed to find or open a file, and without passwords.
func errorText(err error) string {
	text := joined(err)
	if p, ok := errors.AsType[*fs.PathError](err); ok && (p.Op == "open" || p.Op == "stat" || p.Op == "lstat") {
		text = strings.Replace(text, p.Op+" "+p.Path+": ", p.Path+": ", 1)
	}
	return secret.MaskText(text)
}

// joined is the text of an error with "; " where errors.Join sets a line end. A line end
// that stands in the name of a file stays one.
func joined(err error) string {
	text := err.Error()
	var parts []error
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		parts = []error{e.Unwrap()}
	case interface{ Unwrap() []error }:
		parts = e.Unwrap()
	}
	for _, part := range parts {
		if part != nil {
			text = strings.Replace(text, part.Error()+"\n", part.Error()+"; ", len(parts)-1)
			text = strings.Replace(text, part.Error(), joined(part), 1)
		}
	}
	return text
}

// exitWith is an exit code without a message: what there was to say is printed.
func exitWith(code int) error {
	if code == exitOK {
		return nil
	}
	return &failure{code: code, err: errors.New("")}
}

// failOnWords are the words of --fail-on.
var failOnWords = []string{"newly-dead", "dead", "any", "never"}

// matchFailOn applies --fail-on to the run.
func (n *storeRun) matchFailOn(st *store.Store, sum crawl.Summary) (int, error) {
	if n.failOn == "newly-dead" && sum.Run.Changes[string(judge.NewlyDead)] > 0 {
		return exitMatched, nil
	}
	if n.failOn != "dead" && n.failOn != "any" {
		return exitOK, nil
	}
	bad := sum.Run.States[judge.Dead.String()]
	for o, links := range sum.Last {
		if n.failOn == "any" && failed(o) {
			bad += links
		}
	}
	switch { // only pins make it necessary to look at each link
	case bad == 0:
		return exitOK, nil
	case len(st.Pins()) == 0:
		return exitMatched, nil
	}
	for e, err := range st.Scan(store.Pick{}) {
		l := e.Link
		if err != nil {
			return 0, err
		}
		if l.Mentions > 0 && (l.State == judge.Dead || n.failOn == "any" && l.Pin == nil && failed(l.Last.Outcome)) {
			return exitMatched, nil
		}
	}
	return exitOK, nil
}

// failed says whether --fail-on any matches an outcome (docs/OUTCOMES.md section 1.4).
func failed(o check.Outcome) bool {
	switch o {
	case check.Gone, check.Unreachable, check.Temporary, check.Suspect, check.Invalid, check.Internal:
		return true
	}
	return false
}
