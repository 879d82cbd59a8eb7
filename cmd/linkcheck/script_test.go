package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"linkcheck/internal/fault"
	"linkcheck/internal/lab"
	"linkcheck/internal/testdoc"
)

func TestMain(m *testing.M) {
	os.Setenv("XDG_CONFIG_HOME", os.DevNull) // whoever runs the tests may have a configuration of their own
	programs := map[string]func(){
		"deaf":         func() { os.Exit(withSignals(func(context.Context) int { fmt.Println("ready"); select {} })) },
		"breaks":       breakDown,
		"escape":       breakOut,
		"linkcheck":    func() { os.Exit(program()) },
		"bench-engine": benchEngine,
		"bench-serve":  benchServe,
		"bench-bare":   benchBare,
	}
	for name, begin := range programs { // what they cost is measured, and no test's: they collect as a process does by default
		programs[name] = func() {
			os.Unsetenv("GOGC")
			debug.SetGCPercent(100)
			begin()
		}
	}
	testscript.Main(rarelyCollected{m}, programs)
}

// rarelyCollected are tests that run the program in their own process, thousands of times: at
// steadyMemory's settings more than half of that is the collector's. No test of this process
// measures its memory.
type rarelyCollected struct{ testscript.TestingM }

func (m rarelyCollected) Run() int {
	const percent = 400
	debug.SetGCPercent(percent)
	debug.SetMemoryLimit(2 << 30)
	os.Setenv("GOGC", strconv.Itoa(percent)) // so that steadyMemory leaves it
	_ = flag.Set("test.parallel", "6")       // but where it is given: those that are parallel wait more than they compute
	return m.TestingM.Run()
}

// breakDown is a program that ends in a way that no code of it can catch.
func breakDown() {
	fault.Abort()
	switch os.Args[1] {
	case "goroutine":
		go func() { panic("nobody waits for it") }()
		select {}
	case "memory":
		fmt.Println(len(make([]byte, 1<<46)))
	}
}

// TestScripts runs the whole program over the lab: each script is a use of it.
func TestScripts(t *testing.T) {
	world, err := lab.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := world.Close(); err != nil {
			t.Error(err)
		}
	})
	scripts, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil || len(scripts) < 5 {
		t.Fatalf("scripts: %d found, %v", len(scripts), err)
	}
	testscript.Run(t, testscript.Params{
		Dir:  "testdata/script",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exit": cmdExit, "mailed": cmdMailed, "samedays": cmdSameDays, "held": cmdHeld},
		Setup: func(e *testscript.Env) error {
			mails := newSMTPServer(t)
			_, port, _ := net.SplitHostPort(mails.Addr().String())
			e.Setenv("SMTPPORT", port)
			e.Values["mails"] = mails
			corpus, err := filepath.Abs(filepath.Join("..", "..", "testdata", "corpus", "demo"))
			if err != nil {
				return err
			}
			e.Setenv("CORPUS", corpus)
			page := "<a href=\"http://www.wells.test/papers/mill.html\">mill</a>"
			testdoc.Write(t, filepath.Join(e.WorkDir, "made", "crawl.warc.gz"), testdoc.Gzip(testdoc.WARC("response", "http://www.wells.test/", testdoc.HTTPMedia, "HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n"+page)))
			testdoc.Write(t, filepath.Join(e.WorkDir, "made", "nested.tar.gz"), testdoc.Gzip(testdoc.Tar(t, "a/page.html", page, "a/in.zip", testdoc.Zip(t, "deep.html", page))))
			conf := filepath.Join(e.WorkDir, "lab.toml")
			e.Setenv("LINKCHECK_CONFIG", conf)
			return os.WriteFile(conf, []byte(labConfig(world.ConnectTo())), 0o644)
		},
	})
}

// cmdMailed writes what the mail server of the script was told since the last call, a file for each
// recipient: mailed DIR.
func cmdMailed(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: mailed DIR")
	}
	dir := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(dir, 0o755))
	for _, mail := range strings.Split(ts.Value("mails").(*smtpServer).received(), "RCPT TO:<")[1:] {
		who, text, _ := strings.Cut(mail, ">")
		ts.Check(os.WriteFile(filepath.Join(dir, who), []byte(text), 0o644))
	}
}

// cmdSameDays compares two files but for the time of day, on which a busy machine is later:
// samedays FILE FILE.
func cmdSameDays(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: samedays FILE FILE")
	}
	text := func(name string) []string {
		return strings.Split(timeOfDay.ReplaceAllString(ts.ReadFile(name), ""), "\n")
	}
	a, b := text(args[0]), text(args[1])
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			ts.Fatalf("line %d of %s is\n%s\nand of %s\n%s", i+1, args[0], a[i], args[1], b[i])
		}
	}
	if len(a) != len(b) || len(a) < 2 {
		ts.Fatalf("%s has %d lines, and %s %d", args[0], len(a), args[1], len(b))
	}
}

// cmdHeld waits until a run holds a store: held STORE.
func cmdHeld(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: held STORE")
	}
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		ts.Check(ts.Exec("linkcheck", "report", "--store", args[0], "--summary"))
		if strings.Contains(ts.ReadFile("stderr"), "a run is under way") {
			return
		}
	}
	ts.Fatalf("no run holds %s", args[0])
}

// cmdExit runs the program and holds it to an exit code: exit CODE linkcheck ARGS...
func cmdExit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exit CODE COMMAND ARGS...")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		code = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if fmt.Sprint(code) != args[0] {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}
