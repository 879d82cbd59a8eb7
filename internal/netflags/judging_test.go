package netflags

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"linkcheck/check/browser"
	"linkcheck/internal/hostsettings"
)

// judgingOf gives what decides, by flags that are given.
func judgingOf(t *testing.T, args ...string) map[string]string {
	t.Helper()
	n, cmd := &Flags{}, &cobra.Command{}
	n.Register(cmd, "1")
	if err := cmd.ParseFlags(args); err != nil {
		t.Fatal(err)
	}
	all, err := n.Judging(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// What decides is told by its flag and value, and of a file by what stands in it; where a
// machine stands is not.
func TestJudging(t *testing.T) {
	file := func(name, text string) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, v := range []struct {
		a, b   []string
		differ []string
	}{
		{nil, []string{"--timeout", "20s"}, nil},
		{nil, []string{"--timeout", "7s", "--host-delay", "1s"}, []string{"host-delay", "timeout"}},
		{[]string{"--timeout", "7s"}, []string{"--timeout", "7000ms"}, nil},
		{[]string{"--exclude", "a"}, []string{"--exclude", "a", "--exclude", "b"}, []string{"exclude"}},
		{nil, []string{"--workers", "3", "--source-address", "127.0.0.1", "--proxy", "http://u:p@h:1", "--now", "2026-01-01"}, nil},
		{[]string{"--parked-hosts", file("a", "x.test\n")}, []string{"--parked-hosts", file("b", "x.test\n")}, nil},
		{[]string{"--parked-hosts", file("a", "x.test\n")}, []string{"--parked-hosts", file("a", "y.test\n")}, []string{"parked-hosts"}},
	} {
		a, b := judgingOf(t, v.a...), judgingOf(t, v.b...)
		var differ []string
		for _, name := range slices.Sorted(maps.Keys(b)) {
			if a[name] != b[name] {
				differ = append(differ, name)
			}
		}
		if !slices.Equal(differ, v.differ) {
			t.Errorf("%q and %q differ in %q, want %q", v.a, v.b, differ, v.differ)
		}
	}
}

// A flag that is left out, or read as a file, is one of Register.
func TestJudgingNames(t *testing.T) {
	n, cmd := &Flags{}, &cobra.Command{}
	n.Register(cmd, "1")
	if len(n.own) < 30 {
		t.Errorf("%d flags", len(n.own))
	}
	for _, name := range slices.Concat(ofMachine, ofFiles) {
		if f := cmd.Flags().Lookup(name); f == nil || !slices.Contains(n.own, f) {
			t.Errorf("--%s is no flag of Register", name)
		}
	}
}

// Tables are compared by what they decide, and no secret tells.
func TestJudgingTables(t *testing.T) {
	of := func(values map[string]any) string {
		values["match"] = "a.test"
		table, err := hostsettings.Parse([]hostsettings.Source{{Values: values, Where: func(string) string { return "" }}})
		if err != nil {
			t.Fatal(err)
		}
		n := &Flags{Hosts: table}
		all, err := n.Judging(t.Context())
		if err != nil || len(all) != 1 {
			t.Fatal(all, err)
		}
		return all[Tables]
	}
	gap := of(map[string]any{"gap": "3s"})
	for _, v := range []struct {
		values map[string]any
		same   bool
	}{
		{map[string]any{"gap": "3s"}, true},
		{map[string]any{"gap": "4s"}, false},
		{map[string]any{"gap": "3s", "proxy": "http://u:p@h.test:1"}, true},
		{map[string]any{"gap": "3s", "bearer-file": "/a"}, false},
	} {
		if got := of(v.values); (got == gap) != v.same {
			t.Errorf("%v: %s and %s", v.values, got, gap)
		}
	}
	if a, b := of(map[string]any{"bearer-file": "/a"}), of(map[string]any{"bearer-file": "/b"}); a != b {
		t.Errorf("files of two names: %s and %s", a, b)
	}
}

// That there is a browser is agreed on, wherever it is, and the turns of hosts last for its visits.
func TestJudgingBrowser(t *testing.T) {
	plain, asked := &Flags{}, &Flags{Browser: &browser.Browser{}}
	for n, want := range map[*Flags]time.Duration{plain: 9 * time.Second, asked: 65 * time.Second} {
		n.Probe.Timeout = 2 * time.Second
		all, err := n.Judging(t.Context())
		if _, told := all["browser"]; err != nil || told != (n == asked) {
			t.Errorf("%v, %v", all, err)
		}
		if n.Longest() != want {
			t.Errorf("a visit takes %v, want %v", n.Longest(), want)
		}
	}
}
