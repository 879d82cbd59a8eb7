//go:build linux

package hardening

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"linkcheck/internal/testprogram"
)

// The ceilings that hold where a row names none (user and system time; resident memory).
const (
	maxCPU    = 10 * time.Second
	maxMemory = 200 // MB
	maxOutput = 100 << 20
	patience  = 3 * time.Minute // a process that is still there then is killed, and failed; a net: the machine may be loud
	keptText  = 1 << 20         // of what a process prints, so much is kept
)

// programFolder holds the binary under attack.
var programFolder string

// program gives that binary, built for the first test that starts it.
var program = sync.OnceValues(func() (string, error) { return testprogram.Build(programFolder) })

func TestMain(m *testing.M) {
	flag.Parse()
	flag.Set("test.parallel", "8") // most attacks wait
	os.Exit(func() int {
		var err error
		if programFolder, err = os.MkdirTemp("", "hardening"); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(programFolder)
		return m.Run()
	}())
}

// long passes over what takes a while where the tests are to be short.
func long(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("these attacks take a while: the full pass makes them")
	}
}

// A place is where the program is attacked: a home, a working folder below it, and a
// listener on loopback that nobody may ask.
type place struct {
	t      *testing.T
	root   string // of everything
	work   string // the working folder
	inward string // the address of the listener
	asked  atomic.Int64
}

// newPlace makes a place with these files in its working folder; a name that ends in "/" is a folder.
func newPlace(t *testing.T, files map[string]string) *place {
	t.Helper()
	p := &place{t: t, root: t.TempDir()}
	p.work = filepath.Join(p.root, "home", "here")
	if err := os.MkdirAll(p.work, 0o755); err != nil {
		t.Fatal(err)
	}
	p.write("../.bashrc", "export MINE=1\n")
	p.write("../.ssh/id_rsa", "the-private-key-of-the-person\n")
	for name, text := range files {
		p.write(name, text)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	p.inward = l.Addr().String()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			p.asked.Add(1)
			c.Close()
		}
	}()
	return p
}

func (p *place) path(name string) string { return filepath.Join(p.work, name) }

func (p *place) write(name, text string) {
	p.t.Helper()
	path := p.path(name)
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	if err == nil && !strings.HasSuffix(name, "/") {
		err = os.WriteFile(path, []byte(text), 0o644)
	}
	if err != nil {
		p.t.Fatal(err)
	}
}

// make writes a document that is made while it is written.
func (p *place) make(name string, d doc) {
	p.t.Helper()
	p.write(name, "")
	f, err := os.Create(p.path(name))
	if err != nil {
		p.t.Fatal(err)
	}
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<16)
	d(w)
	if err := w.Flush(); err != nil {
		p.t.Fatal(err)
	}
}

func (p *place) read(name string) string {
	p.t.Helper()
	text, err := os.ReadFile(p.path(name))
	if err != nil {
		p.t.Fatal(err)
	}
	return string(text)
}

// An outcome is what one start of the program did.
type outcome struct {
	args     []string
	code     int
	out, err heard
	cpu      time.Duration // user and system, with its children
	memory   int           // MB resident at most
	killed   bool          // it had not ended by itself
}

// A start says how the program is started.
type start struct {
	stdin    io.Reader
	needles  []string // looked for in all that is printed
	env      []string
	patience time.Duration                  // 0: that of all
	during   func(*os.Process, *heard) bool // called beside it, for signals; with its standard error
}

// run starts the program in the working folder with nobody else's settings.
func (p *place) run(args ...string) *outcome { return p.start(start{}, args...) }

func (p *place) start(s start, args ...string) *outcome {
	p.t.Helper()
	file, err := program()
	if err != nil {
		p.t.Fatal(err)
	}
	if s.patience == 0 {
		s.patience = patience
	}
	ctx, cancel := context.WithTimeout(p.t.Context(), s.patience)
	defer cancel()
	o := &outcome{args: args, out: heard{needles: s.needles}, err: heard{needles: s.needles}}
	cmd := exec.CommandContext(ctx, file, args...)
	cmd.Dir = p.work
	cmd.Env = append([]string{"HOME=" + filepath.Dir(p.work), "PATH=/usr/bin:/bin", "TMPDIR=" + p.tmp(), "LANG=C.UTF-8"}, s.env...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = s.stdin, &o.out, &o.err
	cmd.WaitDelay = 5 * time.Second
	forgetMemory()
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	if s.during != nil {
		go s.during(cmd.Process, &o.err)
	}
	err = cmd.Wait()
	o.code = cmd.ProcessState.ExitCode()
	var status *exec.ExitError
	if err != nil && !errors.As(err, &status) && ctx.Err() == nil {
		p.t.Fatalf("%q: %v", args, err)
	}
	o.killed = ctx.Err() != nil
	o.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	o.memory = int(cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss >> 10)
	return o
}

// forgetMemory gives back what this process does not use. Linux counts the memory of a
// program from the moment of the fork: what its parent had at most would be its least.
func forgetMemory() {
	debug.FreeOSMemory()
	os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
}

func (p *place) tmp() string {
	tmp := filepath.Join(p.root, "tmp")
	if err := os.MkdirAll(tmp, 0o755); err != nil {
		p.t.Fatal(err)
	}
	return tmp
}

// A ceiling is what one start may cost, and how it may end. Zero is the ceiling of all.
type ceiling struct {
	codes  []int // the exit codes that are right; none: any
	cpu    time.Duration
	memory int
	output int64
}

// within holds an outcome against a ceiling, and against what holds for every output.
func (p *place) within(o *outcome, c ceiling) {
	p.t.Helper()
	if c.cpu == 0 {
		c.cpu = maxCPU
	}
	if c.memory == 0 {
		c.memory = maxMemory
	}
	if c.output == 0 {
		c.output = maxOutput
	}
	name := fmt.Sprintf("%.200q", o.args)
	p.t.Logf("exit %d, %v, %d MB, %d lines, %d octets: %.300q %.200q", o.code, o.cpu.Round(time.Millisecond), o.memory, o.out.lines, o.out.size, o.out.text(300), o.err.text(200))
	if o.killed {
		p.t.Errorf("%s did not end; CPU %v, standard error %q", name, o.cpu, o.err.text(300))
	}
	if c.codes != nil && !slices.Contains(c.codes, o.code) {
		p.t.Errorf("%s: exit %d, want one of %v; standard error %q", name, o.code, c.codes, o.err.text(400))
	}
	if o.cpu > c.cpu {
		p.t.Errorf("%s took %v of processor time, at most %v is right", name, o.cpu, c.cpu)
	}
	if o.memory > c.memory {
		p.t.Errorf("%s took %d MB, at most %d is right", name, o.memory, c.memory)
	}
	if n := o.out.size + o.err.size; n > c.output {
		p.t.Errorf("%s printed %d MB, at most %d is right", name, n>>20, c.output>>20)
	}
	if bad := strings.TrimSpace(o.out.bad + " " + o.err.bad); bad != "" {
		p.t.Errorf("%s printed %s", name, bad)
	}
	for _, word := range []string{"panic:", "fatal error:", "goroutine 1 ", "SIGSEGV", "SIGBUS"} {
		if strings.Contains(o.err.text(keptText), word) {
			p.t.Errorf("%s: %q", name, o.err.text(2000))
		}
	}
	if n := p.asked.Load(); n > 0 {
		p.t.Errorf("%s: the listener on loopback was asked %d times", name, n)
	}
}

// heard is what a process printed: its size, its beginning, the first thing in it
// that must reach no terminal, and the needles that were seen.
type heard struct {
	mu      sync.Mutex // the program writes while a test reads
	size    int64
	lines   int
	kept    bytes.Buffer
	bad     string
	tail    []byte   // the last octets, for what is cut by a write
	needles []string // looked for in all of it
	seen    []string
}

// forged begins lines that a stranger would like to write.
const forged = "FORGED-LINE"

func (h *heard) Write(b []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.size += int64(len(b))
	h.lines += bytes.Count(b, []byte{'\n'})
	if room := keptText - h.kept.Len(); room > 0 {
		h.kept.Write(b[:min(room, len(b))])
	}
	text := append(h.tail, b...)
	if h.bad == "" {
		h.bad = unfit(text)
	}
	keep := len(forged) + 4
	for _, n := range h.needles {
		keep = max(keep, len(n))
		if bytes.Contains(text, []byte(n)) && !slices.Contains(h.seen, n) {
			h.seen = append(h.seen, n)
		}
	}
	h.tail = bytes.Clone(text[max(0, len(text)-keep):])
	return len(b), nil
}

func (h *heard) text(n int) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	b := h.kept.Bytes()
	return string(b[:min(n, len(b))])
}

// unfit names the first thing in a text that no terminal may get: a control character
// but LF and TAB (CR before LF is the line end of CSV), DEL, C1, a bidi control, or a
// line that a stranger began.
func unfit(text []byte) string {
	if i := bytes.Index(text, []byte("\n"+forged)); i >= 0 {
		return fmt.Sprintf("a line of a stranger's: %.60q", text[i:])
	}
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		switch {
		case r == '\n' || r == '\t' || r == '\r' && i+1 < len(text) && text[i+1] == '\n':
		case r == '\r' && i+1 == len(text):
		case r < ' ' || r == 0x7f, r >= 0x80 && r < 0xa0,
			r == 0x061c || r == 0x200e || r == 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069:
			return fmt.Sprintf("%U in %q", r, text[max(0, i-40):min(len(text), i+40)])
		case r == utf8.RuneError && size == 1 && i > 4 && i+4 < len(text):
			return fmt.Sprintf("octet %#x, which is no UTF-8, in %q", text[i], text[max(0, i-40):min(len(text), i+40)])
		}
		i += size
	}
	return ""
}

// files is what stands below the place, so that two moments can be compared: name to kind, mode and sum.
func (p *place) files() map[string]string {
	p.t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(p.root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		state := info.Mode().String()
		switch {
		case info.Mode().IsRegular():
			f, err := os.Open(path)
			if err != nil {
				return err
			}
			defer f.Close()
			sum := sha256.New()
			if _, err := io.Copy(sum, f); err != nil {
				return err
			}
			state += fmt.Sprintf(" %x", sum.Sum(nil))
		case info.Mode()&fs.ModeSymlink != 0:
			to, _ := os.Readlink(path)
			state += " " + to
		}
		name, _ := filepath.Rel(p.root, path)
		all[filepath.ToSlash(name)] = state
		return nil
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return all
}

// unchanged fails for every file that is not as it was before, but for those whose
// path begins with one of the outputs (as seen from the working folder).
func (p *place) unchanged(before map[string]string, outputs ...string) {
	p.t.Helper()
	now := p.files()
	for name := range before {
		if _, there := now[name]; !there {
			now[name] = "removed"
		}
	}
	for name, state := range now {
		output := strings.HasPrefix(name, "tmp")
		for _, o := range outputs {
			output = output || strings.HasPrefix(name, "home/here/"+o)
		}
		if was := before[name]; was != state && !output {
			p.t.Errorf("%s was %.30q and is %.30q", name, was, state)
		}
	}
}
