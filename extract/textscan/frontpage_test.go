package textscan

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"linkcheck/extract/dates"
	"linkcheck/internal/testdoc"
)

// The RFCs that the project ships say their number, title and month.
func TestFrontPage(t *testing.T) {
	for file, want := range map[string]frontPage{
		"rfc1402.txt": {"RFC 1402", "There's Gold in them thar Networks! or Searching for Treasure in all the Wrong Places", "1993-01"},
		"rfc1630.txt": {"RFC 1630", "Universal Resource Identifiers in WWW A Unifying Syntax for the Expression of Names and Addresses of Objects on the Network as used in the World-Wide Web", "1994-06"},
		"rfc1738.txt": {"RFC 1738", "Uniform Resource Locators (URL)", "1994-12"},
		"rfc1739.txt": {"RFC 1739", "A Primer On Internet and TCP/IP Tools", "1994-12"},
		"rfc1941.txt": {"RFC 1941", "Frequently Asked Questions for Schools", "1996-05"},
		"rfc2056.txt": {"RFC 2056", "Uniform Resource Locators for Z39.50", "1996-11"},
		"rfc2368.txt": {"RFC 2368", "The mailto URL scheme", "1998-07"},
		"rfc5538.txt": {"RFC 5538", "The 'news' and 'nntp' URI Schemes", "2010-04"},
	} {
		if got := readFrontPage(headOf(t, filepath.Join("../../testdata/corpus/rfc", file))); got != want {
			t.Errorf("%s:\n got %q\nwant %q", file, got, want)
		}
	}
}

// Front pages as they were at other times, and what is none.
func TestOtherFrontPages(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       frontPage
	}{
		{"of 1969", "Network Working Group                                           Vint Cerf\nRequest for Comments: 20                                             UCLA\n                                                         October 16, 1969\n\n\n                ASCII format for Network Interchange\n\n\nFor concreteness, we suggest the use of standard 7-bit ASCII embedded\nin an 8 bit byte whose high order bit is always 0.\n",
			frontPage{"RFC 20", "ASCII format for Network Interchange", "1969-10-16"}},
		{"tabs", "Network Working Group\t\t\t\t\t\tJ. Miller\nRequest for Comments: 0001\t\t\t5 October 1996\n\n\t\t\tA Title\n\nStatus of this Memo\n", frontPage{"RFC 1", "A Title", "1996-10-05"}},
		{"a draft", "Uniform Resource Identifiers Working Group                  R. Fielding\nINTERNET-DRAFT                                                UC Irvine\nExpires September 19, 1995                               March 19, 1995\n\n\n                  Relative Uniform Resource Locators\n                 <draft-ietf-uri-relative-url-06.txt>\n\n\nStatus of this Memo\n",
			frontPage{"draft-ietf-uri-relative-url-06", "Relative Uniform Resource Locators", "1995-03-19"}},
		{"its name above", "Network Working Group                            T. Berners-Lee, MIT/LCS\nINTERNET-DRAFT                                 R. Fielding,  U.C. Irvine\ndraft-fielding-uri-syntax-02              L. Masinter, Xerox Corporation\nExpires six months after publication date                  March 4, 1998\n\n\n          Uniform Resource Identifiers (URI): Generic Syntax\n\n\nStatus of this Memo\n",
			frontPage{"draft-fielding-uri-syntax-02", "Uniform Resource Identifiers (URI): Generic Syntax", "1998-03-04"}},
		{"a memo", "To: the Network Working Group\n\n    See Request for Comments: 1738 of December 1994\n\n1. x\n", frontPage{}},
		{"a diff", "*** draft-a-b-00.txt\tWed Aug 24 13:08:15 1994\n--- draft-a-b-01.txt\tFri Oct 28 16:39:30 1994\n***************\n*** 1,10 ****\n! A Working Group\n  INTERNET-DRAFT                                                UC Irvine\n! Expires February 24, 1995                               August 24, 1994\n",
			frontPage{date: "1994-08-24"}},
		{"an index", "                             RFC INDEX\n\n1738 Uniform Resource Locators (URL). T. Berners-Lee. December 1994.\n", frontPage{}},
		{"cut short", "Network Working Group\nRequest for Comments: 1\n", frontPage{id: "RFC 1"}},
	} {
		if got := readFrontPage([]byte(c.text)); got != c.want {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
}

// Each RFC beside the project says what the index of RFCs says of it.
func TestFrontPagesAsIndexed(t *testing.T) {
	index, err := os.ReadFile(testdoc.Shared(t, "corpus", "rfc", "rfc-index.txt"))
	if err != nil {
		t.Fatal(err)
	}
	entries := map[string]string{}
	for _, entry := range strings.Split(string(index), "\n\n") {
		if number, rest, ok := strings.Cut(strings.TrimSpace(entry), " "); ok && len(number) == 4 {
			entries[strings.TrimLeft(number, "0")] = strings.Join(strings.Fields(rest), " ")
		}
	}
	files, err := filepath.Glob(filepath.Join(testdoc.Shared(t, "corpus", "rfc"), "rfc[0-9]*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no RFC: %v", err)
	}
	published, right := regexp.MustCompile(`\. ([A-Z][a-z]+ \d{4})\. \(`), 0
	for _, file := range files {
		number := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(file), "rfc"), ".txt")
		entry, got := entries[number], readFrontPage(headOf(t, file))
		month := published.FindStringSubmatch(entry)
		if month == nil {
			t.Fatalf("%s: no month in %q", number, entry)
		}
		if got.id != "RFC "+number || got.title == "" || !strings.HasPrefix(letters(entry), letters(got.title)) || got.date != dates.OfText(month[1]) {
			t.Errorf("%s: %q\nindex: %s", number, got, entry)
			continue
		}
		right++
	}
	t.Logf("%d of %d RFCs have number, title and month of the index", right, len(files))
}

// letters are the letters and digits of a title; the index sets its own signs between them.
func letters(s string) string {
	return strings.ToLower(regexp.MustCompile(`[^A-Za-z0-9]`).ReplaceAllString(s, ""))
}

// Each draft beside the project has the name that its file has, to a hyphen.
func TestFrontPagesOfDrafts(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(testdoc.Shared(t, "corpus", "drafts"), "*draft-*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no draft: %v", err)
	}
	right := 0
	for _, file := range files {
		_, name, _ := strings.Cut(filepath.Base(file), "draft-")
		name = "draft-" + strings.TrimSuffix(name, ".txt")
		got := readFrontPage(headOf(t, file))
		if letters(got.id) != letters(name) || got.title == "" || got.date == "" {
			t.Errorf("%s: %q", name, got)
			continue
		}
		right++
	}
	t.Logf("%d of %d drafts have name, title and date", right, len(files))
}

func headOf(t *testing.T, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return text[:min(len(text), frontPageSize)]
}
