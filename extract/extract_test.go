package extract_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"linkcheck/extract"
	"linkcheck/extract/doc"
	"linkcheck/extract/extracttest"
)

func TestHTML(t *testing.T) {
	const text = `<html><head><title>T</title><base href="http://h.example/d/">
<meta http-equiv=refresh content="5; URL=next.html"></head>
<a href="a.cgi?x=1&copy=2&amp;y=3">link</a> <a name=x href='#f'></a>
<img src=i.gif srcset="a,b.png 1x, c.png 2x"> <!-- <a href=c> -->
`
	want := []string{
		"2:42 refresh http://h.example/d/next.html",
		"3:10 href http://h.example/d/a.cgi?x=1&copy=2&y=3",
		"4:10 src http://h.example/d/i.gif",
		"4:24 srcset http://h.example/d/a,b.png",
		"4:36 srcset http://h.example/d/c.png",
	}
	got := extracttest.Rows("a.html", text, doc.Options{})
	if len(got) != len(want) {
		t.Fatalf("got %q\nwant %q", got, want)
	}
}

func TestBinary(t *testing.T) {
	for _, c := range []struct {
		name, data string
		want       []string
	}{
		{"picture", "GIF89a http://a.b/", nil},
		{"octets", "\x00\x01\x02\x03 http://a.b/", []string{"damage: f: binary data of no known kind: passed over"}},
		{"text with a zero", "text\x00 http://a.b/ and some more text after it", []string{"bare http://a.b/"}},
		{"utf-16", "\xff\xfeh\x00t\x00t\x00p\x00:\x00/\x00/\x00a\x00.\x00b\x00", []string{"bare http://a.b"}},
	} {
		got := extracttest.Rows("f", c.data, doc.Options{})
		for i, row := range got {
			if location, found, ok := strings.Cut(row, " "); ok && location != "damage:" {
				got[i] = found
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestMacintosh(t *testing.T) {
	if got := extracttest.Rows("f.txt", "one\rhttp://a.b/c\rtwo\r", doc.Options{}); !slices.Equal(got, []string{"2:1 bare http://a.b/c"}) {
		t.Errorf("got %q", got)
	}
	if got := extracttest.Rows("f.html", "<p>\r<p>\r<a href=http://a.b/>", doc.Options{}); !slices.Equal(got, []string{"3:9 href http://a.b/"}) {
		t.Errorf("got %q", got)
	}
}

func TestInput(t *testing.T) {
	const page = "<a href=http://a.b/>"
	for input, want := range map[string]string{
		"auto": "1:9 href http://a.b/", "html": "1:9 href http://a.b/", "rfc": "1:9 bare http://a.b/",
		"what": `damage: f.html: unknown format "what"`,
	} {
		if got := extracttest.Rows("f.html", page, doc.Options{Input: input}); !slices.Equal(got, []string{want}) {
			t.Errorf("%s: got %q", input, got)
		}
	}
}

// docs/EXTRACTION.md, the help of --input and its completion name the formats that Inputs lists.
func TestInputs(t *testing.T) {
	paper, err := os.ReadFile("../docs/EXTRACTION.md")
	if err != nil {
		t.Fatal(err)
	}
	inputs := extract.Inputs()
	if list := "`" + strings.Join(inputs, "`, `") + "`."; !strings.Contains(string(paper), list) {
		t.Errorf("docs/EXTRACTION.md has no list\n%s", list)
	}
	for _, name := range []string{"auto", "marcxml", "pdf", "texinfo", "manual", "vobject", "text"} {
		if !slices.Contains(inputs, name) {
			t.Errorf("%s is missing", name)
		}
	}
	for _, name := range inputs {
		if err := extract.Validate(extract.Options{Input: name}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
