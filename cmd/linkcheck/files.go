package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net/url"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"linkcheck/ingest"
	"linkcheck/internal/escape"
	"linkcheck/internal/exit"
	"linkcheck/internal/flags"
	"linkcheck/internal/newfile"
	"linkcheck/internal/openfile"
	"linkcheck/internal/streams"
	"linkcheck/report/words"
	"linkcheck/uri/secret"
)

// toFile writes text to name as a whole or not at all, and says so; "-" is standard output.
func (a *app) toFile(ctx context.Context, name string, write func(io.Writer) error) error {
	return a.toFileRaw(ctx, name, escaped(write))
}

// toFileRaw is toFile for what is no text.
func (a *app) toFileRaw(ctx context.Context, name string, write func(io.Writer) error) error {
	if name == "-" {
		out := bufio.NewWriter(streams.Raw(a.stdout))
		if err := write(out); err != nil {
			return reportFailed(err)
		}
		return out.Flush()
	}
	if err := replaceFile(ctx, name, newfile.Shared, write); err != nil {
		return err
	}
	a.log.Info("wrote %s", name)
	return nil
}

// escaped makes a function that writes text write nothing that acts on a terminal.
func escaped(write func(io.Writer) error) func(io.Writer) error {
	return func(w io.Writer) error {
		e := escape.NewWriter(w)
		return errors.Join(write(e), e.Flush())
	}
}

// replaceFile replaces a file and follows links to it; a device or a pipe is
// written to. The mode is that of a file that was not there. When ctx ends before all is
// written, the file stays as it was.
func replaceFile(ctx context.Context, name string, mode fs.FileMode, write func(io.Writer) error) error {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		f, err := openfile.Write(ctx, name)
		if err != nil {
			return cannotWrite(name, err)
		}
		return errors.Join(fillFile(ctx, f, name, write), f.Close())
	}
	return replaceOwn(ctx, newfile.Target(name), name, mode, write)
}

// replaceOwn replaces the file at path, be it a link, which is not followed: one that
// nobody named, or where a name led. Errors speak of name.
func replaceOwn(ctx context.Context, path, name string, mode fs.FileMode, write func(io.Writer) error) error {
	err := newfile.Replace(path, mode, func(f *os.File) error { return fillFile(ctx, f, name, write) })
	if _, told := errors.AsType[*exit.Failure](err); err == nil || told {
		return err
	}
	return cannotWrite(name, err)
}

// fillFile writes to f. A failed write (a full disk) is another error than
// a report that could not be made.
func fillFile(ctx context.Context, f io.Writer, name string, write func(io.Writer) error) error {
	out := bufio.NewWriterSize(untilDone{ctx, f}, 1<<16)
	err := errors.Join(write(out), out.Flush(), ctx.Err())
	if p, ok := errors.AsType[*fs.PathError](err); ok && p.Op == "write" {
		return exit.Fail(exit.Distrusted, "is the disk full?", "cannot write %s: %w", name, p.Err)
	}
	return reportFailed(err)
}

// untilDone is a writer that fails once a context has ended.
type untilDone struct {
	ctx context.Context
	io.Writer
}

// Write implements io.Writer.
func (w untilDone) Write(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.Writer.Write(p)
}

// cannotWrite names the file that the user asked for; err may name a temporary one.
func cannotWrite(name string, err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		if p.Op == "sync" || p.Op == "close" { // what was written did not get to the disk
			return exit.Fail(exit.Distrusted, "is the disk full?", "cannot write %s: %w", name, p.Err)
		}
		err = p.Err
	}
	if l, ok := errors.AsType[*os.LinkError](err); ok {
		err = l.Err
	}
	return exit.Usage("cannot write %s: %w", name, err)
}

// eachLine calls f for every argument, or for every line of standard input if there
// is none, or "-".
func (a *app) eachLine(args []string, f func(io.Writer, string) error) (err error) {
	out := bufio.NewWriterSize(a.stdout, 1<<16)
	defer func() { err = errors.Join(err, out.Flush()) }()
	if len(args) > 1 || len(args) == 1 && args[0] != "-" {
		for _, s := range args {
			if err := f(out, s); err != nil {
				return err
			}
		}
		return nil
	}
	if streams.IsTerminal(a.stdin) {
		a.log.Info("reading standard input, one a line; Ctrl-D ends it")
	}
	in := bufio.NewScanner(a.stdin)
	in.Buffer(make([]byte, 0, 1<<16), maxLine)
	for in.Scan() && in.Err() == nil { // what comes before a failed read is no whole line
		if err := f(out, strings.TrimSuffix(in.Text(), "\r")); err != nil {
			return err
		}
	}
	if err := in.Err(); err != nil {
		return exit.Usage("standard input: %w", err)
	}
	return nil
}

// maxLine bounds a line of standard input.
const maxLine = 1 << 20

// writeJSON writes one JSON object and a line end.
func writeJSON(out io.Writer, v any) error { return jsonTo(out).Encode(v) }

// jsonTo writes such lines.
func jsonTo(out io.Writer) *json.Encoder {
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	return enc
}

func (a *app) progress() *streams.Progress { return streams.NewProgress(a.stderr, a.log, a.quiet) }

// colour says whether w may be coloured: a terminal, and NO_COLOR unset.
func (a *app) colour(w io.Writer) bool { return streams.IsTerminal(w) && a.getenv("NO_COLOR") == "" }

// painted is where a report for people goes: with colour it escapes by itself.
func (a *app) painted() io.Writer {
	if a.colour(a.stdout) {
		return streams.Raw(a.stdout)
	}
	return a.stdout
}

// mask hides passwords unless the user asked to see them.
func (a *app) mask(s string) string {
	if a.showSecrets {
		return s
	}
	return secret.Mask(s)
}

// maskText is mask for words in which addresses may stand.
func (a *app) maskText(s string) string {
	if a.showSecrets {
		return s
	}
	return secret.MaskText(s)
}

// done says on standard output what a verb did, where it was asked to do something and not
// to tell anything; not with --quiet.
func (a *app) done(format string, args ...any) {
	if !a.quiet {
		_, _ = escape.Printf(a.stdout, format, args...) // the stream keeps the error
	}
}

// writeRows writes a list as JSON, one object a line, or as a table.
func writeRows[T any](w io.Writer, list []T, asJSON bool, format func(T) (row any, cells string)) error {
	enc := json.NewEncoder(w)
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, item := range list {
		row, cells := format(item)
		if !asJSON {
			io.WriteString(tab, cells+"\n")
		} else if err := enc.Encode(row); err != nil {
			return err
		}
	}
	return tab.Flush()
}

// sleep waits; the error is that of ctx.
func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// langFlag is the flag of every verb that writes sentences.
func langFlag(cmd *cobra.Command, to *string) {
	flags.Word(cmd, to, "lang", "en", "`LANGUAGE` of sentences: "+strings.Join(words.Languages(), ", "), words.Languages())
}

// storeFlag is the flag of every verb that opens a store.
func storeFlag(cmd *cobra.Command, to *string) {
	cmd.Flags().StringVar(to, "store", defaultStore, "`FILE` that remembers links and answers, or folder of a set of such files")
}

// defaultStore is the store where --store is not given.
const defaultStore = "linkcheck.db"

// storeArgument is what stands after --store in the commands that a report shows for
// copying; "" for the default store, with which they need no --store.
func storeArgument(store string) string {
	if store == defaultStore {
		return ""
	}
	return store
}

// checkSelection refuses patterns that nobody can read.
func checkSelection(s *ingest.Selection) error {
	if err := s.Check(); err != nil {
		return exit.Usage("%w", err)
	}
	return nil
}

// selectionFlags are the flags of every verb that walks folders.
func selectionFlags(cmd *cobra.Command, s *ingest.Selection) {
	f := cmd.Flags()
	f.BoolVar(&s.Follow, "follow", false, "read also what links to folders lead to, each folder once")
	f.StringArrayVar(&s.Exclude, "exclude-path", nil, "do not read files and folders that match this `GLOB`, as in .gitignore: \"*.bak\", \"drafts/\", \"/old/**/*.html\" (repeatable)")
	f.StringArrayVar(&s.Include, "include-path", nil, "read only files that match this `GLOB`, or one of these (repeatable)")
	f.BoolVar(&s.GitIgnore, "gitignore", false, "honour the files .gitignore in the folders that are read, and pass over .git")
}

// isWeb says whether s is the address of a web server.
func isWeb(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}

// ballast is memory that is never touched and so takes up none. The collector counts it
// as in use, and runs less often while little else is: that saves a tenth of the
// processor time of BenchmarkNight. Where much is in use it lets that grow by growth per
// cent before it runs, and not to the double, as is usual: a document of 1 MB may name
// hundreds of thousands of hosts.
const (
	ballast = 32 << 20
	growth  = 40
)

// steadyMemory sets the collector for what reads documents, where the environment does not.
func (a *app) steadyMemory() (release func()) {
	if a.getenv("GOGC") != "" || a.getenv("GOMEMLIMIT") != "" {
		return func() {}
	}
	before, held := debug.SetGCPercent(growth), make([]byte, ballast)
	return func() {
		debug.SetGCPercent(before)
		runtime.KeepAlive(held)
	}
}
