package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/spf13/pflag"
)

// TestConfigRefusals: a config file is refused by name, line and key (OUTCOMES section
// 3, exit code 2).
func TestConfigRefusals(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"unknown key", "# c\n\nworker = 3\n", `c.toml:3: unknown key "worker"`},
		{"underscore", "host_delay = \"2s\"\n", `c.toml:1: unknown key "host_delay"`},
		{"quoted key", "\n\"host-dely\" = \"1s\"\n", `c.toml:2: unknown key "host-dely"`},
		{"dotted key", "rum.workers = 3\n", `c.toml:1: unknown key "rum"`},
		{"a table of no verb", "workers = 3\n[rum]\nquiet = true\n", `c.toml:2: unknown key "rum"`},
		{"no flag of the verb", "by = \"final\"\n[run]\nquiet = true\nby = \"me\"\n", `c.toml:4: unknown key "by"`},
		{"no such choice for the verb", "robots = \"on\"\n[run]\n\nrobots = \"maybe\"\n", "--robots is set in c.toml:4"},
		{"no TOML", "workers = 3\nhost-delay = 2s\n", "c.toml:2: "},
		{"given twice", "workers = 1\nworkers = 2\n", "c.toml:2: "},
		{"no number", "# x\nworkers = \"many\"\n", "c.toml:2: workers: "},
		{"no time", "\n\ntimeout = \"20\"\n", "c.toml:3: timeout: "},
		{"no truth", "quiet = \"yes please\"\n", "c.toml:1: quiet: "},
		{"a list for one", "contact = [\"a@x.org\", \"b@x.org\"]\n", "c.toml:1: contact: one value is wanted, not a list"},
		{"a table for one", "workers = {a = 1}\n", "c.toml:1: workers: one value is wanted, not a table"},
		{"tables for a list", "[[connect-to]]\na = 1\n", "c.toml:1: connect-to: one value is wanted, not a table"},
		{"no such choice", "robots = \"maybe\"\n", "--robots is set in c.toml:1"},
		{"too much", "\nsplay = 7\n", "--splay is set in c.toml:2"},
		{"no such state", "state = \"faling\"\n", "--state is set in c.toml:1"},
	}
	t.Chdir(t.TempDir())
	for _, tt := range tests {
		if err := os.WriteFile("c.toml", []byte(tt.text), 0o644); err != nil {
			t.Fatal(err)
		}
		s := call(t.Context(), "", "run", "--config", "c.toml", "--store", "s.db", ".")
		if s.code != exitUsage || !strings.Contains(s.err, tt.want) || s.out != "" {
			t.Errorf("%s: %+v, want %q", tt.name, s, tt.want)
		}
		if _, err := os.Stat("s.db"); err == nil {
			t.Fatalf("%s: something was done", tt.name)
		}
	}
}

// TestConfigValues: what stands in a file or in the environment comes to the flag.
func TestConfigValues(t *testing.T) {
	tests := []struct{ key, file, env, flag, want string }{
		{"max-age", `"3d"`, "3d", "max-age", "3d"},
		{"max-age", "\"1d\"\n[report]\nnow=\"2001-01-01\"\n[run]\nmax-age=\"3d\"", "3d", "max-age", "3d"},
		{"collection", `["one"]`, "one", "collection", "one"},
		{"collection", `[]`, "", "collection", ""},
		{"max-age", `"36h"`, "36h", "max-age", "36h0m0s"},
		{"max-duration", `"4h"`, "4h", "max-duration", "4h0m0s"},
		{"host-delay", "0", "0", "host-delay", "0s"},
		{"now", "2026-11-01", "2026-11-01", "now", "2026-11-01"},
		{"now", "2026-11-01T02:00:00Z", "2026-11-01T02:00:00Z", "now", "2026-11-01T02:00:00Z"},
		{"splay", "0", "0", "splay", "0"},
		{"max-bytes", "1_000", "1000", "max-bytes", "1000"},
		{"exclude", `["a{1,2}", "b"]`, "a{1,2}\nb", "exclude", `["a{1,2}",b]`},
		{"connect-to", `[]`, "", "connect-to", "[]"},
		{"allow-private", `["10.0.0.0/8", "127.0.0.0/8"]`, "10.0.0.0/8,127.0.0.0/8", "allow-private", "[10.0.0.0/8,127.0.0.0/8]"},
	}
	for _, tt := range tests {
		file := filepath.Join(t.TempDir(), "c.toml")
		if err := os.WriteFile(file, []byte(tt.key+" = "+tt.file+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		env := "LINKCHECK_" + strings.ToUpper(strings.ReplaceAll(tt.key, "-", "_"))
		for _, from := range []string{file, os.DevNull} {
			a := &app{getenv: func(name string) string {
				if from == os.DevNull && name == env {
					return tt.env
				}
				return ""
			}}
			run, _, err := newRoot(a).Find([]string{"run"})
			if err != nil {
				t.Fatal(err)
			}
			a.configFile = from
			if err := a.configure(run); err != nil || run.Flag(tt.flag).Value.String() != tt.want {
				t.Errorf("%s by %s: %s, %v, want %s", tt.key, from, run.Flag(tt.flag).Value, err, tt.want)
			}
		}
	}
}

// TestInitNamesEveryFlag: the sample has every flag of every verb, and is TOML that is
// taken when its keys are no longer comments.
func TestInitNamesEveryFlag(t *testing.T) {
	a := &app{getenv: func(string) string { return "" }}
	root := newRoot(a)
	a.configFile = filepath.Join(t.TempDir(), "c.toml")
	text := regexp.MustCompile(`(?m)^#([a-z0-9-]+ = )`).ReplaceAllString(sampleConfig(root), "$1")
	values := map[string]any{}
	if _, err := toml.Decode(text, &values); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(a.configFile, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	flags := 0
	for _, cmd := range everyVerb(root) {
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if _, ok := values[f.Name]; !ok && !notInConfig[f.Name] {
				t.Errorf("%s --%s has no key", cmd.CommandPath(), f.Name)
			}
			flags++
		})
		if err := a.configure(cmd); err != nil {
			t.Errorf("%s: %v", cmd.CommandPath(), err)
		}
	}
	if flags < 100 {
		t.Errorf("%d flags only", flags)
	}
}
