package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"linkcheck/fleet/engine"
	"linkcheck/internal/exit"
	"linkcheck/internal/sandbox"
	"linkcheck/internal/verbfiles"
)

// breakOut is a program that runs a verb and then, confined as that left it, does what the
// verb has no business to do. It prints what went through.
func breakOut() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	said := io.Writer(os.Stderr)
	if slices.Contains(os.Args, "serve") || slices.Contains(os.Args, "work") { // it does not end by itself
		said = &afterWords{Writer: said, do: func() { time.AfterFunc(time.Second, cancel) }}
	}
	code := run(ctx, sandbox.Enter, os.Args[1:], os.Stdin, said, said)
	outside := os.Getenv("OUTSIDE")
	secret := filepath.Join(outside, "secret")
	_, read := os.ReadFile(secret)
	_, list := os.ReadDir(outside)
	for what, err := range map[string]error{
		"read": read, "list": list,
		"write":  os.WriteFile(secret, nil, 0o600),
		"make":   os.WriteFile(filepath.Join(outside, "new"), nil, 0o600),
		"remove": os.Remove(secret),
		"mkdir":  os.Mkdir(filepath.Join(outside, "dir"), 0o700),
		"run":    exec.Command(os.Args[0]).Start(),
	} {
		if !errors.Is(err, fs.ErrPermission) {
			fmt.Printf("%s went through: %v\n", what, err)
		}
	}
	os.Exit(code)
}

// afterWords does something once, at the first words of a verb: from then on it is at work.
type afterWords struct {
	io.Writer
	once sync.Once
	do   func()
}

func (w *afterWords) Write(b []byte) (int, error) {
	w.once.Do(w.do)
	return w.Writer.Write(b)
}

// TestSandbox: every verb does its work confined, and leaves nothing else to a document
// that took it over.
func TestSandbox(t *testing.T) {
	if testing.Short() {
		t.Skip("starts the program for every verb")
	}
	if !sandbox.Available() {
		t.Skip("this system has no Landlock that denies reading and writing")
	}
	newStore(t)
	if s := call(t.Context(), "", "store", "export", "--store", "s.db"); s.code != exit.OK || os.WriteFile("s.jsonl", []byte(s.out), 0o600) != nil {
		t.Fatalf("%+v", s)
	}
	for _, dir := range []string{"docs", "out", "state", "tmp"} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.WriteFile("docs/a.txt", []byte("see http://a.test/ now"), 0o600), os.Rename("s.db", "state/s.db")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("state/s.db.copies", nil, 0o600); err != nil { // of an older program, to be taken over
		t.Fatal(err)
	}
	if s := call(t.Context(), "", "run", "--store", "state/s.db", "http://127.0.0.1:1/"); s.code != exit.Partial { // a root, not to be reached
		t.Fatalf("%+v", s)
	}
	server, err := engine.Start("127.0.0.1", 0, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer server.Stop()
	at := " --engine " + server.URL()
	outside := t.TempDir()
	tmp, err := filepath.Abs("tmp")
	if err != nil {
		t.Fatal(err)
	}
	verbs := []string{
		"run --store state/s.db --exclude . --metrics out/m.prom docs", "check --store state/s.db", "check info:lccn/1",
		"extract docs", "extract -", "lint docs", "lint --store state/s.db", "report --store state/s.db --html out/r.html --csv out/r.csv --xlsx out/r.xlsx --fixes out/r.tsv --jsonl out/r.jsonl",
		"report --store state/s.db", "dupes --store state/s.db", "explain --store state/s.db http://a.test/",
		"mend --store state/s.db", "mend --store state/s.db --write --out out/mended docs", "mend --undo out/mended", "mend --undo out/mended --write --out out/undone",
		"mark --store state/s.db a.test ignore --why x", "note --store state/s.db http://a.test/ x", "assign --store state/s.db http://a.test/ ann",
		"fix accept --store state/s.db http://a.test/ http://b.test/", "fix refuse --store state/s.db http://a.test/ http://b.test/", "log --store state/s.db",
		"archive --store state/s.db --own docs",
		"serve --store state/s.db --listen 127.0.0.1:0", "normalize a:b", "compare a:b c:d", "schemes", "demo --dir out/demo --nights 1", "demo --nights 1",
		"init out/c.toml", "man out/man", "version", "store verify --store state/s.db", "store stats --store state/s.db", "store backup --store state/s.db out/b.db",
		"store prune --store state/s.db", "store export --store state/s.db", "store compact --store state/s.db", "store salvage state/s.db out/salvaged.db", "store import --store state/n.db s.jsonl",
		"store split state/s.db out/set", "run --store out/set --exclude . docs", "report --store out/set --html out/r.html", "serve --store out/set --listen 127.0.0.1:0", "store verify --store out/set",
		"store compact --store out/set", "store backup --store out/set out/copy", "store backup --store out/set out/copy", "store join out/set out/joined.db",
		"store sources --store state/s.db", "store rename --store state/s.db --as collection docs papers", "store forget --store state/s.db papers",
		"roots --store state/s.db", "roots retire --store state/s.db 127.0.0.1",
		"fleet init --session 3s --shards 2" + at, "fleet status --json" + at, "fleet work --exclude . --name one --dir out/one --copies out/copies" + at,
		"fleet work --exclude . --name two --copies out/copies" + at, "run --exclude . --copies out/copies docs" + at, "report --store out/copies", "fleet drain other" + at,
		"fleet init --set b --from state/s.db --copies out/b" + at, "fleet upgrade --set c --from out/copies --copies out/c" + at, "fleet rebase --set d --from out/copies --copies out/d" + at,
	}
	other := make(chan result, 1)
	for _, line := range verbs {
		if strings.HasPrefix(line, "run") && strings.HasSuffix(line, at) {
			go func() {
				other <- call(t.Context(), "", strings.Fields("fleet work --exclude . --name other --dir out/other --copies out/copies"+at)...)
			}()
		}
		if err := os.WriteFile(filepath.Join(outside, "secret"), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), "escape", append([]string{"--sandbox=require"}, strings.Fields(line)...)...)
		cmd.Env = append(os.Environ(), "OUTSIDE="+outside, "TMPDIR="+tmp)
		var said strings.Builder
		cmd.Stderr = &said
		if out, err := cmd.Output(); err != nil || len(out) > 0 {
			t.Errorf("%s: %v\n%s%s", line, err, out, &said)
		}
	}
	if s := <-other; s.code != exit.OK {
		t.Errorf("%+v", s)
	}
	if left, err := os.ReadDir("tmp"); err != nil || len(left) != 1 { // the folder of the demo
		t.Errorf("left: %v, %v", left, err)
	}
	covered := strings.Join(verbs, "\n")
	for _, cmd := range everyVerb(newRoot(&app{})) {
		if verb := verbPath(cmd); cmd.Runnable() && !cmd.HasSubCommands() && !regexp.MustCompile(`(?m)^`+verb+`\b`).MatchString(covered) {
			t.Errorf("%s was not tried", verb)
		}
	}
}

// TestSandboxFlag: whoever requires a sandbox gets one or exit 2.
func TestSandboxFlag(t *testing.T) {
	for word, code := range map[string]int{"auto": exit.OK, "off": exit.OK, "on": exit.BadUsage, "require": map[bool]int{true: exit.OK, false: exit.BadUsage}[sandbox.Available()]} {
		if s := call(t.Context(), "", "schemes", "--sandbox", word); s.code != code {
			t.Errorf("%s: %+v, want %d", word, s, code)
		}
	}
}

// TestSandboxKnowsFiles: every flag and argument that names a file is in the tables of the
// sandbox, or is read before it.
func TestSandboxKnowsFiles(t *testing.T) {
	before := []string{"config", "registry"}
	isFile := func(word string) bool { return slices.Contains([]string{"FILE", "DIR", "FOLDER"}, word) }
	seen := map[string]bool{}
	for _, cmd := range everyVerb(newRoot(&app{})) {
		check := func(f *pflag.Flag) {
			known := slices.Contains(verbfiles.Flags(), f.Name)
			seen[f.Name] = seen[f.Name] || known
			if word, _ := pflag.UnquoteUsage(f); isFile(word) && !known && !slices.Contains(before, f.Name) {
				t.Errorf("%s --%s names a file that the sandbox does not know", cmd.CommandPath(), f.Name)
			}
		}
		cmd.LocalFlags().VisitAll(check)
		if known := verbfiles.Takes(verbPath(cmd)); namesFiles(cmd) != known {
			t.Errorf("%s: %q, and the sandbox knows of files: %t", cmd.CommandPath(), cmd.Use, known)
		}
	}
	for _, name := range verbfiles.Flags() {
		if !seen[name] {
			t.Errorf("there is no flag --%s", name)
		}
	}
}

// namesFiles says whether the arguments of a verb are files.
func namesFiles(cmd *cobra.Command) bool {
	return regexp.MustCompile(`\b(PATH|FILE|DIR|ROOT)\b`).MatchString(cmd.Use)
}
