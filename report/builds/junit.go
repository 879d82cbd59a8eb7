package builds

import (
	"bufio"
	"context"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"linkcheck/judge"
	"linkcheck/report"
)

// WriteJUnit streams JUnit XML, in the elements that Jenkins, GitLab and others have in
// common: every link at every place is a test of its document. One to fix fails; one that
// waits, or that only a person can decide, is skipped, with its reason; one that has moved
// passes, for readers still arrive, and its output says where to.
func WriteJUnit(ctx context.Context, w io.Writer, src report.Source, o report.Options) error {
	s, err := report.NewScope(ctx, src, o)
	if err != nil {
		return err
	}
	tests, failures, skipped := 0, 0, 0
	err = eachFinding(ctx, s, asked, func(f *finding) error {
		tests++
		switch f.Group {
		case report.Fix:
			failures++
		case report.Check, report.Wait:
			skipped++
		}
		return nil
	})
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	name := attribute(s.Sanitize(titleOf(s)))
	sums := fmt.Sprintf(`name="%s" tests="%d" failures="%d" errors="0" skipped="%d" time="0"`, name, tests, failures, skipped)
	fmt.Fprintf(out, "%s<testsuites %s>\n<testsuite %s timestamp=\"%s\">\n", xml.Header, sums, sums, lastRun(s).Format("2006-01-02T15:04:05"))
	if err := eachFinding(ctx, s, asked, func(f *finding) error { return testCase(out, f) }); err != nil {
		return err
	}
	out.WriteString("</testsuite>\n</testsuites>\n")
	return out.Flush()
}

// asked are the rows about which a server can be asked, and those that are no address.
func asked(r *report.Row) bool { return r.State != judge.NotCheckable && r.State != judge.Ignored }

func testCase(out *bufio.Writer, f *finding) error {
	name := f.url
	if f.place != "" {
		name += " (" + f.place + ")"
	}
	fmt.Fprintf(out, `<testcase classname="%s" name="%s" time="0" file="%s"`, attribute(f.path), attribute(name), attribute(f.path))
	if f.line > 0 {
		fmt.Fprintf(out, ` line="%d"`, f.line)
	}
	said := attribute(strings.TrimSpace(f.Message + " " + f.Step))
	switch f.Group {
	case report.Fix:
		fmt.Fprintf(out, `><failure type="%s" message="%s">%s</failure></testcase>`, attribute(f.rule()), said, attribute(f.text()))
	case report.Check, report.Wait:
		fmt.Fprintf(out, `><skipped message="%s"/></testcase>`, said)
	case report.Update:
		fmt.Fprintf(out, `><system-out>%s</system-out></testcase>`, attribute(f.text()))
	default:
		out.WriteString("/>")
	}
	_, err := out.WriteString("\n")
	return err
}
