package gopher

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/check/checktest"
	"linkcheck/internal/lab/labtest"
	"linkcheck/uri"
)

func bring(t *testing.T, o check.Options, u *uri.Gopher, w check.Wanted) (check.Result, checktest.Brought) {
	t.Helper()
	return checktest.Bring(t, New(Options{Options: o}), u, w, func(e check.Entry) string { return e.Name })
}

// TestRead: menus by their items, texts without the line that ends them, all else as it is.
func TestRead(t *testing.T) {
	const menu = `S: 0About\t0/About\tvm.lib\t7070\t+\r\niWelcome\t\t\t0\r\n3gone\t\terror.host\t1\r\n1Sub\t1/s b\tvm.lib\t70\r\nhWeb\tURL:http://a.lib/\tvm.lib\t70\r\n`
	items := []string{"gopher://vm.lib:7070/00/About", "gopher://vm.lib:70/11/s%20b", "gopher://vm.lib:70/hURL:http://a.lib/"}
	long := strings.Repeat(`0A\t0/a\th\t70\r\n`, 300)
	for _, tt := range []struct {
		name, script string
		item         byte
		wanted       check.Wanted
		text         string
		entries      []string
		broken, cut  bool
	}{
		{"menu", menu + `.\r\n`, '1', check.Wanted{}, "0About", items, false, false},
		{"menu without the dot line, 5.3", menu + "\nS: <closes>", '1', check.Wanted{}, "0About", items, false, false},
		{"menu that stays open behind the dot line", menu + ".\\r\\n\nS: <silent>", '1', check.Wanted{}, "0About", items, false, false},
		{"menu that breaks off", menu + "\nS: <resets>", '1', check.Wanted{}, "0About", items, true, false},
		{"the first two", menu + `.\r\n`, '1', check.Wanted{Most: 2}, "0About", items[:2], false, false},
		{"more than is wanted", menu + `.\r\n`, '1', check.Wanted{MaxBytes: 40}, "0About", items[:1], true, true},
		{"a long menu", "S: " + long + `.\r\n`, '1', check.Wanted{}, "0A", make([]string, 300), false, false},
		{"text", `S: Hello\r\n.\r\n..\r\n.\r\n`, '0', check.Wanted{}, "Hello\r\n.\r\n..\r\n", nil, false, false},
		{"text without the dot line", "S: Hello\\r\\nworld\nS: <closes>", '0', check.Wanted{}, "Hello\r\nworld", nil, false, false},
		{"text, cut", `S: Hello\r\n.\r\n`, '0', check.Wanted{MaxBytes: 5}, "Hello", nil, false, true},
		{"binary", "S: a\\x00\\r\\n.\\r\\n\nS: <closes>", '9', check.Wanted{}, "a\x00\r\n.\r\n", nil, false, false},
		{"page", "S: <p>Hello</p>\nS: <closes>", 'h', check.Wanted{}, "<p>Hello</p>", nil, false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := labtest.Serve(t, "C: /x\\r\\n\n"+tt.script)
			u := &uri.Gopher{At: s.At, Type: tt.item, Selector: "/x"}
			r, b := bring(t, check.Options{Dialer: s.Dialer(), Timeout: 300 * time.Millisecond}, u, tt.wanted)
			if r.Outcome != check.OK || b.Times != 1 || b.Media != mediaTypes[tt.item] || b.Cut != tt.cut || (b.Err != nil) != tt.broken || len(b.Entries) != len(tt.entries) {
				t.Fatalf("%s(%s) %q, %+v", r.Outcome, r.Reason, r.Reply, b)
			}
			if exact := tt.item != '1'; exact && b.Text != tt.text || !strings.HasPrefix(b.Text, tt.text) {
				t.Errorf("%q, want %q", b.Text, tt.text)
			}
			for i, want := range tt.entries {
				if want != "" && b.Entries[i] != want {
					t.Errorf("item %d: %q, want %q", i, b.Entries[i], want)
				}
			}
		})
	}
}

// TestReadAsProbe: the Result is that of a probe, and nothing but what is there is handed on.
func TestReadAsProbe(t *testing.T) {
	n := 0
	for _, row := range rows {
		if row.plus != "" || row.search != "" || !strings.Contains("01459gIsh", string(row.item)) {
			continue
		}
		n++
		s := labtest.Serve(t, row.scripts...)
		u := &uri.Gopher{At: s.At, Type: row.item, Selector: row.selector}
		if otherTarget(u) != "" {
			continue
		}
		r, b := bring(t, check.Options{Dialer: s.Dialer(), Timeout: time.Second}, u, check.Wanted{})
		if r.Outcome != row.outcome || r.Reason != row.reason || r.Evidence != row.evidence || (b.Times == 1) != (r.Outcome == check.OK) {
			t.Errorf("%s: %s(%s) %s, want %s(%s) %s; handed on %d times", row.name, r.Outcome, r.Reason, r.Evidence, row.outcome, row.reason, row.evidence, b.Times)
		}
	}
	if n < 20 {
		t.Errorf("only %d rows", n)
	}
}

// TestReadNot: what is no document is not asked for.
func TestReadNot(t *testing.T) {
	for address, want := range map[string]string{
		"gopher://h.lib/7/search": "unsupported(no-client)", "gopher://h.lib/3gone": "unsupported(no-client)", "gopher://h.lib/ihello": "unsupported(no-client)",
		"gopher://h.lib/hURL:nonsense": "unsupported(no-client)", "gopher://h.lib/hURL:http://web.lib/a": "elsewhere http://web.lib/a", "gopher://h.lib:23/8login": "elsewhere telnet://h.lib:23/",
	} {
		u, err := uri.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		r, err := New(Options{Options: check.Options{Dialer: labtest.Serve(t).Dialer()}}).(check.Reader).Read(t.Context(), check.Target{URI: u}, check.Wanted{}, nil)
		got := fmt.Sprintf("%s(%s)", r.Outcome, r.Reason)
		if it, ok := err.(*check.Elsewhere); ok {
			got = "elsewhere " + it.To.String()
		}
		if got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
}

func TestReadSuite(t *testing.T) {
	for _, item := range []string{"1/menu", "0/text"} {
		checktest.Run(t, checktest.Case{
			New:     checktest.ByRead(func(o check.Options) check.Prober { return New(Options{Options: o}) }, 64<<10),
			URL:     "gopher://{at}/" + item,
			Reply:   "0About\t0/About\tvm\t7070\t+\r\n.\r\n",
			Lying:   []string{"0a\tb\tc\t99999999\r\n"},
			Control: []uri.URI{&uri.Gopher{Type: '1', Selector: "a\r\nb"}, &uri.Gopher{Type: '1', Selector: "a\x00"}},
		})
	}
}

// FuzzEntries: whatever comes, the items of a menu are those that a probe sees, or an error
// says that they are not all.
func FuzzEntries(f *testing.F) {
	f.Add([]byte("0About\t0/About\tvm\t7070\t+\r\niinfo\tx\ty\t1\r\n.\r\n"))
	f.Add([]byte(strings.Repeat("x", 5000) + "\n0A\tb\tc\t70\n"))
	f.Fuzz(func(t *testing.T, body []byte) {
		d := &document{u: &uri.Gopher{Type: '1'}, limit: 1 << 20}
		io.Copy(io.MultiWriter(&d.body, &d.tail), strings.NewReader(string(body)))
		n, failed := 0, false
		for e, err := range d.entries() {
			if failed = err != nil; err == nil {
				n++
			}
			if err == nil && !strings.HasPrefix(e.Name, "gopher://") {
				t.Errorf("%q", e.Name)
			}
		}
		if want := len(menu(body)); n < want && !failed {
			t.Errorf("%d items of %d", n, want)
		}
	})
}
