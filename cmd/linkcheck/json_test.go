package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"linkcheck/internal/exit"
	"linkcheck/internal/lab"
)

// keysOf lists the keys of a JSON object in the order in which they stand; those
// of objects inside, and of the first object in a list, follow their own key.
func keysOf(t *testing.T, text string) []string {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(text))
	var keys []string
	var value func(path string)
	value = func(path string) {
		tok, err := dec.Token()
		if err != nil {
			t.Fatalf("%v in %s", err, text)
		}
		switch tok {
		case json.Delim('{'):
			for dec.More() {
				k, _ := dec.Token()
				keys = append(keys, path+k.(string))
				value(path + k.(string) + ".")
			}
			dec.Token()
		case json.Delim('['):
			for dec.More() {
				value(path)
			}
			dec.Token()
		}
	}
	value("")
	seen := map[string]bool{}
	return slices.DeleteFunc(keys, func(k string) bool { was := seen[k]; seen[k] = true; return was })
}

// The keys of JSON output and their order are stable: programs read them.
func TestJSONKeys(t *testing.T) {
	l := newLibrary(t, map[string]string{"a.html": `<a href="x.html">x</a>`})
	l.serveWeb(lab.Web{"www.mill.test": {"/": lab.Page("Mill", "The mill.")}})
	const compared, found = "a b verdict level reasons", "uri raw scheme source member line column record locator how context"
	const carried = " begin begin.schema begin.row begin.edition begin.options begin.hidden begin.roots document document.schema document.row document.root document.path document.size"
	rows := []struct {
		name, keys string
		args       []string
	}{
		{"normalize", "input valid code scheme components components.fragment components.host components.password components.path " +
			"components.port components.query components.user keys keys.syntax keys.scheme keys.registry keys.protocol keys.resolver keys.heuristic steps steps.level steps.code steps.section",
			[]string{"normalize", "--json", "HTTP://Example.ORG:80/%7Efoo"}},
		{"normalize, invalid", "input valid code scheme components keys steps", []string{"normalize", "--json", "ftp://256.0.0.1/"}},
		{"compare", compared, []string{"compare", "--json", "info:lccn/85-2", "INFO:LCCN/85000002"}},
		{"compare, not", compared, []string{"compare", "--json", "ftp://a.test/x", "ftp://b.test/x"}},
		{"extract, documents", found, []string{"extract", "--jsonl", "--documents", l.docs()}},
		{"extract", found + carried, []string{"extract", "--jsonl", "--base", "http://www.mill.test/d/", l.docs()}},
		{"extract, no base", found + carried, []string{"extract", "--jsonl", l.docs()}},
		{"check", "uri outcome reason evidence reply final_url flags ms attempts",
			slices.Concat([]string{"check", "--json"}, l.netArgs(0), []string{"http://www.mill.test/"})},
		{"check, nothing asked", "uri outcome reason evidence reply final_url flags ms attempts", []string{"check", "--json", "info:lccn/85000002"}},
	}
	for _, row := range rows {
		s := call(t.Context(), "", row.args...)
		if row.args[0] == "extract" {
			s.out = linkRows(t, s.out)
		}
		if got := keysOf(t, s.out); !slices.Equal(got, strings.Fields(row.keys)) || s.code != exit.OK || strings.Count(s.out, "\n") != 1 {
			t.Errorf("%s: exit %d\n got %q\nwant %q", row.name, s.code, got, strings.Fields(row.keys))
		}
	}
}

// rowKeys are the keys of the rows of `extract --jsonl` that are no links, by kind.
var rowKeys = map[string]string{
	"begin":    "schema row edition options hidden roots",
	"document": "schema row hidden root path shown shown.octets size modified",
	"name":     "schema row hidden name member line locator",
	"damage":   "schema row member line error",
	"foreign":  "schema row format",
	"read":     "schema row hash links names damages",
	"missed":   "schema row error",
	"failed":   "schema row error links names damages",
	"link":     "schema row path",
	"astray":   "schema row path",
	"bare":     "schema row path",
	"end":      "schema row documents",
}

// linkRows are the rows of links among those of `extract --jsonl`. The others have the keys
// of their kind, in their order.
func linkRows(t *testing.T, rows string) (links string) {
	t.Helper()
	for line := range strings.Lines(rows) {
		var row struct{ Schema, Row string }
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatal(err)
		}
		if row.Schema == "" {
			links += line
			continue
		}
		all := strings.Fields(rowKeys[row.Row])
		for _, key := range keysOf(t, line) {
			at := slices.Index(all, key)
			if at < 0 {
				t.Errorf("%q is none of %q, or not in its place: %s", key, rowKeys[row.Row], line)
			}
			all = all[at+1:]
		}
	}
	return links
}

// What the keys hold.
func TestJSONValues(t *testing.T) {
	l := newLibrary(t, map[string]string{"a.html": `<a href="../x.html">x</a> <a href="HTTP://www.mill.test/">y</a>`})
	rows := []struct {
		stdin string
		args  []string
		want  []string // parts of the output, in order
	}{
		{"", []string{"normalize", "--json", "ftp://256.0.0.1/"}, []string{`"valid":"no"`, `"keys":null`}},
		{"http://a.test/\nftp://b.test/\n", []string{"normalize", "--json"}, []string{`"input":"http://a.test/"`, "\n", `"input":"ftp://b.test/"`, "\n"}},
		{"http://a.test/\r\n", []string{"normalize", "--json"}, []string{`"input":"http://a.test/"`, `"valid":"yes"`}},
		{"bogus://x/\n", []string{"normalize", "--json"}, []string{`"valid":"no"`, `"code":"scheme-unknown"`, `"keys":null`}},
		{"ftp://h.test/a\tFTP://H.test/a\nftp://h.test/a\tftp://i.test/a\n", []string{"compare", "--json"},
			[]string{`"a":"ftp://h.test/a","b":"FTP://H.test/a","verdict":"dup","level":"syntax","reasons":["scheme-case","host-case"]`, "\n", `"verdict":"not"`, "\n"}},
		{"bogus://x/a\tbogus://x/a\n", []string{"compare", "--json"}, []string{`"verdict":`}},
		{"", []string{"extract", "--jsonl", "--base", "http://www.mill.test/d/", l.docs()},
			[]string{`"uri":"http://www.mill.test/x.html","raw":"../x.html","scheme":"http"`, `"member":"","line":1,"column":`, `"how":"href"`, `"uri":"HTTP://www.mill.test/"`}},
		{"", []string{"extract", "--jsonl", l.docs()}, []string{`"uri":"","raw":"../x.html","scheme":""`}},
		{"bogus://x/\nmailto:a@b.test\n", []string{"check", "--json", "-"},
			[]string{`"uri":"bogus://x/","outcome":"unsupported"`, `"uri":"mailto:a@b.test","outcome":"not-dereferenceable"`}},
	}
	for _, row := range rows {
		s := call(t.Context(), row.stdin, row.args...)
		rest := s.out
		for _, part := range row.want {
			_, after, ok := strings.Cut(rest, part)
			if !ok || s.code != exit.OK {
				t.Errorf("%q: exit %d, no %s in\n%s%s", row.args, s.code, part, s.out, s.err)
				break
			}
			rest = after
		}
	}
}

// Odd and hostile command lines and inputs: an exit code, words, never a panic.
func TestOddInput(t *testing.T) {
	long := "http://h.test/" + strings.Repeat("a", 100_000)
	rows := []struct {
		name  string
		stdin string
		args  []string
		code  int
		out   string // a part of standard output, "" for none at all
		err   string // likewise of standard error
	}{
		{"no arguments", "", nil, exit.OK, "linkcheck demo", ""},
		{"nothing to normalize", "", []string{"normalize", "--json"}, exit.OK, "", ""},
		{"nothing to compare", "", []string{"compare", "--json"}, exit.OK, "", ""},
		{"nothing to check", "", []string{"check", "--json", "-"}, exit.OK, "", ""},
		{"an empty line", "\n", []string{"normalize", "--json"}, exit.OK, `"valid":"no"`, ""},
		{"no pair", "one\n", []string{"compare", "--json"}, exit.BadUsage, "", "no pair"},
		{"one to compare", "", []string{"compare", "one"}, exit.BadUsage, "", "two URIs"},
		{"bad CIDR", "", []string{"check", "--allow-private", "127.0.0.1/99", "http://a.test/"}, exit.BadUsage, "", "--allow-private"},
		{"no CIDR", "", []string{"check", "--allow-private", "localhost", "http://a.test/"}, exit.BadUsage, "", "no CIDR"},
		{"bad rule", "", []string{"check", "--connect-to", "a:b:c", "http://a.test/"}, exit.BadUsage, "", "connect-to"},
		{"rule with an open bracket", "", []string{"check", "--connect-to", "a.test:80:[::1:80", "http://a.test/"}, exit.BadUsage, "", "bracket"},
		{"rule with a port too high", "", []string{"check", "--connect-to", "a.test:80:b:65536", "http://a.test/"}, exit.BadUsage, "", "bad port"},
		{"bad time", "", []string{"check", "--now", "tomorrow", "http://a.test/"}, exit.BadUsage, "", "tomorrow"},
		{"bad splay", "", []string{"check", "--splay", "1.5", "http://a.test/"}, exit.BadUsage, "", "--splay"},
		{"bad expression", "", []string{"check", "--exclude", "(", "http://a.test/"}, exit.BadUsage, "", "--exclude"},
		{"bad fail-on", "", []string{"check", "--fail-on", "sometimes", "http://a.test/"}, exit.BadUsage, "", "--fail-on"},
		{"bad state", "", []string{"check", "--state", "sleepy"}, exit.BadUsage, "", "sleepy"},
		{"bad language", "", []string{"check", "--all", "--lang", "xx"}, exit.BadUsage, "", "--lang"},
		{"a format unknown", "", []string{"extract", "--input", "frob", "."}, exit.BadUsage, "", "frob"},
		{"a format unknown to run", "", []string{"run", "--input", "frob", "."}, exit.BadUsage, "", "frob"},
		{"a base that is none", "", []string{"extract", "--base", "no base", "."}, exit.BadUsage, "", "no base"},
		{"time that runs back", "", []string{"run", "--max-duration", "-5s", "."}, exit.BadUsage, "", "--max-duration"},
		{"a gap that runs back", "", []string{"check", "--host-delay", "-1s", "http://a.test/"}, exit.BadUsage, "", "--host-delay"},
		{"a verb of the store unknown", "", []string{"store", "frob"}, exit.BadUsage, "", "frob"},
		{"no verb of the store", "", []string{"store"}, exit.OK, "verify", ""},
		{"a flag unknown", "", []string{"check", "--frob"}, exit.BadUsage, "", "--frob"},
		{"a file that is not there", "", []string{"extract", "/nonexistent/x"}, exit.Partial, "", "/nonexistent/x"},
		{"a long URI", "", []string{"normalize", "--json", long}, exit.OK, `"input":"http://h.test/aaa`, ""},
		{"a long URI on stdin", long + "\n", []string{"normalize", "--json"}, exit.OK, `"input":"http://h.test/aaa`, ""},
		{"a line too long", strings.Repeat("x", maxLine+1), []string{"normalize", "--json"}, exit.BadUsage, "", "standard input"},
		{"NUL", "http://h.test/a\x00b\n", []string{"normalize", "--json"}, exit.OK, `"input":"http://h.test/a\u0000b"`, ""},
		{"NUL in a host", "", []string{"check", "--json", "--fail-on", "never", "gopher://h\x00.test/"}, exit.OK, `"outcome":"invalid"`, ""},
		{"escaped CR LF", "", []string{"check", "--json", "--fail-on", "never", "--connect-to", "h.test:70:127.0.0.1:1", "gopher://h.test/0a%0D%0Ab"}, exit.OK, `"uri":"gopher://h.test/0a%0D%0Ab"`, ""},
		{"no UTF-8", "http://h.test/\xff\xfe\n", []string{"normalize", "--json"}, exit.OK, `"input":"http://h.test/`, ""},
		{"an unknown scheme", "", []string{"check", "--json", "bogus://x/"}, exit.OK, `"outcome":"unsupported","reason":"scheme-unknown"`, ""},
		{"no scheme", "", []string{"check", "--json", "no scheme"}, exit.Matched, `"outcome":"invalid"`, ""},
		{"a dash is standard input", "http://a.test/\n", []string{"normalize", "--json", "-"}, exit.OK, `"valid":"yes"`, ""},
		{"a dash is standard input to compare", "http://a.test/\tHTTP://a.test/\n", []string{"compare", "--json", "-"}, exit.OK, `"verdict":"dup"`, ""},
		{"a dash is a document", "see http://a.test/ now", []string{"extract", "-"}, exit.OK, "-:1:5\thttp://a.test/", ""},
		{"a dash among paths", "", []string{"extract", "-", "."}, exit.BadUsage, "", "stands alone"},
		{"a dash for every night", "", []string{"run", "-"}, exit.BadUsage, "", "gone tomorrow"},
		{"no path", "", []string{"extract"}, exit.BadUsage, "", "wants a PATH"},
		{"a list with remarks", "# mine\n\nbogus://x/\n", []string{"check", "--json", "-"}, exit.OK, `"uri":"bogus://x/"`, ""},
		{"the second line is no pair", "a\tb\nc\n", []string{"compare"}, exit.BadUsage, "not the same", "line 2"},
		{"a store that is not there for URIs given", "", []string{"check", "--store", "x.db", "bogus://x/"}, exit.BadUsage, "", "there is no store x.db"},
		{"states of URIs given", "", []string{"check", "--fail-on", "dead", "bogus://x/"}, exit.BadUsage, "", "any or never"},
		{"no store to check", "", []string{"check", "--store", "/nonexistent/x.db"}, exit.BadUsage, "", "there is no store"},
		{"a table as JSON", "", []string{"check", "--json"}, exit.BadUsage, "", "report --jsonl"},
		{"a store as argument", "", []string{"report", "x.db"}, exit.BadUsage, "", "--store FILE"},
		{"a word for a number", "", []string{"check", "--workers", "many", "bogus://x/"}, exit.BadUsage, "", `--workers: "many" is no whole number`},
		{"a number for a time", "", []string{"check", "--timeout", "5", "bogus://x/"}, exit.BadUsage, "", `--timeout: "5" is no time`},
		{"two forms at once", "", []string{"report", "--csv", "-", "--jsonl", "-"}, exit.BadUsage, "", "--csv and --jsonl would mingle"},
		{"tabs of nothing", "", []string{"report", "--tsv"}, exit.BadUsage, "", "--csv FILE"},
		{"a folder that is not there", "", []string{"run", "--store", "/nonexistent/x.db", "."}, exit.BadUsage, "", "there is no folder /nonexistent"},
		{"no folder", "", []string{"man"}, exit.BadUsage, "", "man DIR"},
		{"invalid is a failure", "", []string{"check", "--json", "ftp://256.0.0.1/"}, exit.Matched, `"outcome":"invalid"`, ""},
		{"invalid may be allowed", "", []string{"check", "--json", "--fail-on", "never", "ftp://256.0.0.1/"}, exit.OK, `"outcome":"invalid"`, ""},
	}
	for _, row := range rows {
		s := call(t.Context(), row.stdin, row.args...)
		if s.code != row.code || !strings.Contains(s.out, row.out) || !strings.Contains(s.err, row.err) ||
			row.out == "" && s.out != "" || row.err == "" && s.err != "" {
			t.Errorf("%s: want exit %d, %q, %q, got %d, %.300q, %.300q", row.name, row.code, row.out, row.err, s.code, s.out, s.err)
		}
		for line := range strings.Lines(s.out) {
			if slices.Contains(row.args, "--json") && !json.Valid([]byte(line)) {
				t.Errorf("%s: no JSON: %.200q", row.name, line)
			}
		}
	}
}

// --connect-to leads to IPv6, and from it.
func TestConnectToIPv6(t *testing.T) {
	l := newLibrary(t, nil)
	web := l.serveWeb(lab.Web{"six.mill.edu": {"/": lab.Page("Six", "The sixth."), "/x": lab.Text("text/plain", "x")}, "[2001:db8::6]": {"/x": lab.Text("text/plain", "x")}})
	l.rules = []string{"[2001:db8::6]:80:" + web.String(), ":80:" + web.String()}
	if got := l.check("http://six.mill.edu/x"); got.Outcome != "ok" {
		t.Errorf("an empty host matches all: %+v", got)
	}
	if got := l.check("http://[2001:db8::6]/x"); got.Outcome != "ok" {
		t.Errorf("an address in brackets: %+v", got)
	}
	l.rules = []string{"six.mill.edu:80:[::1]:1"}
	if got := l.check("http://six.mill.edu/x"); got.Outcome != "unreachable" || strings.HasPrefix(got.Reason, "dns-") {
		t.Errorf("to [::1]: %+v", got)
	}
}
