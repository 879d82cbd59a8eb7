package words

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

func open(t *testing.T, lang string) *Catalogue {
	t.Helper()
	c, err := Open(lang)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

var placeholder = regexp.MustCompile(`\{\w+\}`)

// TestLanguagesAgree holds every language to the keys and placeholders of English.
func TestLanguagesAgree(t *testing.T) {
	en := open(t, "en")
	for _, lang := range Languages() {
		w := open(t, lang)
		keys := maps.Clone(w.texts)
		delete(keys, "months")
		if want := slices.Sorted(maps.Keys(en.texts)); !slices.Equal(slices.Sorted(maps.Keys(keys)), want) {
			t.Errorf("%s has other keys than en", lang)
		}
		for key, text := range en.texts {
			want, got := placeholder.FindAllString(text, -1), placeholder.FindAllString(w.texts[key], -1)
			slices.Sort(want)
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("%s: %s has the places %q, want %q", lang, key, got, want)
			}
		}
	}
	if len(en.texts) < 300 {
		t.Errorf("only %d keys", len(en.texts))
	}
}

// TestFind prefers the longest beginning.
func TestFind(t *testing.T) {
	w := open(t, "")
	for _, tt := range []struct{ code, want string }{
		{"http-404", "what.http-404"}, {"http-418", "what.http-4*"}, {"http-599", "what.http-5*"}, {"http-777", "what.http-*"},
		{"ftp-221", "what.ftp-*"}, {"z3950-14", "what.z3950-*"}, {"uri-port-digits", "what.uri-*"}, {"no-such-code", ""},
	} {
		if got, _ := w.Find("what.", tt.code); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.code, got, tt.want)
		}
	}
}

func TestNumbersAndDays(t *testing.T) {
	en, de := open(t, "en_GB.UTF-8"), open(t, "de-AT")
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1234: "-1,234"} {
		if got := en.Number(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
	day := time.Date(2026, time.March, 3, 23, 30, 0, 0, time.FixedZone("", -3600))
	for got, want := range map[string]string{en.Day(day): "4 March 2026", de.Day(day): "4. März 2026", de.Number(12408): "12.408", en.Day(time.Time{}): "never",
		de.ShortDay(day): "4. Mär 2026", en.Count("link", 1): "1 link", en.Count("link", 2000): "2,000 links"} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if _, err := Open("xx"); err == nil {
		t.Error("a language that nobody wrote was found")
	}
	if _, err := Open("../en"); err == nil {
		t.Error("a path was taken for a language")
	}
}

// TestOneAndMany: every text about many links has one about a single link, in every
// language.
func TestOneAndMany(t *testing.T) {
	for _, lang := range Languages() {
		w, err := Open(lang)
		if err != nil {
			t.Fatal(err)
		}
		pairs := 0
		for key := range w.texts {
			if rest, ok := strings.CutPrefix(key, "many."); ok {
				pairs++
				if w.texts["step."+rest] == "" {
					t.Errorf("%s: %s has no step.%s", lang, key, rest)
				}
			}
			if rest, ok := strings.CutSuffix(key, ".other"); ok && w.texts[rest+".one"] == "" {
				t.Errorf("%s: %s has no %s.one", lang, key, rest)
			}
		}
		if pairs < 10 {
			t.Errorf("%s: %d pairs", lang, pairs)
		}
	}
}

// invariant are the texts that are right for every number {n}, and why.
var invariant = map[string]string{
	"step.failing.of": "counts in an order", "run.checked": "no noun", "rewrite.agree": "three at least", "proof.of": "no noun", "more": "no noun", "source.more": "no noun", "root.more": "no noun",
	"summary.more": "no noun", "text.more": "no noun", "all.links": "a number behind its name", "page.of": "no noun",
}

// TestPlurals: a text with a number has the forms of its language, all of which fit 0, 1, 2,
// 5, 21 and 100; or it is one that fits every number.
func TestPlurals(t *testing.T) {
	want := map[string]map[int]string{ // CLDR's rules for the two
		"en": {0: ".other", 1: ".one", 2: ".other", 5: ".other", 21: ".other", 100: ".other"},
		"de": {0: ".other", 1: ".one", 2: ".other", 5: ".other", 21: ".other", 100: ".other"},
	}
	for _, lang := range Languages() {
		c, counted := open(t, lang), 0
		for _, key := range c.Keys() {
			if !strings.Contains(c.Text(key), "{n}") {
				continue
			}
			stem, form := key, ""
			for _, end := range forms {
				if rest, ok := strings.CutSuffix(key, end); ok {
					stem, form = rest, end
				}
			}
			if form == "" {
				if invariant[key] == "" {
					t.Errorf("%s: %s = %q has one form for every number", lang, key, c.Text(key))
				}
				continue
			}
			counted++
			for n, end := range want[lang] {
				text := Fill(c.Text(stem+end), "n", c.Number(n))
				if got := c.Count(stem, n); text == "" || got != text || !strings.Contains(got, c.Number(n)) && stem != "static.about" {
					t.Errorf("%s: %s of %d is %q, want %q", lang, stem, n, got, text)
				}
			}
		}
		if counted < 20 {
			t.Errorf("%s: %d texts with a number", lang, counted)
		}
		for key := range invariant {
			if !strings.Contains(c.Text(key), "{n}") {
				t.Errorf("%s: %s has no number", lang, key)
			}
		}
	}
}

// TestGermanNumbers reads sentences as they are shown.
func TestGermanNumbers(t *testing.T) {
	c := open(t, "de")
	for n, want := range map[int]string{0: "0 Links in 0 Datensätzen. Um 0 davon müssen Sie sich kümmern.", 1: "1 Link in 1 Datensatz. Um 1 davon müssen Sie sich kümmern.", 124: "124 Links in 124 Datensätzen. Um 124 davon müssen Sie sich kümmern."} {
		if got := c.Get("headline", "links", c.Count("link", n), "records", c.Count("record", n), "need", c.Count("need", n)); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
