package builds

import (
	"bufio"
	"context"
	"io"

	"linkcheck/report"
)

// gitlabIssue is an element of a code quality report, as docs.gitlab.com/ci/testing/code_quality
// has it.
type gitlabIssue struct {
	Description string `json:"description"`
	Check       string `json:"check_name"`
	Fingerprint string `json:"fingerprint"`
	Severity    string `json:"severity"`
	Location    struct {
		Path  string `json:"path"`
		Lines struct {
			Begin int `json:"begin"`
		} `json:"lines"`
	} `json:"location"`
}

// severities are GitLab's words for groups.
var severities = map[report.Group]string{report.Fix: "major", report.Update: "minor", report.Check: "info"}

// WriteGitLab streams a code quality report with one issue for every finding. Paths are
// those of the repository when the program is called at its top. What stands on no line
// known is shown on the first.
func WriteGitLab(ctx context.Context, w io.Writer, src report.Source, o report.Options) error {
	s, err := report.NewScope(ctx, src, o)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	out.WriteString("[")
	before := "\n"
	err = eachFinding(ctx, s, findings, func(f *finding) error {
		issue := gitlabIssue{Description: f.text(), Check: program + "/" + f.rule(), Fingerprint: f.fingerprint, Severity: severities[f.Group]}
		issue.Location.Path, issue.Location.Lines.Begin = f.path, max(1, f.line)
		out.WriteString(before)
		before = ",\n"
		return appendJSON(out, issue)
	})
	if err != nil {
		return err
	}
	out.WriteString("\n]\n")
	return out.Flush()
}
