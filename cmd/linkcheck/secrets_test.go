package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"linkcheck/internal/lab"
	"linkcheck/internal/testdoc"
)

// Passwords of URIs are never sent nor printed (OUTCOMES section 1.4, DESIGN law 5),
// whatever verb, form or error speaks of them; --show-secrets shows them.
func TestSecretsStayHidden(t *testing.T) {
	const secret = "s3sam3"
	const link, http, bad = "ftp://staff:" + secret + "@ftp.mill.test/x", "http://staff:" + secret + "@www.mill.test/moved", "ftp://staff:" + secret + "@256.0.0.1/"
	l := newLibrary(t, map[string]string{
		"a.txt":    link + "\n" + http + "\n<" + bad + ">\n",
		"b.html":   `<title>by ` + link + `</title><a href="` + strings.ToUpper(link[:3]) + link[3:] + `">` + http + `</a>`,
		"bibs.mrc": testdoc.Catalogued("bib1", "Mill "+link, "|u"+link+"|z"+http),
	})
	var heard strings.Builder
	web := l.serveWeb(lab.Web{"www.mill.test": {"/moved": lab.Redirect(301, "http://staff:"+secret+"@www.mill.test/new"), "/new": lab.Text("text/plain", "x")}})
	l.serve(lineServer("220 ready", func(line string) string {
		heard.WriteString(line + "\n")
		return "331 password please"
	}), "ftp.mill.test:21")
	marks := filepath.Join(l.dir, "marks.txt")
	if err := os.WriteFile(marks, []byte("ftp://x:"+secret+"@unknown.test/\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	net := l.netArgs(0)
	in := func(verb string, args ...string) []string {
		return slices.Concat(strings.Fields(verb), []string{"--store", l.store()}, args)
	}
	for _, args := range [][]string{
		slices.Concat(in("run"), net, []string{l.docs()}),
		slices.Concat([]string{"check", "--json"}, net, []string{link, http, bad}),
		slices.Concat([]string{"check"}, net, []string{link, http, bad}),
		{"extract", l.docs()}, {"extract", "--jsonl", l.docs()},
		{"normalize", link, bad}, {"compare", link, http}, {"compare", link},
		in("report"), in("report", "--csv", "-"), in("report", "--jsonl", "-"), in("report", "--html", "-"), in("report", "--summary"),
		in("report", "--fixes", "-"), in("report", "--csv", "-", "--tsv", "--unique"), in("report", "--csv", "-", "--since", link),
		in("lint"), in("lint", "--json"), in("lint", "--csv"), in("dupes"), in("dupes", "--json"), in("dupes", "--by", "final"),
		in("explain", link), in("explain", http), in("explain", bad),
		in("mark", link, "alive", "--why", "seen"), in("mark", link, "perhaps", "--why", "seen"),
		in("mark", "ftp://y:"+secret+"@unknown.test/", "alive", "--why", "seen"), in("mark", "--from", marks, "alive", "--why", "seen"),
		in("report", "--csv", "-"), in("store stats"), in("store verify"),
		{"check", "--connect-to", link, link}, {"check", "--now", link, link},
	} {
		s := call(t.Context(), "", args...)
		for name, text := range map[string]string{"standard output": s.out, "standard error": s.err} {
			if i := strings.Index(text, secret); i >= 0 {
				t.Errorf("%q: %s holds the password: ...%s", args[:min(len(args), 4)], name, text[max(0, i-80):min(len(text), i+40)])
			}
		}
	}
	if strings.Contains(heard.String(), secret) || !strings.Contains(heard.String(), "USER staff") || strings.Contains(heard.String(), "PASS") {
		t.Errorf("the FTP server heard %q", heard.String())
	}
	if got := web.pages(); len(got) == 0 {
		t.Errorf("the web server was not asked")
	}
	if s := call(t.Context(), "", in("report", "--csv", "-", "--show-secrets")...); !strings.Contains(s.out, secret) {
		t.Errorf("--show-secrets does not show it")
	}
}
