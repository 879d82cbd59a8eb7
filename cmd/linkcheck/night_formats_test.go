package main

import (
	"strings"
	"testing"

	"linkcheck/internal/exit"
	"linkcheck/internal/lab"
)

// A nightly run over an archive that holds what nobody here can read: it is
// counted and no fault; what can be read no more is one. OUTCOMES section 3, exit
// codes, and section 2.1, coverage.
func TestRunOverUnknownFormats(t *testing.T) {
	l := newLibrary(t, map[string]string{
		"a.txt":      "http://www.mill.test/",
		"map.djvu":   "AT&TFORM\x00\x00\x01\x00DJVU http://www.mill.test/lost",
		"letter.doc": "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + strings.Repeat("\x00\x01", 400),
		"table.xls":  "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + strings.Repeat("\x00\x02", 400),
		"old.rar":    "Rar!\x1a\x07\x00http://www.mill.test/lost",
		"photo.jpg":  "\xff\xd8\xff\xe0http://www.mill.test/lost",
	})
	l.serveWeb(lab.Web{"www.mill.test": {"/": lab.Page("Mill", "The mill.")}})
	l.runQuietly(0)
	l.runQuietly(1)
	const want = "DjVu: 1, old Office: 2, rar archive: 1"
	if got := l.ok("report", "--summary"); !strings.Contains(got, want) {
		t.Errorf("the summary does not tell %q:\n%s", want, got)
	}
	if got := l.ok("report", "--html", "-"); !strings.Contains(got, want) {
		t.Errorf("the page does not tell %q", want)
	}
	if n := len(l.links()); n != 1 {
		t.Errorf("%d links", n)
	}
	l.write("letter.doc", "http://www.mill.test/ as text")
	l.runQuietly(2)
	if got := l.ok("report", "--summary"); !strings.Contains(got, "DjVu: 1, old Office: 1, rar archive: 1") {
		t.Errorf("what was replaced still counts:\n%s", got)
	}
	l.write("a.txt", "http://www.mill.test/ \x00\x01\x02\x03\x04\x05\x06\x07\x0e\x0f\x10\x11\x12\x13")
	if s := l.run(3); s.code != exit.Partial || !strings.Contains(s.err, "a.txt") {
		t.Errorf("rubbish in a text: %+v", s)
	}
}

// extract names such files, and is not displeased.
func TestExtractNamesUnknownFormats(t *testing.T) {
	l := newLibrary(t, map[string]string{"a.txt": "http://www.mill.test/", "b.djvu": "AT&TFORM\x00\x00\x01\x00DJVU"})
	s := call(t.Context(), "", "extract", l.docs())
	if s.code != exit.OK || !strings.Contains(s.err, "b.djvu: not read: DjVu") || !strings.Contains(s.out, "www.mill.test") {
		t.Errorf("%+v", s)
	}
}
