package textscan_test

import (
	"context"
	"strings"
	"testing"

	"linkcheck/extract/budget"
	"linkcheck/extract/doc"
	"linkcheck/extract/textscan"
)

// TestPrinted: lines whose room is known, as those of PDF, say more than lines of text. In each
// case no letter of the second line would have fit on the first.
func TestPrinted(t *testing.T) {
	for _, c := range []struct {
		text       string
		firm, open string // what is found where other lines are as long, and where that is not known
	}{
		{"at http://h.example/a/\nparish. Then", "http://h.example/a/parish", "http://h.example/a/"},
		{"at http://h.example/a/\nparish", "http://h.example/a/parish", "http://h.example/a/"},
		{"at http://h.example/a/\nparish (of May)", "http://h.example/a/parish", "http://h.example/a/"},
		{"at http://h.example/a/\nparish of it", "http://h.example/a/", "http://h.example/a/"},
		{"at http://h.example/a/\nwhich.", "http://h.example/a/", "http://h.example/a/"},
		{"at http://h.example/a/\nSmith, J.", "http://h.example/a/", "http://h.example/a/"},
		{"at http://h.example/a/\nOldMaps of it", "http://h.example/a/OldMaps", "http://h.example/a/"},
		{"at http://h.example/parishe\ns", "http://h.example/parishes", "http://h.example/parishe"},
		{"at http://h.example/a/\nYes", "http://h.example/a/", "http://h.example/a/"},
		{"at https://doi.example/10.1/oral.\n2000.2565 of it", "https://doi.example/10.1/oral.2000.2565", "https://doi.example/10.1/oral.2000.2565"},
		{"at http://h.example/a.\n12.05.2004 it", "http://h.example/a", "http://h.example/a"},
		{"at http://h.example/a-\nb/c: all of it", "http://h.example/a-b/c", "http://h.example/a-b/c"},
	} {
		for _, firm := range []bool{true, false} {
			want := c.open
			if firm {
				want = c.firm
			}
			if got := printed(t, c.text, firm); len(got) != 1 || got[0] != want {
				t.Errorf("%q, firm %v:\n got %q\nwant %q", c.text, firm, got, want)
			}
		}
	}
}

// printed gives what is found in lines that are full.
func printed(t *testing.T, text string, firm bool) (found []string) {
	b, stop := budget.New(context.Background(), budget.Default(), int64(len(text)))
	defer stop()
	read := func(d *doc.Document, _ string) error {
		f := textscan.NewFeed(d, func(f doc.Found) bool {
			found = append(found, f.URI)
			return true
		})
		f.Measure(func(int) (int, bool) { return 0, firm })
		f.Add([]byte(text), 1, 1)
		f.Flush()
		return nil
	}
	d := doc.New("", strings.NewReader(text), b, doc.Options{}, read, func(doc.Found, error) bool { return true })
	if err := d.Nest("text"); err != nil {
		t.Fatal(err)
	}
	return found
}
