package labtest

import (
	"fmt"
	"io"
	"strings"
	"testing"
)

// witness is a test that only notes its failures.
type witness struct {
	testing.TB
	errors   []string
	cleanups []func()
}

func (w *witness) Helper()                   {}
func (w *witness) Cleanup(f func())          { w.cleanups = append(w.cleanups, f) }
func (w *witness) Errorf(f string, a ...any) { w.errors = append(w.errors, fmt.Sprintf(f, a...)) }

// A client that says something else, less or more than its script is found out.
func TestScript(t *testing.T) {
	const script = `
		# a greeting, a question
		S: 220 hi\r\n
		C: QUIT\r\n
		S: 221 bye\x0d\n
		c: AGAIN\r\n`
	for _, c := range []struct{ says, wrong string }{
		{"QUIT\r\n", ""},
		{"QUIT\r\nAGAIN\r\n", ""},
		{"QUIT\r\nMORE\r\n", `client sent "MORE\r\n" after the script`},
		{"LIST\r\n", `client sent "LIST\r\n", script has "QUIT\r\n"`},
		{"QU", `client sent "QU", script has "QUIT\r\n"`},
	} {
		w := &witness{TB: t}
		s := Serve(w, script)
		conn, err := s.Dialer().DialContext(t.Context(), "tcp", fmt.Sprintf("h.example:%d", s.At.Port))
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(conn, c.says)
		conn.(interface{ CloseWrite() error }).CloseWrite()
		heard, _ := io.ReadAll(conn)
		conn.Close()
		for _, f := range w.cleanups {
			f()
		}
		said := strings.Join(w.errors, "\n")
		if !strings.Contains(said, c.wrong) || (c.wrong == "") != (said == "") {
			t.Errorf("%q: %q", c.says, said)
		}
		if c.wrong == "" && string(heard) != "220 hi\r\n221 bye\r\n" {
			t.Errorf("%q heard %q", c.says, heard)
		}
	}
	w := &witness{TB: t}
	Serve(w, script)
	for _, f := range w.cleanups {
		f()
	}
	if len(w.errors) != 1 {
		t.Errorf("a script that was not played: %q", w.errors)
	}
}
