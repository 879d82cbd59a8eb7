package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// workers is how many connections each program may have at once, where it can be told.
const workers = 64

// asking is a work that asks: its links in the forms that programs take.
type asking struct {
	links []link
	dir   string // of this run, empty before
	page  string // address of the page with all links
	html  string // the same page as a file
	list  string // file of addresses, one a line
	curl  string // file of addresses as curl takes them
	gap   int    // seconds between two requests to one host; 0: none
}

// tool is a program, and how it is called for each kind of work that it can do.
type tool struct {
	name, version, missing string

	// ask asks all links; what collect prints is read, or without one what measured prints.
	ask  func(a asking) (measured, collect *exec.Cmd)
	said func(out []byte) (map[string]verdict, error)
	gaps bool // it can keep a gap for each host
	once bool // so slow that it does the work of truth alone

	// find prints the links of a file.
	find   func(file string) *exec.Cmd
	listed func(out []byte) (map[string]bool, error)
	raw    bool // it reads any file as text
}

// findTools gives us, the loop, and each peer: with its version, or with why it is missing.
func findTools(linkcheck, peers string) []tool {
	npm := filepath.Join(peers, "npm/node_modules/.bin")
	list := []tool{
		linkcheckTool(linkcheck),
		{name: "bare net/http loop", version: "this program", said: statuses, ask: func(a asking) (*exec.Cmd, *exec.Cmd) {
			self, _ := os.Executable()
			return exec.Command(self, "-bare", a.list), nil
		}},
		{name: "curl", version: firstLine("curl", "--version"), said: statuses, ask: func(a asking) (*exec.Cmd, *exec.Cmd) {
			return exec.Command("curl", "--no-progress-meter", "--parallel", "--parallel-max", fmt.Sprint(workers), "-w", `%{http_code} %{url}\n`, "-K", a.curl), nil
		}},
		{name: "linkinator", version: firstLine(filepath.Join(npm, "linkinator"), "--version"), said: linkinator, ask: func(a asking) (*exec.Cmd, *exec.Cmd) {
			return exec.Command(filepath.Join(npm, "linkinator"), a.page, "--format", "json", "--concurrency", fmt.Sprint(workers)), nil
		}},
		{name: "hyperlink", version: firstLine(filepath.Join(npm, "hyperlink"), "--version"), said: hyperlink, ask: func(a asking) (*exec.Cmd, *exec.Cmd) {
			return exec.Command(filepath.Join(npm, "hyperlink"), "-c", fmt.Sprint(workers), a.page), nil
		}},
		{name: "LinkChecker", version: firstLine("linkchecker", "--version"), said: linkchecker, gaps: true, ask: askLinkchecker},
		{name: "W3C checklink", version: firstLine("checklink", "--version"), said: checklink, once: true, ask: askChecklink},
		{name: "lynx", version: firstLine("lynx", "--version"), listed: linesOf, find: func(file string) *exec.Cmd {
			return exec.Command("lynx", "-dump", "-listonly", "-nonumbers", "-force_html", file)
		}},
		{name: "xurls", version: firstLine(filepath.Join(peers, "bin/xurls"), "--version"), listed: linesOf, raw: true, find: func(file string) *exec.Cmd {
			return exec.Command(filepath.Join(peers, "bin/xurls"), file)
		}},
		{name: "muffet"}, {name: "htmltest"},
	}
	why := map[string]string{}
	missing, _ := os.ReadFile(filepath.Join(peers, "missing"))
	for line := range strings.Lines(string(missing)) {
		name, reason, _ := strings.Cut(strings.TrimSpace(line), "\t")
		why[name] = reason
	}
	for i := range list {
		t := &list[i]
		if t.version == "" {
			t.missing = "not found: scripts/benchpeers/install.sh"
			if reason := why[strings.ToLower(t.name)]; reason != "" {
				t.missing = reason
			}
		}
	}
	return list
}

// firstLine is what a program says of its version; "" if it cannot be called.
func firstLine(name string, args ...string) string {
	out, err := exec.Command(name, args...).Output()
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) {
		return ""
	}
	line, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	line, _, _ = strings.Cut(line, " (")
	return cmp.Or(strings.Join(strings.Fields(line), " "), "unknown")
}

func linkcheckTool(program string) tool {
	return tool{
		name: "linkcheck", version: firstLine(program, "version"), said: ours, gaps: true, raw: true,
		ask: func(a asking) (measured, collect *exec.Cmd) {
			store := filepath.Join(a.dir, "library.db")
			measured = exec.Command(program, "run", "--quiet", "--store", store, "--allow-private", "127.0.0.0/8", "--workers", fmt.Sprint(workers),
				"--per-host", fmt.Sprint(workers), "--host-delay", fmt.Sprint(a.gap, "s"), "--retry-delay", "1s", a.html)
			if a.gap > 0 {
				measured.Args = append(measured.Args, "--per-host", "1", "--workers", "1000")
			}
			return measured, exec.Command(program, "report", "--quiet", "--store", store, "--jsonl", "-")
		},
		find:   func(file string) *exec.Cmd { return exec.Command(program, "extract", "--jsonl", file) },
		listed: rowsOf,
	}
}

// askLinkchecker has it ask a host once a second where there is to be a gap. Else our server
// lifts its limit by a header; what is set here would leave waits of up to half a second.
func askLinkchecker(a asking) (measured, collect *exec.Cmd) {
	config := filepath.Join(a.dir, "linkcheckerrc")
	limit := 1_000_000
	if a.gap > 0 {
		limit = 1
	}
	text := fmt.Sprintf("[checking]\nmaxrequestspersecond=%d\n", limit)
	_ = os.WriteFile(config, []byte(text), 0o644)
	return exec.Command("linkchecker", "-f", config, "-r1", "--check-extern", "-t", fmt.Sprint(workers), "--no-status", "-v", "-o", "csv", a.page), nil
}

// askChecklink lets it ask addresses of this machine. Its gap of a second cannot be lifted.
func askChecklink(a asking) (measured, collect *exec.Cmd) {
	config := filepath.Join(a.dir, "checklink.conf")
	_ = os.WriteFile(config, []byte("Allow_Private_IPs = 1\n"), 0o644)
	measured = exec.Command("checklink", a.page)
	measured.Env = append(os.Environ(), "W3C_CHECKLINK_CFG="+config)
	return measured, nil
}
