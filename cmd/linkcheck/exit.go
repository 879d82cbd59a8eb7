package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"linkcheck/fleet"
	"linkcheck/internal/flags"
	"linkcheck/internal/logs"
	"linkcheck/internal/plain"
	"linkcheck/store/setfile"
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

// wantPaths wants at least one path, and none that is empty.
func wantPaths(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return fail(exitUsage, seeHelp(cmd), "%s wants a PATH, a file or a folder", cmd.Name())
	}
	if slices.Contains(args, "") {
		return fail(exitUsage, "'.' is this folder", "an empty PATH: is a variable of the shell not set?")
	}
	return nil
}

// exactArgs wants n arguments, as many as the command's line of usage names.
func exactArgs(n int) cobra.PositionalArgs { return argsFrom(n, n) }

// atMostArgs wants no more than n arguments, as many as the command's line of usage names.
func atMostArgs(n int) cobra.PositionalArgs { return argsFrom(0, n) }

func argsFrom(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < least || len(args) > most {
			line := strings.TrimSuffix(cmd.UseLine(), " [flags]")
			return fail(exitUsage, seeHelp(cmd), "%s given, want %q", plain.Plural(len(args), "argument", "arguments"), line)
		}
		return nil
	}
}

// wantVerb is for a command that has verbs below it. Cobra runs the verb if the first
// argument names one, so an argument that is left here is no verb.
func wantVerb(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var verbs []string
	for _, c := range cmd.Commands() {
		verbs = append(verbs, c.Name())
	}
	return fail(exitUsage, didYouMean(flags.Nearest(args[0], verbs))+seeHelp(cmd), "unknown command %.200q for %q", secret.Mask(args[0]), cmd.CommandPath())
}

// wantTopic is for the help command: it wants the name of a verb or a topic, or nothing.
func wantTopic(cmd *cobra.Command, args []string) error {
	found, rest, err := cmd.Root().Find(args)
	if err != nil {
		return err
	}
	if len(rest) > 0 {
		return wantVerb(found, rest)
	}
	return nil
}

// noArgs wants no argument. If the command has --store, an argument was probably meant
// as the store.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := seeHelp(cmd)
	if cmd.Flags().Lookup("store") != nil {
		hint = "--store FILE names a store; " + hint
	}
	return fail(exitUsage, hint, "%s takes no argument such as %.200q", cmd.CommandPath(), secret.Mask(args[0]))
}

// badFlag makes a failure with a hint of an error of pflag's.
func badFlag(cmd *cobra.Command, err error) error {
	hint := seeHelp(cmd)
	var bad *pflag.InvalidValueError
	var unknown *pflag.NotExistError
	switch {
	case errors.As(err, &bad):
		err = fmt.Errorf("--%s: %w", bad.GetFlag().Name, flags.ValueError(bad.Unwrap(), bad.GetValue()))
	case errors.As(err, &unknown):
		if flag := flags.Nearest(unknown.GetSpecifiedName(), sortedKeys(flagsOf(cmd))); flag != "" {
			hint = didYouMean("--"+flag) + hint
		}
	}
	return fail(exitUsage, hint, "%w", err)
}

// didYouMean begins a hint; "" if there is no word to suggest.
func didYouMean(word string) string {
	if word == "" {
		return ""
	}
	return "did you mean " + word + "? "
}

// seeHelp is a hint that names the command's help.
func seeHelp(cmd *cobra.Command) string { return fmt.Sprintf("see '%s --help'", cmd.CommandPath()) }

// fleetErrors says what each failure of a fleet means to the shell, and what to do about it.
var fleetErrors = []struct {
	is   error
	code int
	hint string
}{
	{fleet.ErrNoEngine, exitDistrusted, "is it started, and the address right? linkcheck-engine is one"},
	{fleet.ErrRefused, exitUsage, "--creds names the file of a user that the engine knows"},
	{fleet.ErrNoSet, exitUsage, "'linkcheck fleet init' makes one; of several --set names one"},
	{fleet.ErrStands, exitUsage, "'linkcheck fleet work' serves it; --set gives another name"},
	{fleet.ErrOtherSet, exitUsage, "nothing was changed"},
	{setfile.ErrForeign, exitUsage, "nothing was changed"},
	{fleet.ErrClock, exitDistrusted, "set the clock of the one that is wrong; nothing was changed"},
	{fleet.ErrSameName, exitInUse, "wait for it to end, or give another --name"},
}

// fleetFailed adds the exit code and the hint to an error of a fleet.
func fleetFailed(err error) error {
	for _, e := range fleetErrors {
		if errors.Is(err, e.is) {
			return fail(e.code, e.hint, "%w", err)
		}
	}
	return storeFailed(err)
}
