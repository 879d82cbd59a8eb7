package text

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"linkcheck/internal/escape"
	"linkcheck/judge"
	"linkcheck/report"
)

// WriteMetrics writes the sums in the text format of Prometheus, for the
// textfile collector of node_exporter or a /metrics page.
func WriteMetrics(w io.Writer, r *report.Report) error {
	m := &metrics{out: bufio.NewWriter(w)}
	m.family("linkcheck_info", "Version of linkcheck that made the figures.")
	m.value("linkcheck_info", 1, "version", r.Options.Version)
	m.family("linkcheck_links", "Links by state.")
	for s := judge.New; s <= judge.Ignored; s++ {
		m.value("linkcheck_links", r.ByState[s], "state", s.String())
	}
	m.family("linkcheck_group_links", "Links by group: fix, update and check need a human hand.")
	for g := range report.GroupCount {
		m.value("linkcheck_group_links", r.ByGroup[g], "group", g.String())
	}
	m.family("linkcheck_changed_links", "Links that changed in the last run.")
	for _, c := range r.Changes {
		m.value("linkcheck_changed_links", c.N, "change", c.Word)
	}
	m.single("linkcheck_records", "Records that hold links.", r.Records)
	m.single("linkcheck_places", "Places in which links stand.", r.Mentions)
	m.single("linkcheck_never_checked_links", "Checkable links that were never asked about.", r.Never)
	if r.Run != nil {
		m.single("linkcheck_run_number", "Number of the last run.", int(r.Run.ID))
		m.single("linkcheck_run_started_seconds", "When the last run began, in Unix time.", int(r.Run.Started.Unix()))
		m.single("linkcheck_run_checked_links", "Links asked about in the last run.", r.Run.Checked)
		m.single("linkcheck_run_outages", "Hosts out of service in the last run.", len(r.Run.Outages))
		if !r.Run.Ended.IsZero() {
			m.single("linkcheck_run_ended_seconds", "When the last run ended, in Unix time; absent while it goes on.", int(r.Run.Ended.Unix()))
		}
	}
	return m.out.Flush()
}

type metrics struct{ out *bufio.Writer }

func (m *metrics) family(name, help string) {
	fmt.Fprintf(m.out, "# HELP %s %s\n# TYPE %s gauge\n", name, help, name)
}

func (m *metrics) single(name, help string, v int) {
	m.family(name, help)
	fmt.Fprintf(m.out, "%s %d\n", name, v)
}

var labelEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

func (m *metrics) value(name string, v int, label, word string) {
	fmt.Fprintf(m.out, "%s{%s=\"%s\"} %d\n", name, label, labelEscapes.Replace(escape.Line(word)), v)
}
