package nntp

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/check/checktest"
	"linkcheck/internal/lab/labtest"
	"linkcheck/uri"
)

// brought is what a reader handed on; entries as "name version", folders with a slash.
type brought = checktest.Brought

func bring(t testing.TB, p check.Prober, u uri.URI, w check.Wanted) (check.Result, brought) {
	t.Helper()
	return checktest.Bring(t, p, u, w, func(e check.Entry) string {
		if e.Folder {
			return e.Name + " " + e.Version + "/"
		}
		return e.Name + " " + e.Version
	})
}

const (
	group = "C: GROUP test.linkcheck\\r\\n\nS: 211 5 1 5 test.linkcheck\\r\\n\n"
	over3 = `S: 224 Overview information for 3- follows\r\n
		S: 3\tthree\tA R <a.r@archive.example>\tSun, 22 Nov 2026 02:03:08 +0000\t<three@archive.example>\t\t459\t2\tXref: news.archive.example test.linkcheck:3\r\n
		S: 4\tWhere the guides are\treader@archive.example\tSun, 22 Nov 2026 02:03:38 -0000 (UTC)\t<four@archive.example>\t\t594\t2\tXref: news.archive.example test.linkcheck:4 test.empty:1\r\n
		S: 5\t=?iso-8859-1?Q?Caf=E9?= guide\treader@archive.example\tSun, 22 Nov 2026 02:03:38 -0000 (UTC)\t<five@archive.example>\t<four@archive.example>\t579\t3\tXref: news.archive.example test.linkcheck:5\r\n
		S: .\r\n
		`
	article4 = `
		C: ARTICLE 4\r\n
		S: 220 4 <four@archive.example> article\r\n
		S: Message-ID: <four@archive.example>\r\n
		S: \r\n
		S: See <URL:ftp://ftp.wells.example/pub/guides/> and\r\n
		S: ..dots\r\n
		S: .\r\n`
)

// TestRead: what INN 2.7.1 said, and servers that know less.
func TestRead(t *testing.T) {
	ids := func(from, to int) (list []string) {
		for n := from; n <= to; n++ {
			list = append(list, fmt.Sprintf("news://{at}/%s@archive.example %d", []string{"", "one", "two", "three", "four", "five"}[n], n))
		}
		return list
	}
	numbers := func(list ...int) (all []string) {
		for _, n := range list {
			all = append(all, fmt.Sprintf("nntp://{at}/test.linkcheck/%d %d", n, n))
		}
		return all
	}
	for _, tt := range []struct {
		name, url, script string
		wanted            check.Wanted
		result            string // outcome(reason)
		want              brought
		broken            bool
	}{
		{"overview behind a number", "news://{at}/test.linkcheck", group + "C: OVER 3-\\r\\n\n" + over3 + quit, check.Wanted{After: "2"}, "ok(nntp-211)", brought{Version: "5 1 5", Entries: ids(3, 5)}, false},
		{"so many numbers", "news://{at}/test.linkcheck", group + "C: OVER 3-4\\r\\n\n" + over3 + quit, check.Wanted{After: "2", Most: 2}, "ok(nntp-211)", brought{Version: "5 1 5", Entries: ids(3, 4)}, false},
		{"nothing behind the last number", "news://{at}/test.linkcheck", group + quit, check.Wanted{After: "5"}, "ok(nntp-211)", brought{Version: "5 1 5"}, false},
		{"a range without articles", "news://{at}/test.linkcheck", group + `C: OVER 5-\r\n
			S: 423 No articles in 5-\r\n` + quit, check.Wanted{After: "4"}, "ok(nntp-211)", brought{Version: "5 1 5"}, false},
		{"a range without articles, said otherwise", "news://{at}/test.linkcheck", group + `C: OVER 5-\r\n
			S: 224 follows\r\n
			S: .\r\n` + quit, check.Wanted{After: "4"}, "ok(nntp-211)", brought{Version: "5 1 5"}, false},
		{"an empty group", "news://{at}/test.linkcheck", `C: GROUP test.linkcheck\r\n
			S: 211 0 1 0 test.linkcheck\r\n` + quit, check.Wanted{}, "ok(nntp-211)", brought{Version: "0 1 0"}, false},
		{"a first number that may be wrong", "news://{at}/test.linkcheck", `C: GROUP test.linkcheck\r\n
			S: 211 3 3 5 test.linkcheck\r\n
			C: OVER 2-\r\n` + "\n" + over3 + quit, check.Wanted{After: "1"}, "ok(nntp-211)", brought{Version: "3 3 5", Entries: ids(3, 5)}, false},
		{"XOVER", "news://{at}/test.linkcheck", group + "C: OVER 3-\\r\\n\nS: 500 What?\\r\\n\nC: XOVER 3-\\r\\n\n" + over3 + quit, check.Wanted{After: "2"}, "ok(nntp-211)", brought{Version: "5 1 5", Entries: ids(3, 5)}, false},
		{"HDR", "news://{at}/test.linkcheck", group + `C: OVER 3-\r\n
			S: 502 No\r\n
			C: XOVER 3-\r\n
			S: 500 What?\r\n
			C: HDR Message-ID 3-\r\n
			S: 225 Header or metadata information for Message-ID follows (from overview)\r\n
			S: 3 <three@archive.example>\r\n
			S: 4 <four@archive.example>\r\n
			S: 5 <five@archive.example>\r\n
			S: .\r\n` + quit, check.Wanted{After: "2"}, "ok(nntp-211)", brought{Version: "5 1 5", Entries: ids(3, 5)}, false},
		{"LISTGROUP in the end", "news://{at}/test.linkcheck", group + `C: OVER 3-\r\n
			S: 500 What?\r\n
			C: XOVER 3-\r\n
			S: 500 What?\r\n
			C: HDR Message-ID 3-\r\n
			S: 500 What?\r\n
			C: XHDR Message-ID 3-\r\n
			S: 500 What?\r\n
			C: LISTGROUP test.linkcheck 3-\r\n
			S: 501 Syntax error\r\n
			C: LISTGROUP test.linkcheck\r\n
			S: 211 list follows\r\n
			S: 1\r\n
			S: 3\r\n
			S: 4\r\n
			S: 5\r\n
			S: .\r\n
			C: STAT 3\r\n
			S: 223 3 <three@archive.example> status\r\n
			C: STAT 4\r\n
			S: 423 No such article\r\n
			C: STAT 5\r\n
			S: 223 5 0\r\n
			C: HEAD 5\r\n
			S: 221 5 0\r\n
			S: Subject: five\r\n
			S: Message-ID:\r\n
			S:  <five@archive.example>\r\n
			S: .\r\n` + quit, check.Wanted{After: "2"}, "ok(nntp-211)", brought{Version: "5 1 5", Entries: []string{ids(3, 3)[0], ids(5, 5)[0]}}, false},
		{"by numbers", "nntp://{at}/test.linkcheck", group + `C: LISTGROUP test.linkcheck 1-\r\n
			S: 211 5 1 5 test.linkcheck\r\n
			S: 1\r\n
			S: 3\r\n
			S: 4\r\n
			S: .\r\n` + quit, check.Wanted{}, "ok(nntp-211)", brought{Version: "5 1 5", Entries: numbers(1, 3, 4)}, false},
		{"a Message-ID that makes no URI", "news://{at}/test.linkcheck", group + `C: OVER 5-\r\n
			S: 224 follows\r\n
			S: 5\tfive\ta@b\tSun\t<five at archive>\t\t1\t1\r\n
			S: .\r\n` + quit, check.Wanted{After: "4"}, "ok(nntp-211)", brought{Version: "5 1 5", Entries: numbers(5)}, false},
		{"a line that is none", "news://{at}/test.linkcheck", group + `C: OVER 4-\r\n
			S: 224 follows\r\n
			S: hello\r\n
			S: 5\tfive\ta@b\tSun\t<five@archive.example>\t\t1\t1\r\n
			S: .\r\n` + quit, check.Wanted{After: "3"}, "ok(nntp-211)", brought{Version: "5 1 5", Entries: ids(5, 5)}, true},
		{"a list that breaks off", "news://{at}/test.linkcheck", group + `C: OVER 5-\r\n
			S: 224 follows\r\n
			S: 5\tfive\ta@b\tSun\t<five@archive.example>\t\t1\t1\r\n
			S: <resets>`, check.Wanted{After: "4"}, "ok(nntp-211)", brought{Version: "5 1 5", Entries: ids(5, 5)}, true},
		{"no such group", "news://{at}/test.linkcheck", `C: GROUP test.linkcheck\r\n
			S: 411 No such group test.linkcheck\r\n` + quit, check.Wanted{}, "gone(nntp-411)", brought{}, false},
		{"a private group", "news://{at}/test.linkcheck", `C: GROUP test.linkcheck\r\n
			S: 480 Read access denied\r\n` + quit, check.Wanted{}, "auth(nntp-480)", brought{}, false},
		{"refused and closed", "news://{at}/test.linkcheck", group + `C: OVER 1-\r\n
			S: 502 No\r\n
			C: XOVER 1-\r\n
			S: <closes>`, check.Wanted{}, "blocked(nntp-502)", brought{}, false},
		{"groups", "news://{at}/test.*,!test.e*", `C: LIST ACTIVE test.*,!test.e*\r\n
			S: 215 Newsgroups in form "group high low status"\r\n
			S: test.linkcheck 0000000005 0000000001 y\r\n
			S: test.empty 0000000001 0000000001 y\r\n
			S: .\r\n` + quit, check.Wanted{}, "ok(nntp-215)", brought{Entries: []string{"news://{at}/test.linkcheck 0000000005 0000000001 y/"}}, false},
		{"no group", "news://{at}/nosuch.*", `C: LIST ACTIVE nosuch.*\r\n
			S: 215 Newsgroups in form "group high low status"\r\n
			S: .\r\n` + quit, check.Wanted{}, "gone(nntp-215)", brought{}, false},
		{"all groups", "news://{at}/", `C: LIST ACTIVE\r\n
			S: 215 Newsgroups in form "group high low status"\r\n
			S: test.linkcheck 5 1 y\r\n
			S: .\r\n` + quit, check.Wanted{}, "ok(nntp-215)", brought{Entries: []string{"news://{at}/test.linkcheck 5 1 y/"}}, false},
		{"an article by number", "nntp://{at}/test.linkcheck/4", group + article4 + quit, check.Wanted{}, "ok(nntp-220)",
			brought{Media: "message/rfc822", Text: "Message-ID: <four@archive.example>\r\n\r\nSee <URL:ftp://ftp.wells.example/pub/guides/> and\r\n.dots\r\n"}, false},
		{"an article by Message-ID, missing", "news://{at}/nosuch@archive.example", `C: ARTICLE <nosuch@archive.example>\r\n
			S: 430 No such article\r\n` + quit, check.Wanted{}, "gone(nntp-430)", brought{}, false},
		{"an article by number, cancelled", "nntp://{at}/test.linkcheck/2", group + `C: ARTICLE 2\r\n
			S: 423 No such article number 2\r\n` + quit, check.Wanted{}, "gone(nntp-423)", brought{}, false},
		{"more than is wanted", "nntp://{at}/test.linkcheck/4", group + article4 + "\nS: <closes>", check.Wanted{MaxBytes: 10}, "ok(nntp-220)", brought{Media: "message/rfc822", Text: "Message-ID", Cut: true}, false},
		{"an article that breaks off", "news://{at}/four@archive.example", `C: ARTICLE <four@archive.example>\r\n
			S: 220 0 <four@archive.example>\r\n
			S: Subject: a\r\n
			S: <closes>`, check.Wanted{}, "ok(nntp-220)", brought{Media: "message/rfc822", Text: "Subject: a\r\n"}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := labtest.Serve(t, in+tt.script)
			p := New(options(s))
			r, b := bring(t, p, s.URI(tt.url), tt.wanted)
			p.Close()
			if got := fmt.Sprintf("%s(%s)", r.Outcome, r.Reason); got != tt.result || (b.Times == 1) != (r.Outcome == check.OK) || b.Times > 1 {
				t.Fatalf("%s %q, want %s; handed on %d times", got, r.Reply, tt.result, b.Times)
			}
			for i := range tt.want.Entries {
				tt.want.Entries[i] = strings.ReplaceAll(tt.want.Entries[i], "{at}", fmt.Sprintf("%s:%d", s.At.Host, s.At.Port))
			}
			if (b.Err != nil) != tt.broken || !slices.Equal(b.Entries, tt.want.Entries) || b.Text != tt.want.Text || b.Media != tt.want.Media || b.Version != tt.want.Version || b.Cut != tt.want.Cut {
				t.Errorf("got %+v, want %+v", b, tt.want)
			}
		})
	}
}

// TestReadReuse: one session serves a group and its articles, and then a probe.
func TestReadReuse(t *testing.T) {
	s := labtest.Serve(t, in+group+"C: OVER 3-\\r\\n\n"+over3+`C: ARTICLE <four@archive.example>\r\n
		S: 220 0 <four@archive.example> article\r\n
		S: Subject: a\r\n
		S: .\r\n
		C: STAT <five@archive.example>\r\n
		S: 223 0 <five@archive.example> status\r\n`+quit)
	p := New(options(s))
	defer p.Close()
	if _, b := bring(t, p, s.URI("news://{at}/test.linkcheck"), check.Wanted{After: "2"}); len(b.Entries) != 3 {
		t.Errorf("%+v", b)
	}
	if _, b := bring(t, p, s.URI("news://{at}/four@archive.example"), check.Wanted{}); b.Text != "Subject: a\r\n" {
		t.Errorf("%+v", b)
	}
	if r := p.Probe(t.Context(), check.Target{URI: s.URI("news://{at}/five@archive.example")}); r.Outcome != check.OK {
		t.Errorf("%s(%s)", r.Outcome, r.Reason)
	}
}

// noLists is a server that knows LISTGROUP alone.
const noLists = group + `C: OVER 1-\r\n
	S: 500 What?\r\n
	C: XOVER 1-\r\n
	S: 500 What?\r\n
	C: HDR Message-ID 1-\r\n
	S: 500 What?\r\n
	C: XHDR Message-ID 1-\r\n
	S: 500 What?\r\n`

// TestReadIDs: where lists have numbers alone, message-ids are asked for, but for those that
// the caller knows while the highest of them is what it was.
func TestReadIDs(t *testing.T) {
	const list = `
		C: LISTGROUP test.linkcheck 1-\r\n
		S: 211 list follows\r\n
		S: 1\r\n
		S: 2\r\n
		S: 4\r\n
		S: .\r\n`
	stat := func(n int, id string) string {
		return fmt.Sprintf("\nC: STAT %d\\r\\n\nS: 223 %d <%s@archive.example>\\r\\n\n", n, n, id)
	}
	for name, c := range map[string]struct {
		script string
		knows  string // the number that is known as that name
		sameTo uint64
		want   []string
	}{
		"none is known":           {list + stat(1, "one") + stat(2, "two") + stat(4, "four"), "", 0, []string{"one", "two", "four"}},
		"two are known":           {list + stat(2, "two") + stat(4, "four"), "1 one 2 two", 0, []string{"1", "two", "four"}},
		"they are others now":     {list + stat(2, "x") + stat(1, "y") + stat(4, "z"), "1 one 2 two", 0, []string{"y", "x", "z"}},
		"those of old are others": {list + stat(1, "y") + stat(2, "two") + stat(4, "z"), "1 one 2 two", 1, []string{"y", "two", "z"}},
		"a list without a range": {`
			C: LISTGROUP test.linkcheck 1-\r\n
			S: 501 no range\r\n
			C: LISTGROUP test.linkcheck\r\n` + list[strings.Index(list, "S: 211")-3:] + stat(4, "four") + stat(1, "one"), "2 two 4 four", 0, []string{"one", "2", "four"}},
		"no list at all": {`
			C: LISTGROUP test.linkcheck 1-\r\n
			S: 500 What?\r\n
			C: LISTGROUP test.linkcheck\r\n
			S: 500 What?\r\n` + stat(1, "one") + "\nC: STAT 2\\r\\n\nS: 423 No\\r\\n\n" + stat(3, "three") + stat(4, "four") + stat(5, "five"), "1 one", 1, []string{"one", "three", "four", "five"}},
	} {
		s := labtest.Serve(t, in+noLists+c.script+quit)
		p := New(options(s))
		at := fmt.Sprintf("//%s:%d/", s.At.Host, s.At.Port)
		known := strings.Fields(c.knows)
		w := check.Wanted{SameTo: c.sameTo, Same: func(number, name string) bool {
			for i := 0; i < len(known); i += 2 {
				if known[i] == number {
					return name == "" || name == "news:"+at+known[i+1]+"@archive.example"
				}
			}
			return false
		}}
		r, b := bring(t, p, s.URI("news://{at}/test.linkcheck"), w)
		p.Close()
		var got []string
		for _, e := range b.Entries {
			e, _, _ = strings.Cut(e[strings.LastIndexByte(e, '/')+1:], " ")
			got = append(got, strings.TrimSuffix(e, "@archive.example"))
		}
		if r.Outcome != check.OK || b.Err != nil || b.Cut || !slices.Equal(got, c.want) {
			t.Errorf("%s: %s(%s), %+v, want %q", name, r.Outcome, r.Reason, b, c.want)
		}
	}
}

// TestReadMany: a hundred message-ids are asked for in a row, and there are more. What a
// server does not know it is not asked again, in a later run either; nor for the group in
// which the session is.
func TestReadMany(t *testing.T) {
	list := "C: LISTGROUP test.linkcheck 1-\\r\\n\nS: 211 list follows\\r\\n\n"
	var heads []string
	for n := 1; n <= mostIDs+2; n++ {
		list += fmt.Sprintf("S: %d\\r\\n\n", n)
		heads = append(heads, fmt.Sprintf("C: HEAD %d\\r\\n\nS: 221 %d 0\\r\\n\nS: Message-ID: <%d@archive.example>\\r\\n\nS: .\\r\\n\n", n, n, n))
	}
	list += "S: .\\r\\n\n"
	more := fmt.Sprintf("C: LISTGROUP test.linkcheck %d-\\r\\n\nS: 211 list follows\\r\\n\nS: %d\\r\\n\nS: .\\r\\n\n", mostIDs+1, mostIDs+1)
	s := labtest.Serve(t,
		in+strings.ReplaceAll(noLists, "211 5 1 5", "211 102 1 102")+"\n"+list+"C: STAT 1\\r\\n\nS: 223 1 0\\r\\n\n"+strings.Join(heads[:mostIDs], "")+more+heads[mostIDs]+quit,
		in+strings.ReplaceAll(group, "211 5 1 5", "211 102 1 102")+more+heads[mostIDs]+quit)
	cache := cacheOf{}
	for run := range 2 {
		p := New(options(s))
		p.Hooks().UseCache(cache)
		if run == 0 {
			if r, b := bring(t, p, s.URI("news://{at}/test.linkcheck"), check.Wanted{}); r.Outcome != check.OK || !b.Cut || b.Err != nil || len(b.Entries) != mostIDs {
				t.Errorf("%s(%s) %q: %d, cut %v, %v", r.Outcome, r.Reason, r.Reply, len(b.Entries), b.Cut, b.Err)
			}
		}
		if r, b := bring(t, p, s.URI("news://{at}/test.linkcheck"), check.Wanted{After: fmt.Sprint(mostIDs)}); r.Outcome != check.OK || b.Cut || len(b.Entries) != 1 {
			t.Errorf("%s(%s) %q: %+v", r.Outcome, r.Reason, r.Reply, b)
		}
		p.Close()
	}
}

// TestHabitsLast: a server that knows less than it did is asked for more in the next night, and
// then ever more seldom; one that never knew more is asked each 30 days.
func TestHabitsLast(t *testing.T) {
	over, byNumber := habits{Listed: true}, habits{List: oneByOne, Listed: true}
	for name, c := range map[string]struct {
		knows func(night int) bool // OVER
		asked []int                // nights in which it is asked for it in vain
		spent int                  // nights in which it is not asked for it, and would know it
	}{
		"always":               {func(int) bool { return true }, nil, 0},
		"one night of trouble": {func(night int) bool { return night != 10 }, []int{10}, 0},
		"a week of trouble":    {func(night int) bool { return night < 10 || night > 16 }, []int{10, 11, 13}, 0},
		"never":                {func(int) bool { return false }, []int{0, 30, 60, 90}, 0},
		"no more":              {func(night int) bool { return night == 0 }, []int{1, 2, 4, 8, 15, 29, 56, 86}, 0},
		"from night 5 on":      {func(night int) bool { return night >= 5 }, []int{0}, 25},
	} {
		t.Run(name, func(t *testing.T) {
			cache, at, spent := cacheOf{}, key{address: "news.example:119"}, 0
			var asked []int
			for night := range 100 {
				now := time.Date(2026, 3, 1, 3, 0, 0, 0, time.UTC).AddDate(0, 0, night)
				m := memory{known: map[key]habits{}, cache: cache}
				for range 2 { // Reads of a night
					switch h := m.of(at, now); {
					case h.List == over.List && c.knows(night):
						m.keep(at, over, now)
					case h.List == over.List:
						asked = append(asked, night)
						m.keep(at, byNumber, now)
					default:
						m.keep(at, h, now)
						if c.knows(night) {
							spent++
						}
					}
				}
			}
			if !slices.Equal(asked, c.asked) || spent != 2*c.spent {
				t.Errorf("asked in vain in nights %v, want %v; not asked in %d, want %d", asked, c.asked, spent/2, c.spent)
			}
		})
	}
}

type cacheOf map[string][]byte

func (c cacheOf) CacheGet(key string) ([]byte, bool)             { return c[key], c[key] != nil }
func (c cacheOf) CachePut(key string, value []byte, _ time.Time) { c[key] = value }

// TestReadOnce: a group that is refused ends no session, and an article that breaks off is
// not asked for again over another.
func TestReadOnce(t *testing.T) {
	s := labtest.Serve(t, in+`
		C: GROUP test.private\r\n
		S: 502 No\r\n
		C: GROUP test.hidden\r\n
		S: 480 No\r\n
		C: ARTICLE <four@archive.example>\r\n
		S: 220 0 <four@archive.example>\r\n
		S: Subject: a\r\n
		S: <closes>`, in+`
		C: STAT <four@archive.example>\r\n
		S: 223 0 <four@archive.example>\r\n`+quit)
	p := New(options(s))
	defer p.Close()
	for _, q := range []struct {
		uri, version, result string
		times                int
	}{
		{"news://{at}/test.private", "", "blocked(nntp-502)", 0},
		{"news://{at}/test.hidden", "", "auth(nntp-480)", 0},
		{"news://{at}/four@archive.example", "", "ok(nntp-220)", 1},
		{"news://{at}/four@archive.example", "known", "ok(nntp-223)", 0},
	} {
		r, b := bring(t, p, s.URI(q.uri), check.Wanted{Version: q.version})
		if got := fmt.Sprintf("%s(%s)", r.Outcome, r.Reason); got != q.result || b.Times != q.times || (b.Err != nil) != (q.times == 1) {
			t.Errorf("%s: %s, %+v", q.uri, got, b)
		}
	}
}

// TestReadNot: what names no server is not asked for, as by a probe without one.
func TestReadNot(t *testing.T) {
	p := New(Options{Options: check.Options{Dialer: labtest.Serve(t).Dialer()}, Servers: []string{"news.lib"}})
	r, b := bring(t, p, parse("news:comp.infosystems"), check.Wanted{})
	if r.Reason != check.ReasonNoNewsServer || b.Times != 0 {
		t.Errorf("%s(%s)", r.Outcome, r.Reason)
	}
}

func TestReadSuite(t *testing.T) {
	for _, path := range []string{"nntp://{at}/g.h/1", "news://{at}/g.h"} {
		checktest.Run(t, checktest.Case{
			New:      checktest.ByRead(func(o check.Options) check.Prober { return New(Options{Options: o}) }, 64<<10),
			URL:      path,
			Greeting: "200 ready\r\n",
			Reply:    "200 reader\r\n",
			Endless:  "200 hello\r\n",
			Lying:    []string{"211 99999999999999999999 0 0\r\n", "2000 x\r\n", "101 list\r\n"},
			Control:  []uri.URI{&uri.NNTP{Group: "a\r\nPOST"}, &uri.NNTP{Group: "a", Article: "1\n"}, &uri.NNTP{Group: "\x00"}},
		})
	}
}

// FuzzRead: whatever a server says, a reading ends with a reason of the list, sends only
// questions, hands on no more than is wanted, and names what can be asked for.
func FuzzRead(f *testing.F) {
	f.Add(byte(0), labtest.ServerOctets(in+group+over3))
	f.Add(byte(1), labtest.ServerOctets(in+group+article4))
	f.Add(byte(2), []byte("200 a\r\n200 b\r\n215 c\r\na.b 3 1 y\r\n.\r\n"))
	f.Add(byte(3), []byte("200 a\r\n200 b\r\n211 5 1 5 g\r\n211 x\r\n1\r\n..\r\n\r\n.\r\n"))
	f.Add(byte(0), labtest.ServerOctets(in+noLists+"S: 211 x\\r\\n\nS: 1\\r\\n\nS: 12\\r\\n\nS: .\\r\\n\nS: 223 12 <a@b>\\r\\n\nS: 223 1 0\\r\\n\nS: 221 x\\r\\n\nS: Message-ID:\\r\\n\nS:  <a@b>\\r\\n\nS: .\\r\\n"))
	may := map[string]bool{"MODE": true, "ARTICLE": true, "GROUP": true, "LIST": true, "LISTGROUP": true, "OVER": true, "XOVER": true, "HDR": true, "XHDR": true, "STAT": true, "HEAD": true, "CAPABILITIES": true, "STARTTLS": true, "QUIT": true}
	targets := []uri.URI{parse("news://h.example/g.h"), parse("nntp://h.example/g.h/1"), parse("news://h.example/g.*"), parse("nntp://h.example/g.h"), parse("news://h.example/a@b.c")}
	f.Fuzz(func(t *testing.T, which byte, said []byte) {
		c := labtest.NewReplay(said)
		p := New(Options{Options: check.Options{Dialer: c, Timeout: time.Second}})
		r, b := bring(t, p, targets[int(which)%len(targets)], check.Wanted{MaxBytes: 100, Same: func(number, name string) bool { return len(number)%2 == 0 }})
		p.Close()
		if _, listed := r.Reason.Meaning(); !listed || r.Reason == "internal-error" || r.Reason == "panic" {
			t.Errorf("%s(%s) %q", r.Outcome, r.Reason, r.Reply)
		}
		if len(b.Text) > 100 || b.Times > 1 {
			t.Errorf("%d octets, %d times", len(b.Text), b.Times)
		}
		for _, e := range b.Entries {
			name, _, _ := strings.Cut(e, " ")
			if u, err := uri.Parse(name); err != nil && !strings.HasSuffix(e, "/") {
				t.Errorf("%q: %v", e, err)
			} else if err == nil && u.Scheme() != "news" && u.Scheme() != "nntp" {
				t.Errorf("%q", e)
			}
		}
		for l := range strings.Lines(c.Sent()) {
			verb, _, _ := strings.Cut(strings.TrimSuffix(l, "\r\n"), " ")
			if verb == "STARTTLS" {
				break // what follows is TLS
			}
			if !may[verb] {
				t.Errorf("sent %q", l)
			}
		}
	})
}
