package gopher

import (
	"slices"
	"strings"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/internal/lab/labtest"
	"linkcheck/uri"
)

// TestEnding: what seems to be cut by what it had before, night by night (HARVEST section 5).
// A "." at the end of a night is its last line; "~" says that the connection breaks.
func TestEnding(t *testing.T) {
	const a, b = "0A|/a|h|70\r\n", "0B|/b|h|70\r\n"
	type night struct {
		text    string
		version string // what is kept of it; "short": that it seems to be cut
		items   int
		broken  bool
	}
	for name, tt := range map[string]struct {
		item   byte
		nights []night
	}{
		"no dot line at all":          {'1', []night{{a + b, "items", 2, false}, {a, "items", 1, false}}},
		"the dot line is missing":     {'1', []night{{a + b + ".\r\n", "dot,items", 2, false}, {a, "short", 1, true}, {a + b + ".\r\n", "dot,items", 2, false}}},
		"and is missing the same":     {'1', []night{{a + b + ".\r\n", "dot,items", 2, false}, {a, "short", 1, true}, {a, "items", 1, false}}},
		"and is missing otherwise":    {'1', []night{{a + b + ".\r\n", "dot,items", 2, false}, {a, "short", 1, true}, {b, "short", 1, true}}},
		"a row that is cut":           {'1', []night{{a + b, "items", 2, false}, {a + "0B|/b", "short", 1, true}}},
		"a row whose port is cut":     {'1', []night{{a + b, "items", 2, false}, {a + "0B|/b|h|7", "short", 1, true}}},
		"a row cut at first sight":    {'1', []night{{a + "0B|/b|h|7", "short", 1, true}, {a + "0B|/b|h|7", "open,items", 2, false}}},
		"a server without line ends":  {'1', []night{{a + "0B|/b|h|70", "short", 1, true}, {a + "0B|/b|h|70", "open,items", 2, false}, {b + "0C|/c|h|70", "open,items", 2, false}}},
		"no items, where there were":  {'1', []night{{a + b, "items", 2, false}, {"iHello|||0\r\n", "short", 0, true}, {a + b, "items", 2, false}}},
		"never items":                 {'1', []night{{"iHello|||0\r\n", "", 0, false}, {"iGood day|||0\r\n", "", 0, false}}},
		"a reset in a row":            {'1', []night{{a + b, "items", 2, false}, {a + "0B|/b|h|7~", "", 1, true}}},
		"a text without dot line":     {'0', []night{{"hello\r\n", "", 0, false}, {"hel", "", 0, false}}},
		"a text that had a dot line":  {'0', []night{{"hello\r\n.\r\n", "dot", 0, false}, {"hel", "short", 0, true}, {"hello\r\n.\r\n", "dot", 0, false}}},
		"of other types nothing kept": {'9', []night{{"hello\r\n.\r\n", "", 0, false}, {"hel", "", 0, false}}},
	} {
		t.Run(name, func(t *testing.T) {
			var known check.Wanted
			for i, n := range tt.nights {
				text, breaks := strings.CutSuffix(n.text, "~")
				end := map[bool]string{true: "<resets>", false: "<closes>"}[breaks]
				s := labtest.Serve(t, "C: /x\\r\\n\nS: "+strings.NewReplacer("|", `\t`, "\r", `\r`, "\n", `\n`).Replace(text)+"\nS: "+end)
				r, b := bring(t, check.Options{Dialer: s.Dialer(), Timeout: 300 * time.Millisecond}, &uri.Gopher{At: s.At, Type: tt.item, Selector: "/x"}, known)
				if breaks && b.Times == 0 && r.Outcome == check.Temporary {
					continue // the reset went before
				}
				if b.Times == 0 || len(b.Entries) != n.items || (b.Err != nil) != n.broken || slices.Contains(b.Entries, "gopher://h:7/0/b") && n.broken {
					t.Fatalf("night %d: %s(%s), %+v", i, r.Outcome, r.Reason, b)
				}
				kept := b.Version
				if known.Short = b.Short; b.Short != "" {
					kept = "short"
				} else {
					known.Version = b.Version
				}
				if kept != n.version || n.broken && strings.Contains(b.Text, "0B\t/b\th\t7") && !strings.HasSuffix(b.Text, "\n") {
					t.Errorf("night %d: %q of %q, want %q", i, b.Version, b.Text, n.version)
				}
			}
		})
	}
}
