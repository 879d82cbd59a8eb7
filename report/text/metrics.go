package text

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"linkcheck/internal/escape"
	"linkcheck/judge"
	"linkcheck/report"
)

// WriteMetrics writes the sums in the text format of Prometheus, for the
// textfile collector of node_exporter or a /metrics page.
func WriteMetrics(w io.Writer, r *report.Report) error {
	m := &metrics{out: bufio.NewWriter(w)}
	end := RunEnd{Exit: -1}
	if r.Run != nil {
		end.Success, end.Known = r.LastSuccess, true
		if r.Run.Exit != nil {
			end.Exit = *r.Run.Exit
		}
	}
	m.end(end)
	m.report(r)
	return m.out.Flush()
}

// RunEnd is what is known of a run however it ended, its store unread included.
type RunEnd struct {
	Exit    int       // exit code; negative: not known
	Success time.Time // when the last run ended that did all it had to; zero: none did
	Known   bool      // Success is
}

// WriteRunMetrics is WriteMetrics for the end of a run; without a report it writes what
// is known without one.
func WriteRunMetrics(w io.Writer, end RunEnd, r *report.Report) error {
	m := &metrics{out: bufio.NewWriter(w)}
	m.end(end)
	if r != nil {
		m.report(r)
	}
	return m.out.Flush()
}

const (
	prefix      = "linkcheck_"
	successName = "linkcheck_run_last_success_timestamp_seconds"
)

// AreMetrics reports whether a file is empty, or one that this package wrote.
func AreMetrics(file []byte) bool {
	return len(file) == 0 || bytes.HasPrefix(file, []byte("# HELP "+prefix))
}

// LastSuccess gives the time of the last success that such a file tells.
func LastSuccess(file []byte) (t time.Time, ok bool) {
	for line := range bytes.Lines(file) {
		value, found := bytes.CutPrefix(line, []byte(successName+" "))
		if !found {
			continue
		}
		seconds, err := strconv.ParseInt(string(bytes.TrimSpace(value)), 10, 64)
		if err != nil || seconds < 0 {
			return t, false
		}
		if seconds == 0 {
			return t, true
		}
		return time.Unix(seconds, 0), true
	}
	return t, false
}

type metrics struct{ out *bufio.Writer }

// end writes the figures of the end of a run.
func (m *metrics) end(e RunEnd) {
	if e.Exit >= 0 {
		m.single("linkcheck_run_exit_code", "Exit code of the last run: 0 and 1 are well (docs/OUTCOMES.md section 3).", int64(e.Exit))
	}
	if e.Known {
		m.single(successName, "When the last run ended that did all it had to (exit code 0 or 1), in Unix time; 0: none did.", unix(e.Success))
	}
}

// unix gives the seconds of a time, 0 for none.
func unix(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.Unix()
}

// report writes the sums of a store.
func (m *metrics) report(r *report.Report) {
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
	m.family("linkcheck_collection_links", "Links by collection and group; one that stands in two collections counts in both.")
	for _, name := range slices.Sorted(maps.Keys(r.ByCollection)) {
		for g := range report.GroupCount {
			m.value("linkcheck_collection_links", r.ByCollection[name][g], "collection", r.Sanitize(name), "group", g.String())
		}
	}
	m.family("linkcheck_result_links", "Links by outcome and class of reason of their last result.")
	pairs := slices.SortedFunc(maps.Keys(r.Results), func(a, b [2]string) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	for _, p := range pairs {
		m.value("linkcheck_result_links", r.Results[p], "outcome", p[0], "class", p[1])
	}
	m.family("linkcheck_changed_links", "Links that changed in the last run.")
	for _, c := range r.Changes {
		m.value("linkcheck_changed_links", c.N, "change", c.Word)
	}
	m.single("linkcheck_records", "Records that hold links.", int64(r.Records))
	m.single("linkcheck_places", "Places in which links stand.", int64(r.Mentions))
	m.single("linkcheck_never_checked_links", "Checkable links that were never asked about.", int64(r.Never))
	m.single("linkcheck_internal_results", "Links whose last result is a fault of our own, and says nothing of them.", int64(r.Internal))
	m.single("linkcheck_due_links", "Links that are to be asked about at once.", int64(r.Due))
	if !r.Waiting.IsZero() {
		m.single("linkcheck_oldest_unchecked_seconds", "For how long the link waits that was not asked about for longest.", max(0, int64(r.Now.Sub(r.Waiting).Seconds())))
	}
	if r.Unreadable != nil {
		m.single("linkcheck_unreadable_sources", "Sources that the last run which read any could not read.", int64(*r.Unreadable))
	}
	m.single("linkcheck_damaged_sources", "Sources of which something could not be read.", int64(r.Damaged))
	m.single("linkcheck_unread_sources", "Sources that no run has found for 30 days.", int64(r.Unread))
	m.roots(r.RootRows)
	if r.StoreBytes > 0 {
		m.single("linkcheck_store_bytes", "Size of the store.", r.StoreBytes)
	}
	m.run(r)
}

// roots writes how it stands with the archives over the network, a line for each name:
// those that share one are as old as the oldest of them.
func (m *metrics) roots(rows []report.RootRow) {
	var list []report.RootRow // in the order of their names
	for _, r := range rows {
		if r.State == "" {
			continue
		}
		if n := len(list); n > 0 && list[n-1].Name == r.Name {
			last := &list[n-1]
			last.Documents += r.Documents
			if r.Whole.Before(last.Whole) {
				last.Whole = r.Whole
			}
			if last.Failing.IsZero() || !r.Failing.IsZero() && r.Failing.Before(last.Failing) {
				last.Failing = r.Failing
			}
			continue
		}
		list = append(list, r)
	}
	if len(list) == 0 {
		return
	}
	m.family("linkcheck_root_documents", "Documents of an archive over the network that stand.")
	for _, r := range list {
		m.value("linkcheck_root_documents", r.Documents, "root", r.Name)
	}
	m.family("linkcheck_root_whole_timestamp_seconds", "When the last whole reading of an archive ended, in Unix time; 0: none did.")
	for _, r := range list {
		m.value("linkcheck_root_whole_timestamp_seconds", int(unix(r.Whole)), "root", r.Name)
	}
	list = slices.DeleteFunc(list, func(r report.RootRow) bool { return r.Failing.IsZero() })
	if len(list) == 0 {
		return
	}
	m.family("linkcheck_root_failing_since", "Since when an archive cannot be read, in Unix time; absent where it can.")
	for _, r := range list {
		m.value("linkcheck_root_failing_since", int(unix(r.Failing)), "root", r.Name)
	}
}

// run writes what the store says of the last run.
func (m *metrics) run(r *report.Report) {
	if r.Run == nil {
		return
	}
	m.single("linkcheck_run_number", "Number of the last run.", int64(r.Run.ID))
	m.single("linkcheck_run_started_seconds", "When the last run began, in Unix time.", unix(r.Run.Started))
	m.single("linkcheck_run_checked_links", "Links asked about in the last run.", int64(r.Run.Checked))
	distrusted := int64(0)
	if r.Run.Distrusted {
		distrusted = 1
	}
	m.single("linkcheck_run_distrusted", "1: in the last run our own network looked down, and no failure counted.", distrusted)
	if !r.Run.Distrusted {
		m.single("linkcheck_run_outages", "Hosts out of service in the last run; absent where our own network looked down.", int64(len(r.Run.Outages)))
	}
	if !r.Run.Ended.IsZero() {
		m.single("linkcheck_run_ended_seconds", "When the last run ended, well or not, in Unix time; absent while it goes on.", unix(r.Run.Ended))
	}
}

var helpEscapes = strings.NewReplacer(`\`, `\\`, "\n", `\n`)

func (m *metrics) family(name, help string) {
	fmt.Fprintf(m.out, "# HELP %s %s\n# TYPE %s gauge\n", name, helpEscapes.Replace(help), name)
}

func (m *metrics) single(name, help string, v int64) {
	m.family(name, help)
	fmt.Fprintf(m.out, "%s %d\n", name, v)
}

// A label value has three escapes and no others. A < is written as package escape writes
// what acts: a browser that is led to /metrics must find no markup, whatever it takes the
// page for.
var labelEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "<", `\\u003c`)

// value writes one line; labels are names and words in turn.
func (m *metrics) value(name string, v int, labels ...string) {
	m.out.WriteString(name + "{")
	for i := 0; i < len(labels); i += 2 {
		if i > 0 {
			m.out.WriteByte(',')
		}
		fmt.Fprintf(m.out, `%s="%s"`, labels[i], labelEscapes.Replace(escape.Line(labels[i+1])))
	}
	fmt.Fprintf(m.out, "} %d\n", v)
}
