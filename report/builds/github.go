package builds

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"linkcheck/report"
)

// commands are the workflow commands of GitHub for groups.
var commands = map[report.Group]string{report.Fix: "error", report.Update: "warning", report.Check: "notice"}

// WriteGitHub streams a workflow command for every finding, which GitHub Actions shows
// beside the line: "::error file=...,line=...::...". Its log is where they go: "-".
func WriteGitHub(ctx context.Context, w io.Writer, src report.Source, o report.Options) error {
	s, err := report.NewScope(ctx, src, o)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	err = eachFinding(ctx, s, findings, func(f *finding) error {
		fmt.Fprintf(out, "::%s file=%s", commands[f.Group], inProperty.Replace(f.path))
		if f.line > 0 {
			fmt.Fprintf(out, ",line=%d", f.line)
		}
		_, err := fmt.Fprintf(out, ",title=%s::%s\n", inProperty.Replace(program+": "+f.rule()), inMessage.Replace(f.text()))
		return err
	})
	if err != nil {
		return err
	}
	return out.Flush()
}

// What ends a message or a property is written as the runner reads it back: a line end
// begins another command.
var (
	inMessage  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	inProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
