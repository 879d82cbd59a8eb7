package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/spf13/pflag"

	"linkcheck/internal/flags"
	"linkcheck/internal/hostsettings"
	"linkcheck/internal/rootsettings"
)

// everyKey is the file of init with every key uncommented.
func everyKey(t *testing.T) (written, uncommented string) {
	t.Helper()
	written = sampleConfig(newRoot(&app{}))
	return written, regexp.MustCompile(`(?m)^#([a-z0-9-]+ = )`).ReplaceAllString(written, "$1")
}

// TestInitNamesEveryFlag: the file of init has every flag of every verb, once above the
// tables or in the table of the verb, with its default as a value of its type.
func TestInitNamesEveryFlag(t *testing.T) {
	_, text := everyKey(t)
	var values map[string]any
	if _, err := toml.Decode(text, &values); err != nil {
		t.Fatal(err)
	}
	a := &app{log: logTo(io.Discard), getenv: func(string) string { return "" }}
	root := newRoot(a)
	a.configFile = filepath.Join(t.TempDir(), "c.toml")
	if err := os.WriteFile(a.configFile, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, cmd := range everyVerb(root) {
		table, _ := values[verbOf(cmd).Name()].(map[string]any)
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if notInConfig[f.Name] || f.Hidden {
				return
			}
			above, isAbove := values[f.Name]
			own, isOwn := table[f.Name]
			if _, isTable := above.(map[string]any); isTable {
				isAbove = false
			}
			if isAbove == isOwn {
				t.Errorf("%s --%s: above the tables %v, in its own %v", cmd.CommandPath(), f.Name, isAbove, isOwn)
			}
			if isOwn {
				above = own
			}
			if !flags.Fits(f, above) {
				t.Errorf("%s --%s: %v (%T) is no value for it", cmd.CommandPath(), f.Name, above, above)
			}
			seen++
		})
		if err := a.configure(t.Context(), cmd); err != nil {
			t.Errorf("%s: %v", cmd.CommandPath(), err)
		}
	}
	if seen < 100 {
		t.Errorf("%d flags only", seen)
	}
}

// TestInitIsPlain: the heads of tables are no comments, keys are, and no line of prose could
// be taken for a key or a table.
func TestInitIsPlain(t *testing.T) {
	text, _ := everyKey(t)
	var values map[string]map[string]any
	if _, err := toml.Decode(text, &values); err != nil || len(values["run"]) > 0 {
		t.Errorf("%v, %v", values, err)
	}
	for _, verb := range []string{"check", "demo", "dupes", "extract", "mark", "report", "run", "schemes", "serve"} { // the other ones share all their flags
		if values[verb] == nil {
			t.Errorf("there is no table for %s", verb)
		}
	}
	key, head := regexp.MustCompile(`^#[a-z0-9-]+ = \S`), regexp.MustCompile(`^\[[a-z]+\]$`)
	looks := regexp.MustCompile(`^[#\s]*("[^"]*"|[A-Za-z0-9_.-]+)\s*=|^[#\s]*\[`)
	for i, line := range strings.Split(text, "\n") {
		prose := line == "" || strings.HasPrefix(line, "# ") || strings.HasPrefix(line, "## ") || line == "#"
		if !prose && !key.MatchString(line) && !head.MatchString(line) || prose && looks.MatchString(line) {
			t.Errorf("line %d: %q", i+1, line)
		}
	}
}

// TestInitHosts: the table for single hosts has every key, each with a value that it takes.
func TestInitHosts(t *testing.T) {
	var b strings.Builder
	for line := range strings.Lines(hostsettings.Sample) {
		if rest, ok := strings.CutPrefix(line, "# | "); ok {
			b.WriteString(rest)
		}
	}
	var file struct{ Host []map[string]any }
	if _, err := toml.Decode(b.String(), &file); err != nil || len(file.Host) != 1 {
		t.Fatal(err, b.String())
	}
	for _, key := range hostsettings.Keys() {
		values := map[string]any{"match": "a.org", key: file.Host[0][key]}
		for key, with := range map[string]string{"robots": "robots-reason", "robots-reason": "robots", "client-cert": "client-key", "client-key": "client-cert"} {
			if values[key] != nil {
				values[with] = file.Host[0][with]
			}
		}
		if _, err := hostsettings.Parse([]hostsettings.Source{{Values: values, Where: func(string) string { return "" }}}); err != nil {
			t.Errorf("%s: %v", key, err)
		}
	}
}

// TestInitRoots: the table for archives has every key, each with a value that it takes.
func TestInitRoots(t *testing.T) {
	var b strings.Builder
	for line := range strings.Lines(rootsettings.Sample) {
		if rest, ok := strings.CutPrefix(line, "# | "); ok {
			b.WriteString(rest)
		}
	}
	var file struct{ Root []map[string]any }
	if _, err := toml.Decode(b.String(), &file); err != nil || len(file.Root) != 1 {
		t.Fatal(err, b.String())
	}
	all := file.Root[0]
	for _, key := range rootsettings.Keys() {
		of := "uri"
		switch key {
		case "map", "path", "replace":
			of = "path"
		case "password-file":
			of = "user"
		}
		values := map[string]any{of: all[of], key: all[key]}
		switch key { // of some kinds of archives alone
		case "query":
			values["uri"] = "sru+https://catalogue.example.org/db"
		case "groups":
			values["uri"] = "news://news.example.org/"
		}
		if of == "user" {
			values["uri"] = all["uri"]
		}
		if _, err := rootsettings.Parse([]rootsettings.Source{{Values: values, Where: func(string) string { return "" }}}); err != nil {
			t.Errorf("%s: %v", key, err)
		}
	}
}

// measuredMs is a time that a probe took, another one at each.
var measuredMs = regexp.MustCompile(`"ms":[0-9]+`)

// TestInitChangesNothing: with every key at its default every verb does what it does
// without a file, and writes nothing more.
func TestInitChangesNothing(t *testing.T) {
	_, text := everyKey(t)
	const doc = "See info:lccn/n78890351 and\n<mailto:ann@a.test>, and mailto:ann@a.test.\n"
	verbs := [][]string{
		{"extract", "a.txt"}, {"extract", "--jsonl", "a.txt"},
		{"run", "--now", "2026-11-01T02:00:00Z", "a.txt"}, {"run", "--quiet", "--now", "2026-11-02T02:00:00Z", "a.txt"},
		{"report", "--now", "2026-11-02T03:00:00Z"}, {"report", "--now", "2026-11-02T03:00:00Z", "--csv", "r.csv", "--jsonl", "r.jsonl"},
		{"report", "--summary", "--now", "2026-11-02T03:00:00Z"}, {"dupes"}, {"dupes", "--json"},
		{"mark", "info:lccn/n78890351", "alive", "--why", "asked", "--now", "2026-11-02T03:00:00Z"}, {"explain", "info:lccn/n78890351"},
		{"check", "info:lccn/n78890351"}, {"check", "--json", "mailto:ann@a.test"},
		{"normalize", "HTTP://A.test:80/"}, {"compare", "http://a.test/", "HTTP://a.test"},
		{"schemes"}, {"schemes", "--reasons"}, {"version"}, {"store", "verify"}, {"store", "prune", "--now", "2026-11-02T03:00:00Z"}, {"store", "export", "x.jsonl"},
		{"init", "i.toml"}, {"exit-codes"},
	}
	said := func(config string) (all []string) {
		t.Chdir(t.TempDir())
		for name, text := range map[string]string{"c.toml": config, "a.txt": doc} {
			if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		for _, args := range verbs {
			s := call(t.Context(), "", append([]string{"--config", "c.toml"}, args...)...)
			text := strings.ReplaceAll(fmt.Sprintf("%v: exit %d\n%s%s", args, s.code, s.out, s.err), absoluteHere(t), "HERE")
			all = append(all, measuredMs.ReplaceAllString(text, `"ms":N`))
		}
		files, err := filepath.Glob("*")
		if err != nil {
			t.Fatal(err)
		}
		return append(all, fmt.Sprint(files))
	}
	without, with := said(""), said(text)
	for i := range without {
		if without[i] != with[i] {
			t.Errorf("without a file:\n%s\nwith every key at its default:\n%s", without[i], with[i])
		}
	}
	if last := with[len(with)-1]; last != "[a.txt c.toml i.toml linkcheck.db r.csv r.jsonl x.jsonl]" {
		t.Errorf("there are %s", last)
	}
}

// TestConfigOfOtherVerbs: a key above the tables is heard by the verbs to whose flag its
// value fits, and no verb takes what is meant for another; so is the environment.
func TestConfigOfOtherVerbs(t *testing.T) {
	for _, from := range []string{"file", "environment"} {
		for _, tt := range []struct {
			key, value, env string
			heard           map[string]string // by verb, what its flag has
		}{
			{"jsonl", "true", "true", map[string]string{"extract": "true", "report": ""}},
			{"jsonl", `"rows.jsonl"`, "rows.jsonl", map[string]string{"extract": "false", "report": "rows.jsonl"}},
			{"collection", `["a", "b"]`, "a\nb", map[string]string{"run": "", "report": "[a,b]"}},
			{"collection", `"a"`, "a", map[string]string{"run": "a", "report": "[a]"}},
			{"lang", `"de"`, "de", map[string]string{"run": "de", "report": "de", "serve": "de"}},
		} {
			name := filepath.Join(t.TempDir(), "c.toml")
			a := &app{log: logTo(io.Discard), getenv: func(string) string { return "" }}
			file := tt.key + " = " + tt.value + "\n"
			if from == "environment" {
				file = ""
				a.getenv = func(name string) string {
					if name == envName(tt.key) {
						return tt.env
					}
					return ""
				}
			}
			if err := os.WriteFile(name, []byte(file), 0o644); err != nil {
				t.Fatal(err)
			}
			for verb, want := range tt.heard {
				cmd, _, err := newRoot(a).Find([]string{verb})
				if err != nil {
					t.Fatal(err)
				}
				a.configFile = name // newRoot takes it away
				if err := a.configure(t.Context(), cmd); err != nil || cmd.Flag(tt.key).Value.String() != want {
					t.Errorf("%s: %s = %s: %s has %q, %v, want %q", from, tt.key, tt.value, verb, cmd.Flag(tt.key).Value, err, want)
				}
			}
		}
	}
}

// absoluteHere is the current folder.
func absoluteHere(t *testing.T) string {
	t.Helper()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	return here
}
