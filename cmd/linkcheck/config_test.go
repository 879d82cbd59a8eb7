package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"linkcheck/internal/config"
	"linkcheck/internal/exit"
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
		if s.code != exit.BadUsage || !strings.Contains(s.err, tt.want) || s.out != "" {
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
			a := &app{log: logTo(io.Discard), getenv: func(name string) string {
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
			if err := a.configure(t.Context(), run); err != nil || run.Flag(tt.flag).Value.String() != tt.want {
				t.Errorf("%s by %s: %s, %v, want %s", tt.key, from, run.Flag(tt.flag).Value, err, tt.want)
			}
		}
	}
}

// folderFile makes a folder with a linkcheck.toml and a document the current one.
func folderFile(t *testing.T, text string) {
	t.Helper()
	t.Chdir(t.TempDir())
	t.Setenv("LINKCHECK_CONFIG", "")
	for name, text := range map[string]string{config.Name: text, "a.txt": "see http://a.test/ now\n", "secret": "x"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestFolderMayNot: what a file of the current folder may not set is named, and nothing is
// done, whatever the verb and however the key is written.
func TestFolderMayNot(t *testing.T) {
	texts := map[string]string{ // by what is named
		`"fixes" (linkcheck.toml:1)`:              `fixes = "../.bashrc"`,
		`"smtp-password-file" (linkcheck.toml:2)`: "lang = \"de\"\nsmtp-password-file = \"../.ssh/id_rsa\"",
		`"html" (linkcheck.toml:2)`:               "[report]\nhtml = \"x.html\"",
		`"html" (linkcheck.toml:1)`:               `report.html = "x.html"`,
		`"jsonl"`:                                 `report = { jsonl = "x" }`,
		`"csv" (linkcheck.toml:1)`:                `"report"."csv" = "x"`,
		`"export"`:                                "[store.export]\nstore = \"x.db\"",
		`"store" (linkcheck.toml:2)`:              "[store]\nstore = \"x.db\"",
		`"store" (linkcheck.toml:1)`:              `store = "x.db"`,
		`"host" (linkcheck.toml:1)`:               "[[host]]\nname = \"h\"",
		`"root" (linkcheck.toml:1)`:               "[[root]]\npath = \"/\"",
		`"report" (linkcheck.toml:1)`:             "[[report]]\nfixes = \"x\"",
		`"FIXES" (linkcheck.toml:1)`:              `FIXES = "x"`,
		`"Report" (linkcheck.toml:1)`:             "[Report]\nfixes = \"x\"",
		`"fixes " (linkcheck.toml:1)`:             `"fixes " = "x"`,
		`"\x1b[2J"`:                               `"\u001b[2J" = 1`,
		`"exec" (linkcheck.toml:1)`:               `exec = "sh"`,
		`"fixes" (linkcheck.toml:3)`:              "[report]\nlang = \"de\"\nfixes = \"x\"",
		"20 other keys":                           manyKeys(30),
	}
	for _, flag := range []string{"config", "registry", "show-secrets", "allow-private", "connect-to", "proxy-prefix", "proxy-rule", "news-server", "cnrp-service",
		"file-root", "persistent-hosts", "parked-hosts", "parked-markers", "wall-rules", "access-rules", "metrics", "log-json", "max-bytes", "robots", "memento", "mail-to",
		"smtp-host", "smtp-plain", "xlsx", "record-url", "listen", "from", "dir", "now", "quiet", "fail-on", "allow-empty", "workers"} {
		texts[fmt.Sprintf("%q (linkcheck.toml:1)", flag)] = flag + " = 1"
	}
	verbs := [][]string{{"run", "a.txt"}, {"report"}, {"extract", "a.txt"}, {"store", "export"}, {"check", "info:lccn/1"}, {"schemes"}}
	for want, text := range texts {
		folderFile(t, text)
		for _, args := range verbs {
			s := call(t.Context(), "", args...)
			if s.code != exit.BadUsage || s.out != "" || !strings.Contains(s.err, want) || !strings.Contains(s.err, "give this file by --config") {
				t.Errorf("%s\n%v: %+v, want %s", text, args, s, want)
			}
		}
		if files, err := os.ReadDir("."); err != nil || len(files) != 3 {
			t.Errorf("%s: something was done: %v, %v", text, files, err)
		}
	}
}

func manyKeys(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "key%d = 1\n", i)
	}
	return b.String()
}

// TestFolderValues: values that do harm although their key does none.
func TestFolderValues(t *testing.T) {
	for text, want := range map[string]string{
		`user-agent = "x\r\nCookie: y"`:                          "control characters",
		`contact = "x\u0000y"`:                                   "control characters",
		`collection = "\u001b]0;owned\u0007"`:                    "control characters",
		`collection = ["a", "\u202egpj.exe"]`:                    "control characters",
		`collection = {a = 1}`:                                   "not a table",
		"[run.collection]\na = 1":                                "not a table",
		`exclude = "(.{1000}){1000}"`:                            "repeat count",
		`exclude = ".{1000}.{1000}.{1000}"`:                      "too large",
		`exclude = "("`:                                          "missing closing",
		`lang = "` + strings.Repeat("x", 2000):                   "linkcheck.toml:1: ",
		`lang = "` + strings.Repeat("x", 2000) + `"`:             "longer than 1000",
		"only = [" + strings.Repeat(`"dead",`, 101) + "]":        "101 values",
		"#" + strings.Repeat("x", 1<<20):                         "larger than 1048576 octets",
		"a" + strings.Repeat(".a", 30_000) + " = 1":              "more than 4096 octets; give this file by --config",
		"x = [\"\"\"\n#\"\"\", " + strings.Repeat("{a=", 10_000): "more than 4096 octets",
		strings.Repeat("[", 4000):                                "linkcheck.toml:1: ",
	} {
		folderFile(t, text)
		if s := call(t.Context(), "", "run", "a.txt"); s.code != exit.BadUsage || !strings.Contains(s.err, want) {
			t.Errorf("%.60s: %+v, want %s", text, s, want)
		}
		if _, err := os.Stat("linkcheck.db"); err == nil {
			t.Errorf("%.60s: something was done", text)
		}
	}
}

// TestFolderMay: harmless keys are heard in the current folder, after all else that the
// person wrote; with --config it is like any file.
func TestFolderMay(t *testing.T) {
	folderFile(t, "collection = \"folder\"\ncontact = \"folder@a.test\"\nlang = \"de\"\nuser-agent = \"folder\"\n[run]\nexclude = [\"^ftp:\", \"x{3}\"]\n")
	home := t.TempDir()
	env := map[string]string{"HOME": "/nonexistent", "XDG_CONFIG_HOME": home, "LINKCHECK_USER_AGENT": "environment"}
	if err := os.Mkdir(filepath.Join(home, "linkcheck"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, "linkcheck", config.Name), []byte("contact = \"own@a.test\"\nmetrics = \"m.prom\"\nuser-agent = \"own\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	a := &app{log: logTo(io.Discard), getenv: func(name string) string { return env[name] }}
	run, _, err := newRoot(a).Find([]string{"run"})
	if err != nil {
		t.Fatal(err)
	}
	if err := run.ParseFlags([]string{"--lang", "en"}); err != nil {
		t.Fatal(err)
	}
	if err := a.configure(t.Context(), run); err != nil {
		t.Fatal(err)
	}
	for flag, want := range map[string]string{"lang": "en", "user-agent": "environment", "contact": "own@a.test", "metrics": "m.prom",
		"collection": "folder", "exclude": `[^ftp:,x{3}]`} {
		if got := run.Flag(flag).Value.String(); got != want {
			t.Errorf("%s is %s, want %s", flag, got, want)
		}
	}
	folderFile(t, "fixes = \"f.tsv\"\n")
	if s := call(t.Context(), "", "schemes", "--config", config.Name); s.code != exit.OK {
		t.Errorf("with --config: %+v", s)
	}
}

// TestFolderPassedOver: what is not the person's own is passed over with a line, and the
// work goes on.
func TestFolderPassedOver(t *testing.T) {
	remove := func() error { return os.Remove(config.Name) }
	for name, tt := range map[string]struct {
		become func() error
		want   string
	}{
		"FIFO":   {func() error { return errors.Join(remove(), mkfifo(config.Name)) }, "it is no regular file"},
		"folder": {func() error { return errors.Join(remove(), os.Mkdir(config.Name, 0o700)) }, "it is no regular file"},
		"device": {func() error { return errors.Join(remove(), os.Symlink("/dev/zero", config.Name)) }, "it cannot be opened (path escapes from parent)"},
		"link":   {func() error { return errors.Join(remove(), os.Symlink("../../etc/hosts", config.Name)) }, "it cannot be opened (path escapes from parent)"},
		"owner":  {func() error { return os.Chown(config.Name, 12345, -1) }, "it belongs neither to you nor to root"},
		"owner of the link": {func() error {
			return errors.Join(os.Rename(config.Name, "x"), os.Symlink("x", config.Name), os.Lchown(config.Name, 12345, -1))
		}, "it belongs neither to you nor to root"},
		"owner of the target": {func() error {
			return errors.Join(os.Rename(config.Name, "x"), os.Symlink("x", config.Name), os.Chown("x", 12345, -1))
		}, "it belongs neither to you nor to root"},
	} {
		t.Run(name, func(t *testing.T) {
			if strings.HasPrefix(name, "owner") && os.Geteuid() != 0 {
				t.Skip("only root gives files away")
			}
			folderFile(t, "fixes = \"../x\"\n")
			if err := tt.become(); err != nil {
				t.Fatal(err)
			}
			s := call(t.Context(), "", "extract", "a.txt")
			if want := "linkcheck: passed over linkcheck.toml of this folder: " + tt.want + "\n"; s.code != exit.OK || s.err != want || !strings.Contains(s.out, "http://a.test/") {
				t.Errorf("%+v, want %s", s, want)
			}
		})
	}
	folderFile(t, "lang = \"de\"\n") // a link that stays in the folder is followed
	if err := errors.Join(os.Rename(config.Name, "x"), os.Symlink("x", config.Name)); err != nil {
		t.Fatal(err)
	}
	if s := call(t.Context(), "", "extract", "a.txt"); s.code != exit.OK || s.err != "" {
		t.Errorf("a link in the folder: %+v", s)
	}
}

// TestFolderKeysAreFlags: each harmless key is a flag, and none names a file.
func TestFolderKeysAreFlags(t *testing.T) {
	root := newRoot(&app{})
	known := flagsOf(root)
	for name := range folderMay {
		if !known[name] {
			t.Errorf("%s is no flag", name)
		}
	}
	for _, cmd := range everyVerb(root) {
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if word, _ := pflag.UnquoteUsage(f); folderMay[f.Name] != nil && (word == "FILE" || word == "DIR" || word == "FOLDER" || word == "CIDR" || strings.HasPrefix(word, "HOST")) {
				t.Errorf("%s --%s wants a %s", cmd.CommandPath(), f.Name, word)
			}
		})
	}
}
