// Package preprocess is what the person wants done with files that nothing here reads: the
// tables [[preprocess]] of their configuration. A program that they name writes the text of
// a file to its standard output, which is read in place of the file. No shell is between.
package preprocess

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Bounds of one program that runs.
const (
	maxTime   = time.Minute
	maxText   = 64 << 20 // octets of its output
	maxMemory = 2 << 30  // octets of its memory, where the system can bound it
	maxSaid   = 300      // octets of what it says of an error
)

// Sample is a table as a configuration file begins with: every key, commented out.
//
//go:embed sample.toml
var Sample string

// Rules say which program makes text of which files. The zero value, and nil, are none.
type Rules []Rule

// Rule is one table.
type Rule struct {
	Match   string   // glob of names, as path.Match has them
	Command []string // program and arguments; "{}" stands for the path of the file
}

// Parse reads a table. Of several that match a file the first one counts.
func Parse(values map[string]any) (r Rule, key string, err error) {
	for name := range values {
		if name != "match" && name != "command" {
			return r, name, errors.New("unknown key: [[preprocess]] has match and command")
		}
	}
	r.Match, _ = values["match"].(string)
	if _, err := filepath.Match(r.Match, "x"); err != nil || r.Match == "" || strings.ContainsRune(r.Match, '/') {
		return r, "match", errors.New("want a glob of names, such as \"*.djvu\"")
	}
	words, _ := values["command"].([]any)
	for _, w := range words {
		word, ok := w.(string)
		if !ok {
			words = nil
			break
		}
		r.Command = append(r.Command, word)
	}
	if len(words) < 2 || r.Command[0] == "" || !slices.ContainsFunc(r.Command[1:], func(w string) bool { return strings.Contains(w, "{}") }) {
		return r, "command", errors.New("want a program and its arguments, with {} for the file, such as [\"djvutxt\", \"{}\"]")
	}
	return r, "", nil
}

// Wants says whether a program makes text of the file at path.
func (r Rules) Wants(path string) bool { return r.of(path) != nil }

func (r Rules) of(path string) []string {
	for _, rule := range r {
		if ok, _ := filepath.Match(rule.Match, filepath.Base(path)); ok {
			return rule.Command
		}
	}
	return nil
}

// Programs are the files of the programs, as far as they are found.
func (r Rules) Programs() (list []string) {
	for _, rule := range r {
		if path, err := exec.LookPath(rule.Command[0]); err == nil {
			list = append(list, path)
		}
	}
	return list
}

// Open starts the program for the file at a whole path and gives what it writes. Reading
// ends with an error where it fails, takes too long or writes too much.
func (r Rules) Open(ctx context.Context, path string) (io.ReadCloser, error) {
	command := slices.Clone(r.of(path))
	for i := range command[1:] {
		command[i+1] = strings.ReplaceAll(command[i+1], "{}", path)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, maxTime, fmt.Errorf("not done in %v", maxTime))
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Env = []string{"PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8"} // no secrets of ours
	cmd.WaitDelay = time.Second
	p := &text{ctx: ctx, cancel: cancel, cmd: cmd, name: filepath.Base(command[0])}
	cmd.Stderr = &p.said
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = start(cmd)
	}
	if err != nil {
		cancel()
		return nil, fmt.Errorf("%.100q: %w", p.name, err)
	}
	p.out = io.LimitReader(out, maxText+1)
	return p, nil
}

// text is what a program writes.
type text struct {
	ctx    context.Context
	cancel context.CancelFunc
	cmd    *exec.Cmd
	name   string
	out    io.Reader
	read   int
	said   said
	ended  bool
	last   error // of Read, which gives it again
}

// Read implements [io.Reader].
func (t *text) Read(p []byte) (int, error) {
	if t.last != nil {
		return 0, t.last
	}
	n, err := t.out.Read(p)
	if t.read += n; t.read > maxText {
		t.end()
		t.last = fmt.Errorf("%.100q: more than %d MB of text", t.name, maxText>>20)
		return 0, t.last
	}
	if err == nil {
		return n, nil
	}
	t.last = io.EOF
	if failed := t.end(); failed != nil {
		t.last = fmt.Errorf("%.100q: %w%s", t.name, failed, t.said.text())
	}
	return n, t.last
}

// end waits for the program, which is ended if it has not ended by itself.
func (t *text) end() error {
	if t.ended {
		return nil
	}
	t.ended = true
	if t.read > maxText {
		t.cancel()
	}
	err := t.cmd.Wait()
	late := context.Cause(t.ctx)
	t.cancel()
	if err == nil {
		return nil
	}
	return cmp.Or(late, err)
}

// Close ends the program.
func (t *text) Close() error {
	t.cancel()
	t.end()
	return nil
}

// said keeps the beginning of what a program says of errors.
type said struct{ bytes.Buffer }

// Write implements [io.Writer].
func (s *said) Write(p []byte) (int, error) {
	s.Buffer.Write(p[:min(len(p), maxSaid-s.Len())])
	return len(p), nil
}

func (s *said) text() string {
	if line := strings.Join(strings.Fields(s.String()), " "); line != "" {
		return fmt.Sprintf(": %.300q", line)
	}
	return ""
}
