package extract_test

import (
	"slices"
	"strings"
	"testing"

	"linkcheck/extract"
)

// The items of a feed (RSS 2.0; RFC 4287 section 4.2.7) and of a gopher menu (RFC 1436
// section 3.8) lead on; what stands in their text does not.
func TestLeads(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"rss", `<?xml version="1.0"?><rss version="2.0"><channel><link>http://h/</link><item><link>http://h/1</link><guid>http://h/g</guid>
<description>&lt;a href="http://h/d"&gt;d&lt;/a&gt;</description></item></channel></rss>`, "http://h/ http://h/1"},
		{"atom", `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><link href="http://h/"/><entry><id>http://h/id</id><link rel="alternate" href="http://h/1"/>
<content type="html">http://h/c</content></entry></feed>`, "http://h/ http://h/1"},
		{"records", `<?xml version="1.0"?><records><link>http://h/1</link><a href="http://h/2"/></records>`, ""},
		{"menu", "0File\t/f\th\t70\r\n1Menu\t/m\th\t70\r\niread http://h/t\tfake\t(NULL)\t0\r\n.\r\n", "gopher://h/0/f gopher://h/1/m"},
		{"text", "see http://h/t\n", ""},
	}
	for _, tt := range tests {
		var got []string
		all := 0
		for f, err := range extract.Document(tt.name, strings.NewReader(tt.text), extract.Options{Leads: true, Context: t.Context()}) {
			if err != nil {
				t.Errorf("%s: %v", tt.name, err)
			}
			if all++; f.Leads {
				got = append(got, f.URI)
			}
		}
		if want := strings.Fields(tt.want); all == 0 || !slices.Equal(got, want) {
			t.Errorf("%s: got %q of %d, want %q", tt.name, got, all, want)
		}
	}
}
