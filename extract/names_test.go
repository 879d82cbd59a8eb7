package extract_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"linkcheck/extract"
	"linkcheck/extract/doc"
)

// Messages and parts give their names where they begin: RFC 2392 for mid: and
// cid:, RFC 5538 for news:.
func TestNames(t *testing.T) {
	const box = "From a@b Sat Jan  3 01:05:34 1996\nMessage-ID: <1@a>\nContent-Type: multipart/related; boundary=x\n\n" +
		"--x\nContent-Type: text/html\n\n<img src=\"cid:logo%40a\"><a href='mid:1%40a/logo%40a'>x</a><a href=mid:2@a>y</a>\n" +
		"--x\nContent-Type: image/gif\nContent-ID: <logo@a>\n\nGIF8\n--x--\n\n" +
		"From a@b Sat Jan  3 02:05:34 1996\nMessage-ID: <2@a>\nContent-Type: message/rfc822\n\nMessage-ID: <3@a>\n\nsee <news:1@a>, <mid:3@a>, news:comp.os and <news:4@a>\n"
	names := map[string]string{}
	var links []string
	for f, err := range extract.Document("a.mbox", strings.NewReader(box), doc.Options{Names: true}) {
		switch {
		case err != nil:
			t.Fatal(err)
		case f.Name != "":
			names[f.Name] = strings.TrimSpace(fmt.Sprint(f.Line, " ", f.Locator))
		default:
			links = append(links, f.URI)
		}
	}
	want := map[string]string{"mid:1@a": "2", "cid:logo@a": "10 part 2", "mid:1@a logo@a": "10 part 2", "mid:2@a": "17", "mid:3@a": "20"}
	if fmt.Sprint(names) != fmt.Sprint(want) {
		t.Errorf("names %v\nwant  %v", names, want)
	}
	var at []string
	for _, l := range links {
		at = append(at, names[extract.NameOf(l)])
	}
	if want := []string{"10 part 2", "10 part 2", "17", "2", "20", "", ""}; !slices.Equal(at, want) {
		t.Errorf("%q stand at %q, want %q", links, at, want)
	}
}
