package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/spf13/cobra"

	"linkcheck/internal/newfile"
	"linkcheck/internal/openfile"
	"linkcheck/report"
	"linkcheck/report/text"
)

// figures are what --metrics of run and check is to tell, gathered while the run goes on.
type figures struct {
	known   bool           // the store was opened and its runs are read
	success time.Time      // when the last run before this one ended well
	report  *report.Report // nil: the run did not come that far
}

// leaveMetrics writes the file of --metrics when a run has ended with a code, whatever
// that is: who watches the file wants to hear most of all of the runs that failed. A file
// that cannot be written makes the code one of a run that was finished in part.
func (a *app) leaveMetrics(ctx context.Context, verb *cobra.Command, code int) int {
	name := metricsOf(verb)
	if name == "" {
		return code
	}
	late, cancel := graceful(ctx)
	defer cancel()
	err := a.writeRunMetrics(late, name, code)
	if err == nil {
		return code
	}
	if code != exitInterrupted || !errors.Is(err, context.Canceled) {
		a.log.Error("metrics: %s", errorText(err))
		if a.figures.report != nil {
			a.log.Hint("the links were checked, and the store is up to date")
		}
	}
	return worst(code, exitPartial)
}

// metricsOf is the file of --metrics of a run; "" for other verbs, and where a verb only
// shows its help or asks about URIs given.
func metricsOf(verb *cobra.Command) string {
	if verb == nil || verbPath(verb) != "run" && verbPath(verb) != "check" || verb.Flags().Changed("help") {
		return ""
	}
	if verbPath(verb) == "check" && verb.Flags().NArg() > 0 {
		return ""
	}
	return verb.Flag("metrics").Value.String()
}

func (a *app) writeRunMetrics(ctx context.Context, name string, code int) error {
	old, err := oldMetrics(ctx, name)
	if err != nil {
		return err
	}
	end := text.RunEnd{Exit: code, Success: a.figures.success, Known: a.figures.known}
	if !end.Known {
		end.Success, end.Known = text.LastSuccess(old)
	}
	rep := a.figures.report
	if rep != nil && rep.Run != nil && (code == exitOK || code == exitMatched) {
		end.Success = rep.Run.Ended
	}
	return replaceFile(ctx, name, newfile.Shared, escaped(func(w io.Writer) error { return text.WriteRunMetrics(w, end, rep) }))
}

// maxMetrics bounds what is read of an older file of figures.
const maxMetrics = 16 << 20

// oldMetrics reads the file that is to be replaced. It refuses one that holds something
// else: after an error of usage the name may be anything, such as that of a catalogue.
func oldMetrics(ctx context.Context, name string) ([]byte, error) {
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		return nil, nil // nothing is lost
	}
	f, err := openfile.Read(ctx, name)
	if err != nil {
		return nil, cannotWrite(name, err)
	}
	defer f.Close()
	old, err := io.ReadAll(io.LimitReader(f, maxMetrics))
	if err != nil {
		return nil, cannotWrite(name, err)
	}
	if !text.AreMetrics(old) {
		return nil, usage("%s holds something else than figures of linkcheck, and is left as it is", name)
	}
	return old, nil
}

// sizeOf is the size of a file, 0 where that is not known.
func sizeOf(name string) int64 {
	info, err := os.Stat(name)
	if err != nil {
		return 0
	}
	return info.Size()
}
