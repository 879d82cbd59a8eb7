//go:build unix

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"linkcheck/fleet"
	"linkcheck/fleet/engine"
	"linkcheck/fleet/overview"
	"linkcheck/internal/exit"
	"linkcheck/internal/lab"
	"linkcheck/report/text"
	"linkcheck/store"
	"linkcheck/store/setfile"
	"linkcheck/testdata/corpus"
	"linkcheck/uri/equal"
)

// fleetWorld is an engine with a set, servers to ask, and documents.
type fleetWorld struct {
	*testing.T
	dir, docs, url, copies string
	env                    []string
}

func newFleetWorld(t *testing.T, gap string) *fleetWorld {
	t.Helper()
	if testing.Short() && t.Name() != "TestFleetNights" {
		t.Skip("one fleet of processes is enough with the race detector")
	}
	t.Parallel()
	world, err := lab.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = world.Close() })
	e, err := engine.Start("127.0.0.1", 0, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Stop() })
	dir := t.TempDir()
	w := &fleetWorld{t, dir, filepath.Join(dir, "documents"), e.URL(), filepath.Join(dir, "copies"), nil}
	conf := filepath.Join(dir, "lab.toml")
	if err := errors.Join(corpus.WriteDemo(w.docs), os.WriteFile(conf, []byte(labConfig(world.ConnectTo())), 0o600)); err != nil {
		t.Fatal(err)
	}
	w.older()
	w.env = append(os.Environ(), "LINKCHECK_CONFIG="+conf, "LINKCHECK_TIMEOUT=2s", "LINKCHECK_HOST_DELAY="+gap)
	return w
}

// older gives the documents a time of an hour ago: a file of the last seconds is kept without its
// time, and whoever reads it a moment later keeps it with one.
func (w *fleetWorld) older() {
	w.Helper()
	then := time.Now().Add(-time.Hour)
	err := filepath.WalkDir(w.docs, func(path string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Chtimes(path, then, then))
	})
	if err != nil {
		w.Fatal(err)
	}
}

// longestVerb is more than any verb takes on a busy machine: one that hangs ends with what was told.
const longestVerb = 10 * time.Minute

// do runs the program and holds it to an exit code.
func (w *fleetWorld) do(code int, args ...string) (stdout, stderr string) {
	w.Helper()
	var out, told bytes.Buffer
	ctx, cancel := context.WithTimeout(w.Context(), longestVerb)
	defer cancel()
	cmd := exec.CommandContext(ctx, "linkcheck", args...)
	cmd.Stdout, cmd.Stderr, cmd.Env = &out, &told, w.env
	if err := cmd.Run(); cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != code {
		w.Fatalf("linkcheck %s: %v, want exit code %d\n%s%s", strings.Join(args, " "), err, code, &out, &told)
	}
	return out.String(), told.String()
}

// night makes a night of the fleet.
func (w *fleetWorld) night(now string) (stdout string) {
	w.Helper()
	stdout, _ = w.do(0, "run", "--engine", w.url, "--copies", w.copies, "--now", now, w.docs)
	return stdout
}

// fleetProcess is a worker as a process.
type fleetProcess struct {
	*exec.Cmd
	answered chan bool // closed when it has kept an answer
}

func (w *fleetWorld) work(name string, more ...string) *fleetProcess {
	w.Helper()
	args := append([]string{"fleet", "work", "--engine", w.url, "--copies", w.copies, "--name", name, "--dir", filepath.Join(w.dir, name), "--log-json"}, more...)
	p := &fleetProcess{exec.Command("linkcheck", args...), make(chan bool)}
	p.Env = w.env
	told, err := p.StderrPipe()
	if err == nil {
		err = p.Start()
	}
	if err != nil {
		w.Fatal(err)
	}
	said := make(chan []string, 1)
	w.Cleanup(func() {
		_ = p.Process.Kill()
		if lines := <-said; w.Failed() {
			w.Logf("worker %s said last:\n%s", name, strings.Join(lines[max(0, len(lines)-20):], "\n"))
		}
	})
	go func() {
		first := true
		var last []string // that tell of no answer
		for lines := bufio.NewScanner(told); lines.Scan(); {
			if !strings.Contains(lines.Text(), `"outcome"`) {
				last = append(last, lines.Text())
			} else if first {
				first = false
				close(p.answered)
			}
		}
		said <- last
	}()
	return p
}

// ends waits for the end of a worker.
func (w *fleetWorld) ends(p *fleetProcess) {
	w.Helper()
	if err := p.Wait(); err != nil {
		w.Errorf("%s: %v", strings.Join(p.Args, " "), err)
	}
}

// status is that of the set.
func (w *fleetWorld) status() (s overview.Status) {
	w.Helper()
	out, _ := w.do(0, "fleet", "status", "--json", "--engine", w.url)
	if err := json.Unmarshal([]byte(out), &s); err != nil || strings.Count(out, "\n") != 1 {
		w.Fatalf("%q: %v", out, err)
	}
	return s
}

// timeOfDay is in what is known, and in its checksum.
var timeOfDay = regexp.MustCompile(`T[0-9:.]+Z|"octets":"[0-9a-f]+"`)

// canonOf gives what a store knows, but for the time of day: that of no two runs is the same.
func (w *fleetWorld) canonOf(path string) []string {
	w.Helper()
	st, err := store.Open(path, &store.Options{ReadOnly: true})
	if err != nil {
		w.Fatal(err)
	}
	defer st.Close()
	var b bytes.Buffer
	if err := st.Canon(w.Context(), &b); err != nil {
		w.Fatal(err)
	}
	lines := strings.Split(timeOfDay.ReplaceAllString(b.String(), ""), "\n")
	slices.Sort(lines)
	return lines
}

// A night of three workers knows what that of the plain program does, also where one of them is
// killed in it and the others are told to go after it; so does the next one.
func TestFleetNights(t *testing.T) {
	w := newFleetWorld(t, "50ms")
	w.do(0, "fleet", "init", "--engine", w.url, "--shards", "8", "--session", "3s")
	a, b, c := w.work("a"), w.work("b"), w.work("c")
	go func() {
		<-b.answered
		_ = b.Process.Kill()
	}()
	w.night("2026-11-14T02:00:00Z")
	_ = b.Wait()
	if s := w.status(); s.Run != 1 || s.Reads || len(s.Stuck) > 0 {
		t.Errorf("%+v", s)
	}
	told := w.night("2026-11-22T02:00:00Z")
	if out, _ := w.do(0, "fleet", "drain", "--engine", w.url, "a"); !strings.Contains(out, "a has ended") {
		t.Errorf("%q", out)
	}
	w.ends(a)
	if err := c.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	w.ends(c)

	one, plain := filepath.Join(w.dir, "one.db"), ""
	for _, now := range []string{"2026-11-14T02:00:00Z", "2026-11-22T02:00:00Z"} {
		plain, _ = w.do(0, "run", "--store", one, "--now", now, w.docs)
	}
	if got, want := strings.ReplaceAll(told, w.copies, "STORE"), strings.ReplaceAll(plain, one, "STORE"); got != want {
		t.Errorf("the fleet says\n%s\nand the plain program\n%s", got, want)
	}
	got, want := w.canonOf(w.copies), w.canonOf(one)
	differ := 0
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			if differ++; differ < 4 {
				t.Errorf("line %d:\n%.1500s\n%.1500s", i, append(got, make([]string, i+1)...)[i], append(want, make([]string, i+1)...)[i])
			}
		}
	}
	if differ > 0 || len(want) < 50 {
		t.Errorf("%d of %d lines differ", differ, len(want))
	}
	rows, _ := w.do(0, "report", "--store", w.copies, "--csv", "-")
	if other, _ := w.do(0, "report", "--store", one, "--csv", "-"); strings.Count(rows, "\n") != strings.Count(other, "\n") {
		t.Errorf("%d rows of copies, and %d of one store", strings.Count(rows, "\n"), strings.Count(other, "\n"))
	}
	lost, err := filepath.Glob(filepath.Join(w.copies, "003@*"))
	if err != nil || len(lost) == 0 {
		t.Fatal(lost, err)
	}
	for _, name := range lost {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	if _, told := w.do(exit.Distrusted, "report", "--store", w.copies); !strings.Contains(told, "003@0: store corrupt") && !strings.Contains(told, "is missing") {
		t.Errorf("%q", told)
	}
}

// A run that is told to end leaves the night to the workers.
func TestFleetGoesOn(t *testing.T) {
	w := newFleetWorld(t, "300ms")
	w.do(0, "fleet", "init", "--engine", w.url, "--shards", "4", "--session", "3s")
	a := w.work("a", "--metrics", filepath.Join(w.dir, "a.prom"))
	run := exec.CommandContext(t.Context(), "linkcheck", "run", "--engine", w.url, "--copies", w.copies, w.docs)
	var told bytes.Buffer
	run.Stderr, run.Env = &told, w.env
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	<-a.answered
	if err := run.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if _ = run.Wait(); run.ProcessState.ExitCode() != exit.Interrupted || !strings.Contains(told.String(), "the workers go on with the night") {
		t.Fatalf("%v: %s", run.ProcessState, &told)
	}
	for s := w.status(); s.Through < 4; s = w.status() {
		time.Sleep(100 * time.Millisecond)
	}
	if err := a.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	w.ends(a)
	if out, _ := w.do(0, "report", "--store", w.copies, "--summary"); !strings.Contains(out, "72 checked") {
		t.Errorf("%s", out)
	}
	if figures, err := os.ReadFile(filepath.Join(w.dir, "a.prom")); err != nil || !text.AreMetrics(figures) || !strings.Contains(string(figures), "linkcheck_fleet_shards_stuck 0\n") {
		t.Errorf("%s, %v", figures, err)
	}
}

// What is wrong is told in a sentence, with an exit code, before anything is changed.
func TestFleetRefuses(t *testing.T) {
	server, err := engine.Start("127.0.0.1", 0, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Stop() })
	dir, url := t.TempDir(), server.URL()
	copies, other, set := filepath.Join(dir, "copies"), filepath.Join(dir, "other"), filepath.Join(dir, "set")
	if err := errors.Join(os.Mkdir(other, 0o700), setfile.NewFleet(2, equal.Edition).Write(other), os.Mkdir(set, 0o700), setfile.New(2, equal.Edition).Write(set)); err != nil {
		t.Fatal(err)
	}
	refuses := func(code int, want string, line ...string) {
		t.Helper()
		if s := call(t.Context(), "", line...); s.code != code || !strings.Contains(s.err, want) || !strings.Contains(s.err, "error: ") {
			t.Errorf("%s: %+v, want exit code %d and %q", strings.Join(line, " "), s, code, want)
		}
	}
	refuses(exit.BadUsage, "--engine is missing", "fleet", "status")
	refuses(exit.Distrusted, "no engine answers", "fleet", "status", "--engine", "nats://127.0.0.1:1")
	refuses(exit.BadUsage, "--creds: ", "fleet", "status", "--engine", url, "--creds", filepath.Join(dir, "none"))
	refuses(exit.BadUsage, "--tls-cert and --tls-key", "fleet", "status", "--engine", url, "--tls-cert", set)
	refuses(exit.BadUsage, "there is none", "fleet", "status", "--engine", url)
	refuses(exit.BadUsage, "--shards is 1 to 256", "fleet", "init", "--engine", url, "--shards", "0")
	refuses(exit.BadUsage, "no name of a set", "fleet", "init", "--engine", url, "--set", "a.b")
	if s := call(t.Context(), "", "fleet", "init", "--engine", url, "--shards", "2"); s.code != exit.OK {
		t.Fatalf("%+v", s)
	}
	refuses(exit.BadUsage, "there is a set already", "fleet", "init", "--engine", url)
	refuses(exit.BadUsage, "none of the name", "fleet", "status", "--engine", url, "--set", "b")
	refuses(exit.BadUsage, "--copies is missing", "fleet", "work", "--engine", url)
	refuses(exit.BadUsage, "is no name of a worker", "fleet", "work", "--engine", url, "--copies", copies, "--name", "run")
	refuses(exit.BadUsage, "those of another set", "fleet", "work", "--engine", url, "--copies", other, "--name", "a")
	refuses(exit.BadUsage, "those of another set", "fleet", "work", "--engine", url, "--copies", set, "--name", "a")
	refuses(exit.BadUsage, "there is no worker", "fleet", "drain", "--engine", url, "a")
	for _, verb := range [][]string{{"run", dir}, {"fleet", "work"}} {
		refuses(exit.BadUsage, "--canary: about is not probed", append(verb, "--engine", url, "--copies", copies, "--canary=about:blank")...)
		refuses(exit.BadUsage, "cannot be run", append(verb, "--engine", url, "--copies", copies, "--browser="+filepath.Join(dir, "none"), "--browser-no-sandbox")...)
	}
	refuses(exit.InUse, "which alone changes them", "mark", "--store", other, "a.test", "ignore", "--why", "x")
	refuses(exit.BadUsage, "those of another set", "mark", "--engine", url, "--copies", other, "a.test", "ignore", "--why", "x")
	if s := call(t.Context(), "", "run", "--engine", url, "--copies", copies, "--dry-run", dir); s.code != exit.OK || s.out != "read\t"+dir+"\n" {
		t.Errorf("%+v", s)
	}

	n, err := fleet.Find(t.Context(), fleet.Access{URL: url}, "")
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	seq, err := n.Renew(t.Context(), fleet.Session{Worker: "a", Incarnation: "1"}, 0)
	if err != nil {
		t.Fatal(err)
	}
	stop, err := n.Hear("look", func(msg []byte) {
		var q struct{ To string }
		is, err := json.Marshal(fleet.WorkerStatus{Worker: "a", Sure: true, Shards: []fleet.ShardStatus{
			{Shard: 0, Live: true, Standing: fleet.Standing{Run: 3, Through: true}}, {Shard: 1, Live: true, Standing: fleet.Standing{Run: 3}},
		}})
		if err = errors.Join(err, json.Unmarshal(msg, &q)); err != nil {
			t.Error(err)
		}
		n.Send(q.To, is)
	})
	if err != nil {
		t.Fatal(err)
	}
	refuses(exit.InUse, "night 3 of the set links goes on: 1 of 2 shards are through", "run", "--engine", url, "--copies", copies, dir)
	stop()
	if _, err := n.Renew(t.Context(), fleet.Session{Worker: "a", Leaving: true}, seq); err != nil {
		t.Fatal(err)
	}
	if _, err := n.Renew(t.Context(), fleet.Session{Worker: runName, Incarnation: "1", Reads: true}, 0); err != nil {
		t.Fatal(err)
	}
	refuses(exit.InUse, "another run of the set links is under way", "run", "--engine", url, "--copies", copies, dir)
	refuses(exit.BadUsage, "no name of a worker", "fleet", "work", "--engine", url, "--copies", copies, "--name", "a.b")
}

// The night of a fleet looks at what --canary and --map name, as that of a store does. A worker
// that meets no canary of its own counts no failure, and the run says so.
func TestFleetCanaries(t *testing.T) {
	w := newFleetWorld(t, "20ms")
	w.do(0, "fleet", "init", "--engine", w.url, "--shards", "4", "--session", "3s")
	tree, one := filepath.Join(w.dir, "tree"), filepath.Join(w.dir, "one.db")
	pages := map[string]string{
		"index.html": `<a href="a.html">a</a> <a href="nowhere.html">n</a> <a href="http://other.test/b.html">b</a>`,
		"a.html":     `<a href="/">home</a>`, "b.html": `<p>of another site`,
	}
	for name, text := range pages {
		path := filepath.Join(tree, name)
		if name == "b.html" {
			path = filepath.Join(w.dir, "other", name)
		}
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	other := filepath.Join(w.dir, "other")
	flags := []string{"--canary", "http://www.wells.test/atlas/", "--map", tree + "=http://www.wells.test/", "--map", other + "=http://other.test/", w.docs, tree, other}
	then := time.Now().Add(-time.Hour)
	for _, path := range []string{tree + "/index.html", tree + "/a.html", other + "/b.html"} {
		if err := os.Chtimes(path, then, then); err != nil {
			t.Fatal(err)
		}
	}
	a := w.work("a")
	w.do(0, append([]string{"run", "--engine", w.url, "--copies", w.copies, "--now", "2026-11-14T02:00:00Z"}, flags...)...)
	w.do(0, append([]string{"run", "--store", one, "--now", "2026-11-14T02:00:00Z"}, flags...)...)
	w.sameAs(w.copies, one)
	if rows, _ := w.do(0, "report", "--store", w.copies, "--csv", "-"); strings.Count(rows, "in-archive") < 3 || !strings.Contains(rows, "http://other.test/b.html") {
		t.Errorf("%s", rows)
	}
	if err := a.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	w.ends(a)
	b := w.work("b", "--canary", "http://nowhere.wells.invalid/", "--canary", "http://www.wells.test/none")
	for len(w.status().Workers) == 0 {
		time.Sleep(100 * time.Millisecond)
	}
	_, told := w.do(exit.Distrusted, append([]string{"run", "--engine", w.url, "--copies", w.copies, "--now", "2026-11-22T02:00:00Z"}, flags...)...)
	if !strings.Contains(told, "no canary is there: http://nowhere.wells.invalid/: ") || !strings.Contains(told, "no strikes were counted") {
		t.Errorf("%s", told)
	}
	if err := b.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	w.ends(b)
}
