package builds

import (
	"encoding/json"
	"io"
	"time"

	"linkcheck/report"
	"linkcheck/uri/secret"
)

// ChangesSchema names the schema of what WriteChanges writes. Fields may be added.
const ChangesSchema = "linkcheck.changes.v1"

// changesJSON is what changed in a run.
type changesJSON struct {
	Schema  string         `json:"schema"`
	Title   string         `json:"title"`
	Run     uint64         `json:"run"`
	Begun   string         `json:"begun"`
	Ended   *string        `json:"ended"` // null: it has not
	Exit    int            `json:"exit"`
	Text    string         `json:"text"` // all in a line, for chat rooms
	Links   int            `json:"links"`
	Groups  map[string]int `json:"groups"`
	Changes map[string]int `json:"changes"`
	Fallen  []string       `json:"fallen"`
	Changed []changedJSON  `json:"changed"`
	LeftOut int            `json:"left_out"`
}

// changedJSON is a link that changed. Names are those of the columns of tables.
type changedJSON struct {
	URL       string   `json:"url"`
	Changes   []string `json:"changes"`
	Group     string   `json:"group"`
	State     string   `json:"state"`
	Reason    string   `json:"reason"`
	Message   string   `json:"message"`
	Step      string   `json:"step"`
	Suggested string   `json:"suggested_url"`
	Record    string   `json:"record_id"`
	Title     string   `json:"record_title"`
	Source    string   `json:"source"`
	Places    int      `json:"places"`
}

// WriteChanges writes a JSON object of what changed in the last run of a report, which ended
// with an exit code: sums, and the most urgent links of each change. Secrets are masked
// whatever the options say.
func WriteChanges(w io.Writer, r *report.Report, exit int) error {
	c := changesJSON{Schema: ChangesSchema, Title: secret.MaskText(r.Heading()), Exit: exit, Text: secret.MaskText(r.Headline() + " " + r.ChangedLine()), Links: r.Links,
		Groups: map[string]int{}, Changes: map[string]int{}, Fallen: []string{}, Changed: []changedJSON{}, LeftOut: r.Changed}
	if r.Run != nil {
		c.Run, c.Begun = r.Run.ID, r.Run.Started.UTC().Format(time.RFC3339)
		if !r.Run.Ended.IsZero() {
			ended := r.Run.Ended.UTC().Format(time.RFC3339)
			c.Ended = &ended
		}
		for _, host := range r.Run.Fallen {
			c.Fallen = append(c.Fallen, r.Sanitize(host))
		}
	}
	for g := range report.GroupCount {
		c.Groups[g.String()] = r.ByGroup[g]
	}
	for _, count := range r.Changes {
		c.Changes[count.Word] = count.N
	}
	for _, rows := range r.News {
		for _, row := range rows {
			c.Changed = append(c.Changed, changed(r.Scope, row))
		}
	}
	c.LeftOut -= len(c.Changed)
	return json.NewEncoder(w).Encode(c)
}

func changed(s *report.Scope, row *report.Row) changedJSON {
	m := row.First()
	c := changedJSON{URL: secret.Mask(row.URL), Changes: []string{}, Group: row.Group.String(), State: row.State.String(), Reason: string(row.Last.Reason),
		Message: secret.MaskText(row.Message), Step: secret.MaskText(row.Step), Suggested: secret.Mask(row.Suggested), Record: secret.MaskText(s.Sanitize(m.Record)),
		Title: secret.MaskText(s.Sanitize(m.Title)), Source: secret.MaskText(s.Sanitize(report.File(m))), Places: row.Count}
	for _, word := range row.Changed {
		c.Changes = append(c.Changes, string(word))
	}
	return c
}
