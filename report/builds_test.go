package report_test

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/report"
	"linkcheck/report/builds"
	"linkcheck/report/sample"
	"linkcheck/report/words"
	"linkcheck/store"
)

// buildForms are the forms for builds.
var buildForms = []struct {
	name  string
	write func(context.Context, io.Writer, report.Source, report.Options) error
}{
	{"junit.xml", builds.WriteJUnit}, {"sarif.json", builds.WriteSARIF}, {"gitlab.json", builds.WriteGitLab}, {"github.txt", builds.WriteGitHub}, {"atom.xml", builds.WriteAtom},
	{"md", func(ctx context.Context, w io.Writer, src report.Source, o report.Options) error {
		r, err := report.Build(ctx, src, o)
		if err != nil {
			return err
		}
		return builds.WriteMarkdown(w, r)
	}},
}

func inForm(t *testing.T, name string, src report.Source, o report.Options) []byte {
	t.Helper()
	for _, form := range buildForms {
		if form.name == name {
			return output(t, func(w io.Writer) error { return form.write(t.Context(), w, src, o) })
		}
	}
	t.Fatalf("no form %s", name)
	return nil
}

// TestBuildGoldens compares the forms for builds byte for byte.
func TestBuildGoldens(t *testing.T) {
	for _, lang := range words.Languages() {
		for _, form := range buildForms {
			o := options()
			o.Lang = lang
			golden(t, "builds."+lang+"."+form.name, inForm(t, form.name, smallArchive(), o))
		}
	}
}

// evil is text that ends a string, an element, a command or a cell in one of the forms, calls
// people, and begins a command of its own.
const evil = "a\"'<b>&]]>|`x`\r\n::error::@team #1 %0A, \x1b[2J\x00\u202e\xff"

// hostile is a store of which every text that others wrote is evil.
func hostile() *sample.Source {
	m := store.Mention{Collection: evil, Source: "/docs/" + evil, Member: evil, Record: evil, Locator: evil, Title: evil, Context: evil, Line: 3, URL: "http://h.example/" + evil}
	e := store.Entry{Link: store.Link{URL: "http://h.example/" + evil, Key: evil, Host: "h.example", Scheme: "http", State: judge.Dead, ChangedRun: 1, Changes: []judge.Change{judge.NewlyDead},
		Last: check.Result{Outcome: check.Gone, Reason: check.Reason(evil), Reply: evil, Title: evil}}, LiveMentions: []store.Mention{m, m}, Picked: 2}
	moved := e
	moved.ID, moved.Key, moved.State = 1, "moved", judge.Moved
	moved.Last = check.Result{Outcome: check.Moved, Reason: "http-301", SuggestedURL: "http://h.example/" + evil, FinalURL: evil}
	return &sample.Source{Extra: []store.Entry{e, moved}}
}

// wellFormed reads XML to its end: one element, closed.
func wellFormed(t *testing.T, text []byte) (elements []xml.StartElement) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(text))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return elements
		}
		if err != nil {
			t.Fatalf("%v\n%.2000s", err, text)
		}
		if e, ok := token.(xml.StartElement); ok {
			elements = append(elements, e.Copy())
		}
	}
}

func attr(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// TestJUnit counts what its sums say, and lets nothing out of its place.
func TestJUnit(t *testing.T) {
	for name, src := range map[string]report.Source{"small": smallArchive(), "hostile": hostile()} {
		cases, failures, skipped := 0, 0, 0
		elements := wellFormed(t, inForm(t, "junit.xml", src, options()))
		for _, e := range elements {
			switch e.Name.Local {
			case "testsuites", "testsuite":
			case "testcase":
				cases++
				if attr(e, "name") == "" || attr(e, "classname") == "" {
					t.Errorf("%s: a test without a name: %v", name, e)
				}
			case "failure":
				failures++
			case "skipped":
				skipped++
			case "system-out":
			default:
				t.Errorf("%s: an element %s", name, e.Name.Local)
			}
		}
		if cases == 0 || failures == 0 {
			t.Fatalf("%s: %d tests, %d failures", name, cases, failures)
		}
		for _, e := range elements[:2] {
			for sum, n := range map[string]int{"tests": cases, "failures": failures, "skipped": skipped, "errors": 0} {
				if got := attr(e, sum); got != strconv.Itoa(n) {
					t.Errorf("%s: %s says %s=%s, there are %d", name, e.Name.Local, sum, got, n)
				}
			}
		}
	}
}

// TestSARIF holds the log to what the schema of SARIF 2.1.0 requires of each object that it
// has, and to its lists of words.
func TestSARIF(t *testing.T) {
	for name, src := range map[string]report.Source{"small": smallArchive(), "hostile": hostile(), "empty": &sample.Source{}} {
		var log struct {
			Schema  string `json:"$schema"`
			Version string
			Runs    []struct {
				Tool struct {
					Driver struct {
						Name  string
						Rules []struct {
							ID               string
							ShortDescription struct{ Text string }
						}
					}
				}
				Results []struct {
					RuleID    string
					Level     string
					Message   struct{ Text string }
					Locations []struct {
						PhysicalLocation struct {
							ArtifactLocation struct{ URI string }
							Region           *struct{ StartLine int }
						}
					}
					PartialFingerprints map[string]string
				}
			}
		}
		d := json.NewDecoder(bytes.NewReader(inForm(t, "sarif.json", src, options())))
		if err := d.Decode(&log); err != nil {
			t.Fatal(err)
		}
		if log.Version != "2.1.0" || !strings.HasSuffix(log.Schema, "sarif-schema-2.1.0.json") || len(log.Runs) != 1 || log.Runs[0].Tool.Driver.Name == "" || log.Runs[0].Results == nil {
			t.Fatalf("%s: %+v", name, log)
		}
		run := log.Runs[0]
		if (name == "empty") != (len(run.Results) == 0) {
			t.Errorf("%s: %d results", name, len(run.Results))
		}
		rules, prints := map[string]bool{}, map[string]bool{}
		for _, r := range run.Tool.Driver.Rules {
			if r.ID == "" || rules[r.ID] || r.ShortDescription.Text == "" {
				t.Errorf("%s: rule %+v", name, r)
			}
			rules[r.ID] = true
		}
		for _, r := range run.Results {
			if !rules[r.RuleID] || !slices.Contains([]string{"none", "note", "warning", "error"}, r.Level) || r.Message.Text == "" || len(r.Locations) != 1 || prints[r.PartialFingerprints["linkcheck/v1"]] {
				t.Errorf("%s: result %+v", name, r)
			}
			prints[r.PartialFingerprints["linkcheck/v1"]] = true
			at := r.Locations[0].PhysicalLocation
			if !regexp.MustCompile(`^[A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=%-]+$`).MatchString(at.ArtifactLocation.URI) || at.Region != nil && at.Region.StartLine < 1 {
				t.Errorf("%s: location %+v", name, at)
			}
		}
	}
}

// TestGitLab: what GitLab requires of an issue, each fingerprint once.
func TestGitLab(t *testing.T) {
	for name, src := range map[string]report.Source{"small": smallArchive(), "hostile": hostile()} {
		var issues []struct {
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
		if err := json.Unmarshal(inForm(t, "gitlab.json", src, options()), &issues); err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, i := range issues {
			if i.Description == "" || i.Check == "" || seen[i.Fingerprint] || len(i.Fingerprint) != 32 || i.Location.Path == "" || i.Location.Lines.Begin < 1 ||
				!slices.Contains([]string{"info", "minor", "major", "critical", "blocker"}, i.Severity) {
				t.Errorf("%s: %+v", name, i)
			}
			seen[i.Fingerprint] = true
		}
		if len(issues) < 4 {
			t.Errorf("%s: %d issues", name, len(issues))
		}
	}
}

// TestGitHub: every line is one command that the runner reads, whatever stands in it.
func TestGitHub(t *testing.T) {
	command := regexp.MustCompile(`^::(error|warning|notice) file=([^:,\r\n]+)(,line=[0-9]+)?,title=[^:,\r\n]+::[^\r\n]+$`)
	for name, src := range map[string]report.Source{"small": smallArchive(), "hostile": hostile()} {
		lines := strings.Split(strings.TrimSuffix(string(inForm(t, "github.txt", src, options())), "\n"), "\n")
		if len(lines) < 4 {
			t.Errorf("%s: %d lines", name, len(lines))
		}
		for _, line := range lines {
			if !command.MatchString(line) {
				t.Errorf("%s: %q", name, line)
			}
		}
	}
}

// TestMarkdown: a row has as many cells as its table, and what others wrote is in code spans.
func TestMarkdown(t *testing.T) {
	o := options()
	o.Title = evil
	text := string(inForm(t, "md", hostile(), o))
	cells, rows := 0, 0
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if strings.ContainsAny(line, "\r\x00\x1b") || strings.HasPrefix(line, "::") {
			t.Errorf("%q", line)
		}
		if !strings.HasPrefix(line, "|") {
			cells = 0
			continue
		}
		rows++
		if n := len(regexp.MustCompile(`[^\\]\|`).FindAllString(line, -1)); cells != 0 && n != cells {
			t.Errorf("%d cells, not %d: %q", n, cells, line)
		} else {
			cells = n
		}
	}
	if rows < 7 {
		t.Errorf("%d rows", rows)
	}
	plain := regexp.MustCompile("``[^\n]*?``|`[^`\n]*`").ReplaceAllString(text, "")
	for _, sign := range []string{"<b>", "@team", "#1"} {
		if strings.Contains(plain, sign) {
			t.Errorf("%q stands in running text:\n%s", sign, plain)
		}
	}
}

// TestAtom: what RFC 4287 sections 4.1.1 and 4.1.2 require, and ids that stay.
func TestAtom(t *testing.T) {
	type feed struct {
		XMLName xml.Name `xml:"http://www.w3.org/2005/Atom feed"`
		ID      string   `xml:"id"`
		Title   string   `xml:"title"`
		Updated string   `xml:"updated"`
		Author  string   `xml:"author>name"`
		Entries []struct {
			ID      string `xml:"id"`
			Title   string `xml:"title"`
			Updated string `xml:"updated"`
			Content string `xml:"content"`
		} `xml:"entry"`
	}
	read := func(src report.Source, o report.Options) (f feed) {
		text := inForm(t, "atom.xml", src, o)
		wellFormed(t, text)
		if err := xml.Unmarshal(text, &f); err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		uuid := regexp.MustCompile(`^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
		for _, e := range f.Entries {
			if seen[e.ID] || !uuid.MatchString(e.ID) || e.Title == "" || !stamp.MatchString(e.Updated) || e.Content == "" {
				t.Errorf("%+v", e)
			}
			seen[e.ID] = true
		}
		if !uuid.MatchString(f.ID) || f.Title == "" || f.Author == "" || !stamp.MatchString(f.Updated) {
			t.Errorf("%+v", f)
		}
		return f
	}
	f := read(smallArchive(), options())
	later := options()
	later.Now, later.Lang = later.Now.AddDate(0, 1, 0), "de"
	if g := read(smallArchive(), later); len(f.Entries) < 3 || len(g.Entries) != len(f.Entries) || g.ID != f.ID || g.Entries[0].ID != f.Entries[0].ID || g.Updated != f.Updated {
		t.Errorf("%d and %d entries; a month later, in German:\n%+v\n%+v", len(f.Entries), len(g.Entries), f, g)
	}
	all := options()
	all.Since = "0"
	if n := len(read(hostile(), all).Entries); n != 2 {
		t.Errorf("%d entries of a hostile store", n)
	}
}

var stamp = regexp.MustCompile(`^20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$`)

// TestPathsOfBuilds: documents below the folder that is built are named from there.
func TestPathsOfBuilds(t *testing.T) {
	folder, err := filepath.Abs("built")
	if err != nil {
		t.Fatal(err)
	}
	for source, want := range map[string]string{
		filepath.Join(folder, "docs", "a.html"): "docs/a.html", filepath.Dir(folder): filepath.ToSlash(filepath.Dir(folder)), "./a/../b.txt": "b.txt", "http://a.example/b": "http://a.example/b",
	} {
		e := store.Entry{Link: store.Link{URL: "http://x.example/", Key: "http://x.example/", State: judge.Dead}, LiveMentions: []store.Mention{{Source: source, URL: "http://x.example/"}}}
		o := options()
		o.Folder = folder
		if text := string(inForm(t, "github.txt", &sample.Source{Extra: []store.Entry{e}}, o)); !strings.Contains(text, "file="+strings.NewReplacer(":", "%3A").Replace(want)+",title") {
			t.Errorf("%s: %s", source, text)
		}
	}
}
