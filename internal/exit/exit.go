// Package exit is how a program ends that people and cron call: exit codes, errors with the
// code that they lead to and a hint what to do, and what is wrong with arguments.
//
// Files, in reading order:
//   - exit.go: the codes; errors, as they are told
//   - arguments.go: how many arguments a verb wants, and which
package exit

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"linkcheck/internal/logs"
	"linkcheck/uri/secret"
)

// The exit codes. Where several apply, [order] decides.
const (
	OK          = 0
	Matched     = 1
	BadUsage    = 2
	Partial     = 3
	Distrusted  = 4
	InUse       = 5
	Interrupted = 130
	Unread      = 141
)

// order is the precedence of exit codes, highest first.
var order = [...]int{Interrupted, Unread, BadUsage, InUse, Distrusted, Partial, Matched, OK}

// Table is what `linkcheck help exit-codes` prints.
const Table = `Exit codes:
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

// Failure is an error with the exit code it leads to and, where there is one, a
// hint that says what to do.
type Failure struct {
	Code int
	Hint string
	err  error
}

func (f *Failure) Error() string { return f.err.Error() }
func (f *Failure) Unwrap() error { return f.err }

// Fail gives a failure; its error is that of fmt.Errorf. The hint may be empty.
func Fail(code int, hint, format string, args ...any) error {
	return &Failure{code, hint, fmt.Errorf(format, args...)}
}

// Usage is a failure of how the program was called.
func Usage(format string, args ...any) error { return Fail(BadUsage, "", format, args...) }

// Worst gives the exit code that wins among codes.
func Worst(codes ...int) int {
	for _, c := range order {
		if slices.Contains(codes, c) {
			return c
		}
	}
	return OK
}

// Status says what an error means to the shell and prints it for people:
// "linkcheck: error: ...", then "linkcheck: hint: ...". Passwords of URIs in it are
// hidden whatever the flags say: errors end in logs.
func Status(err error, told *logs.Log) int {
	if err == nil {
		return OK
	}
	f, ok := errors.AsType[*Failure](err)
	if !ok {
		f = &Failure{Code: BadUsage, err: err}
	}
	if errors.Is(err, context.Canceled) {
		f = &Failure{Code: Interrupted, err: errors.New("interrupted")}
	}
	if text := Text(f.err); text != "" {
		told.Error("%s", text)
	}
	if f.Hint != "" {
		told.Hint("%s", secret.MaskText(f.Hint))
	}
	return f.Code
}

// Text is an error for people, on one line: without the name of the system call that
// failed to find or open a file, and without passwords.
func Text(err error) string {
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

// With is an exit code without a message: what there was to say is printed.
func With(code int) error {
	if code == OK {
		return nil
	}
	return &Failure{Code: code, err: errors.New("")}
}
