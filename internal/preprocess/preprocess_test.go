package preprocess

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	command := []any{"djvutxt", "{}"}
	for _, c := range []struct {
		values map[string]any
		key    string // at fault
	}{
		{map[string]any{"match": "*.djvu", "command": command}, ""},
		{map[string]any{"command": command}, "match"},
		{map[string]any{"match": "[", "command": command}, "match"},
		{map[string]any{"match": "a/*.djvu", "command": command}, "match"},
		{map[string]any{"match": "*.djvu"}, "command"},
		{map[string]any{"match": "*.djvu", "command": "djvutxt {}"}, "command"},
		{map[string]any{"match": "*.djvu", "command": []any{"djvutxt"}}, "command"},
		{map[string]any{"match": "*.djvu", "command": []any{"{}", "a"}}, "command"},
		{map[string]any{"match": "*.djvu", "command": []any{"a", "{}", 3}}, "command"},
		{map[string]any{"match": "*.djvu", "command": command, "shell": true}, "shell"},
	} {
		if _, key, err := Parse(c.values); key != c.key || (err != nil) != (key != "") {
			t.Errorf("%v: %q, %v", c.values, key, err)
		}
	}
}

func TestOpen(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no sh")
	}
	file := filepath.Join(t.TempDir(), "a b;c.djvu")
	if err := os.WriteFile(file, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, script, text, err string
	}{
		{"its output", `cat "$1"`, "text", ""},
		{"it fails", `printf half; echo no >&2; exit 3`, "half", `exit status 3: "no"`},
		{"too much", `exec yes`, "", "more than 64 MB of text"},
		{"no secrets", `echo "$LINKCHECK_SECRET"`, "\n", ""},
	} {
		t.Setenv("LINKCHECK_SECRET", "x")
		rules := Rules{{Match: "*.djvu", Command: []string{"sh", "-c", c.script, "sh", "{}"}}}
		r, err := rules.Open(t.Context(), file)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		r.Close()
		if c.err == "" && err != nil || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) || c.text != "" && string(text) != c.text {
			t.Errorf("%s: %.80q, %v", c.name, text, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	r, err := Rules{{Match: "*", Command: []string{"sh", "-c", "sleep 1000", "{}"}}}.Open(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := io.ReadAll(r); err == nil {
		t.Error("an end from outside is no error")
	}
	r.Close()
	if _, err := (Rules{{Match: "*", Command: []string{"no-such-program", "{}"}}}).Open(t.Context(), file); err == nil {
		t.Error("a program that is not there starts")
	}
	if (Rules{{Match: "*.djvu"}}).Wants("a.txt") || Rules(nil).Wants("a.djvu") {
		t.Error("other files are wanted")
	}
}
