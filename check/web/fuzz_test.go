package web

import (
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"

	"linkcheck/check"
)

// A Location leads to a resource that can stand in a request line and that is
// followed to itself, or to a reason on the list.
func FuzzFollow(f *testing.F) {
	for _, s := range []string{"/a", "b?c", "//h/x", "http://h:8080/%zz", "?q", "..", "#x", "http://[::1]:1/", "mailto:x", "http://ü.de/ü", "a b", "\\\\h\\x", "http://u:p@h/"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, location string) {
		from := resource{scheme: "http", host: "site.org", path: "/a/b"}
		to, _, why := from.redirectTo(location)
		if why != "" {
			if _, ok := why.Meaning(); !ok {
				t.Fatalf("reason %q", why)
			}
			return
		}
		line := to.String()
		if strings.ContainsAny(line, " \r\n\t\x00#") || !strings.HasPrefix(to.path, "/") || to.host == "" || strings.Contains(to.host, "@") {
			t.Fatalf("%q leads to %q", location, line)
		}
		if again, _, why := to.redirectTo(line); why != "" || again != to {
			t.Fatalf("%q, then %q (%s)", line, again, why)
		}
	})
}

// A page of any octets has a short clean title, and a digest.
func FuzzPage(f *testing.F) {
	f.Add("text/html", "<title>A &amp; B</title><meta http-equiv=refresh content='0;url=x'><p>text")
	f.Add("text/html; charset=iso-8859-2", "<title>\xb1\xb6</title><script>x</script>")
	f.Add("text/plain", "words and words")
	f.Add("application/pdf", "%PDF")
	f.Fuzz(func(t *testing.T, kind string, body string) {
		a := answer{header: http.Header{"Content-Type": {kind}}, body: body}
		p := a.page()
		if len(p.title) > maxTitle || !utf8.ValidString(p.title) || p.title != check.CleanReply(p.title) {
			t.Fatalf("title %q", p.title)
		}
		d := digest(body, p)
		if (d == "") != (len(body) == 0) {
			t.Fatalf("digest %q", d)
		}
		s := textOf(&a, askedPath("/x/y"))
		if r := resemblance(s, s); len(s) > 0 && r != 1 {
			t.Fatalf("a text resembles itself by %v", r)
		}
	})
}
