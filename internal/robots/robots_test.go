package robots

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// Lines of a file are written with "|" between them.
func parse(file, agent string) Rules { return Parse(strings.ReplaceAll(file, "|", "\n"), agent) }

// TestGroups holds which lines are an agent's, RFC 9309 sections 2.1 and 2.2.1.
func TestGroups(t *testing.T) {
	const example = "User-Agent: *|Disallow: *.gif$|Disallow: /example/|Allow: /publications/||User-Agent: foobot|Disallow:/|Allow:/example/page.html|Allow:/example/allowed.gif||User-Agent: barbot|User-Agent: bazbot|Disallow: /example/page.html||User-Agent: quxbot|"
	for _, tc := range []struct {
		file, agent string
		allowed     string // paths, with blanks between
		forbidden   string
	}{
		{"", "a", "/ /x", ""},
		{example, "otherbot", "/ /publications/x /a.gift", "/x.gif /example/page.html"}, // RFC 9309 section 5.1
		{example, "foobot", "/example/page.html /example/allowed.gif", "/ /example/ /publications/"},
		{example, "barbot", "/ /x.gif /example/", "/example/page.html"},
		{example, "BAZBOT", "/ /x.gif", "/example/page.html /example/page.html?x"},
		{example, "quxbot", "/ /x.gif /example/page.html", ""}, // a group without rules
		{"User-agent: a|Disallow: /1|User-agent: b|Disallow: /2|User-agent: A|Disallow: /3", "a", "/2", "/1 /3"},
		{"User-agent: *|Disallow: /1|User-agent: *|Disallow: /2", "a", "/", "/1 /2"},
		{"User-agent: *|Disallow: /|User-agent: a|Disallow: /x", "a", "/", "/x"},
		{"Disallow: /|User-agent: b|Disallow: /x", "a", "/ /x", ""}, // before any group
		{"User-agent: a|Sitemap: http://a.org/s|What: else|User-agent: *|Disallow: /", "a", "", "/"},
		{"User-agent: *|Crawl-delay: 3||User-agent: b|Disallow: /", "a", "/", ""},
		{"User-agent: a/1.0 (robot)|Disallow: /", "a", "", "/"},
		{"User-agent: ab|Disallow: /", "a", "/", ""},
		{"User-agent: a|Disallow: /", "ab", "/", ""},
		{"User-agent: * robots|Disallow: /", "a", "", "/"},
		{"User-agent: *x|Disallow: /", "a", "/", ""},
		{"User-agent:|Disallow: /", "a", "/", ""},
		{"\ufeffUser-agent: a|Disallow: /", "a", "", "/"},
		{"user-agent a|disallow /x", "a", "/", "/x"},
		{"Useragent: a|Disallow: /x", "a", "/", "/x"},
		{" USER-AGENT :\ta # we|disALLOW\t:  /x\t# not this|Disallow: # nothing", "a", "/", "/x"},
		{"user-agent: a|disallow: /1\rdisallow: /2\r\ndisallow: /3", "a", "/", "/1 /2 /3"},
	} {
		rules := parse(tc.file, tc.agent)
		for _, path := range strings.Fields(tc.allowed) {
			if !rules.Allow(path) {
				t.Errorf("%q forbids %s to %s", tc.file, path, tc.agent)
			}
		}
		for _, path := range strings.Fields(tc.forbidden) {
			if rules.Allow(path) {
				t.Errorf("%q allows %s to %s", tc.file, path, tc.agent)
			}
		}
	}
}

// TestPatterns holds what a pattern matches, RFC 9309 sections 2.2.2 and 2.2.3.
func TestPatterns(t *testing.T) {
	for _, tc := range []struct{ pattern, matches, others string }{
		{"/", "/ /x", ""},
		{"/fish", "/fish /fish.html /fish/salmon /fishheads?id=1", "/Fish /catfish /?id=fish"},
		{"/fish*", "/fish /fish.html /fish/salmon", "/Fish /catfish"},
		{"/fish/", "/fish/ /fish/?id /fish/salmon", "/fish /fish.html"},
		{"/*.php", "/a.php /b/a.php?x /a.php/ /index?f=a.php /a.php.html", "/ /php/ /index?php /a.PHP"},
		{"/*.php$", "/a.php /b/a.php /a.php.php", "/a.php?x /a.php/ /a.php5 /a?php"},
		{"/fish*.php", "/fish.php /fishheads/catfish.php?x", "/Fish.PHP /fish.htm"},
		{"/$", "/", "/x /?x"},
		{"*", "/ /x", ""},
		{"**", "/ /x", ""},
		{"*$", "/ /x", ""},
		{"$", "", "/ /x"},
		{"x", "", "/ /x"},
		{"/a$b", "/a$b /a%24bc", "/a /ab"},
		{"/a*a$", "/aa /aba /abaa", "/a /ab /aab"},
		{"/a*b*c$", "/abc /axbxc /abcbc", "/abcx /acb /ac"},
		{"/*/x/*/y", "/a/x/b/y /a/b/x/c/d/y", "/a/x/y /x/b/y"},
		{"/this/path/exactly$", "/this/path/exactly", "/this/path/exactly/ /this/path/exactly?x"},
		{"/file-with-a-%2A.html", "/file-with-a-*.html /file-with-a-%2a.html", "/file-with-a-b.html"},
		{"/foo-%24", "/foo-$ /foo-%24", "/foo-"},
		{"/foo/bar?baz=quz", "/foo/bar?baz=quz", "/foo/bar"},
		{"/foo/bar?baz=https://foo.bar", "/foo/bar?baz=https://foo.bar /foo/bar?baz=https%3A%2F%2Ffoo.bar", ""},
		{"/foo/bar?baz=https%3a%2f%2Ffoo.bar", "/foo/bar?baz=https://foo.bar", ""},
		{"/foo/bar/ツ", "/foo/bar/%E3%83%84 /foo/bar/%e3%83%84 /foo/bar/ツ", "/foo/bar/%E3%83%85"},
		{"/foo/bar/%E3%83%84", "/foo/bar/ツ", ""},
		{"/foo/bar/%62%61%7A", "/foo/bar/baz", ""},
		{"/foo/bar/baz", "/foo/bar/%62%61%7A", ""},
		{"/a%2fb", "/a%2Fb", "/a/b"}, // an escaped delimiter is another thing
		{"/a/b", "/a/b", "/a%2Fb"},
		{"/a%", "/a% /a%zz", "/a"},
		{"/a%2", "/a%2 /a%252", "/a"},
		{"/%7Ejoe", "/~joe", ""},
		{"/a%00b", "/a%00b", "/axb /ab"},
		{"/*?", "/a?b", "/a%3Fb"},
	} {
		rules := Parse("User-agent: *\nDisallow: "+tc.pattern, "a")
		for _, path := range strings.Fields(tc.matches) {
			if rules.Allow(path) {
				t.Errorf("%s does not match %s", tc.pattern, path)
			}
		}
		for _, path := range strings.Fields(tc.others) {
			if !rules.Allow(path) {
				t.Errorf("%s matches %s", tc.pattern, path)
			}
		}
	}
}

// The longest pattern decides, and Allow if two are alike (RFC 9309 section 2.2.2).
func TestLongest(t *testing.T) {
	for _, tc := range []struct {
		rules, path string
		want        bool
	}{
		{"Allow: /p|Disallow: /", "/page", true},
		{"Disallow: /|Allow: /p", "/page", true},
		{"Allow: /folder|Disallow: /folder", "/folder/page", true},
		{"Disallow: /folder|Allow: /folder", "/folder/page", true},
		{"Allow: /page|Disallow: /*.htm", "/page.htm", false},
		{"Allow: /x/page.|Disallow: /*.html", "/x/page.html", true},
		{"Allow: /$|Disallow: /", "/", true},
		{"Allow: /$|Disallow: /", "/page.htm", false},
		{"Disallow: /x|Allow: /x/", "/x", false},
		{"Disallow: /x|Allow: /x/", "/x/", true},
		{"Disallow: /p*|Allow: /p", "/p", false},
		{"Disallow:|Allow:", "/p", true},
		{"Disallow: /%E3%83%84|Allow: /ツ", "/ツ", true}, // alike, however they are spelled
		{"Disallow: /", "/robots.txt", true},
	} {
		rules := parse("User-agent: *|"+tc.rules, "a")
		if got := rules.Allow(tc.path); got != tc.want {
			t.Errorf("%s: %s is allowed: %v", tc.rules, tc.path, got)
		}
	}
}

func TestDelay(t *testing.T) {
	for value, want := range map[string]time.Duration{"3": 3 * time.Second, "0.5": time.Second / 2, "-1": 0, "x": 0, "NaN": 0, "Inf": 0, "1e300": 0, "": 0} {
		if rules := parse("User-agent: *|Crawl-delay: "+value, "a"); rules.Delay != want {
			t.Errorf("Crawl-delay %q: %s", value, rules.Delay)
		}
	}
}

// A file is heeded up to its 500 KiB, and no part of a line is.
func TestLongFile(t *testing.T) {
	head := "User-agent: *\nDisallow: /first\n"
	comment := strings.Repeat("#", MaxFile-len(head)-len("\nDisallow: /x")) + "\nDisallow: /x"
	if rules := Parse(head+comment, "a"); rules.Allow("/first") || rules.Allow("/xy") {
		t.Error("not all of 500 KiB are heeded")
	}
	if rules := Parse(head+comment+"yz\n", "a"); rules.Allow("/first") || !rules.Allow("/xy") {
		t.Error("a part of a line is heeded")
	}
}

// hostile gives files of about n octets that are slow to match, and paths for them.
func hostile(n, path int) map[string][2]string {
	lines := func(line func(i int) string) string {
		var b strings.Builder
		for i := 0; b.Len() < n; i++ {
			b.WriteString(line(i) + "\n")
		}
		return "User-agent: *\n" + b.String()
	}
	as := "/" + strings.Repeat("a", path)
	return map[string][2]string{
		"many stars in one": {"User-agent: *\nDisallow: /" + strings.Repeat("*a", n/2) + "b", as},
		"stars in each":     {lines(func(i int) string { return fmt.Sprintf("allow:/*a*a*a*a*a*a*a*a*a*b%d", i) }), as},
		"nearly":            {lines(func(i int) string { return fmt.Sprintf("allow:*aaaaaaaab%d", i) }), as},
		"halves":            {lines(func(i int) string { return fmt.Sprintf("allow:*%s%d", strings.Repeat("ab", i%20+2), i) }), "/" + strings.Repeat("ab", path/2)},
		"prefixes":          {lines(func(i int) string { return fmt.Sprintf("allow:/%s%d", strings.Repeat("a", i%300), i) }), as},
		"ends":              {lines(func(i int) string { return fmt.Sprintf("allow:*a*%sb%d$", strings.Repeat("a", i%300), i) }), as},
		"escapes":           {lines(func(i int) string { return fmt.Sprintf("allow:*%%2f%%E3%%83%d", i) }), "/" + strings.Repeat("%2F%E3", path/6)},
	}
}

// The work grows with the rules and with the path, not faster.
func TestGrowth(t *testing.T) {
	for name := range hostile(1, 1) {
		work := func(n, path int) int {
			tc := hostile(n, path)[name]
			rules := Parse(tc[0], "a")
			allowed, passed := rules.decide(tc[1])
			if !allowed {
				t.Errorf("%s: a rule matches", name)
			}
			return passed
		}
		first := work(4<<10, 4<<10)
		for _, scale := range []int{2, 4} {
			if more := work(4<<10, scale*4<<10); more > (scale+1)*first {
				t.Errorf("%s: a path %d times as long takes %d steps, not %d", name, scale, more, first)
			}
			if more := work(scale*4<<10, 4<<10); more > (scale+1)*first+scale*4<<10 {
				t.Errorf("%s: a file %d times as long takes %d steps, not %d", name, scale, more, first)
			}
		}
	}
}

// FuzzRules holds that no file panics, that what a pattern matches does not depend on
// how it is escaped, and that the work is bounded.
func FuzzRules(f *testing.F) {
	f.Add("User-agent: *\nDisallow: /*a$", "/a")
	f.Add("User-agent: a\nAllow: /%E3*%2f\nDisallow: /", "/%e3%83%84%2F")
	f.Fuzz(func(t *testing.T, file, path string) {
		rules := Parse(file, "a")
		allowed, passed := rules.decide(path)
		query := false
		once := normal(path, &query) // three octets for one at most
		if passed > len(rules.list)*(len(once)+1)+len(file) {
			t.Errorf("%d steps for %d rules and %d octets", passed, len(rules.list), len(once))
		}
		query = false
		if twice := normal(once, &query); twice != once {
			t.Errorf("%q becomes %q, and that %q", path, once, twice)
		}
		if len(path) < maxPath && len(once) < maxPath && path != "/robots.txt" && once != "/robots.txt" {
			if again := rules.Allow(once); again != allowed {
				t.Errorf("%q is allowed: %v, as %q: %v", path, allowed, once, again)
			}
		}
	})
}

// TestSitemaps holds the "other records" that are of the whole file, RFC 9309 section 2.2.4.
func TestSitemaps(t *testing.T) {
	for file, want := range map[string]string{
		"": "",
		"User-agent: *|Disallow: /|Sitemap: http://a/s.xml":                                       "http://a/s.xml",
		"sitemap:/s.xml|User-agent: b|SITEMAP : http://a/t.xml # the second|Disallow: /|Sitemap:": "/s.xml http://a/t.xml",
		strings.Repeat("Sitemap: x|", maxSitemaps+1):                                              strings.TrimSuffix(strings.Repeat("x ", maxSitemaps), " "),
	} {
		rules := parse(file, "a")
		if got := strings.Join(rules.Sitemaps, " "); got != want {
			t.Errorf("%.100q: %.100q, want %.100q", file, got, want)
		}
	}
	rules := parse("User-agent: *|Disallow: /x|Sitemap: s|Disallow: /y", "a")
	if rules.Allow("/x") || rules.Allow("/y") { // it does not end a group
		t.Error("a group ended")
	}
}
