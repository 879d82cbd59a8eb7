package report

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/store"
	"linkcheck/uri"
)

func catalogue(t *testing.T, lang string) *words {
	t.Helper()
	w, err := newWords(lang)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

var placeholder = regexp.MustCompile(`\{\w+\}`)

// TestLanguagesAgree holds every language to the keys and placeholders of English.
func TestLanguagesAgree(t *testing.T) {
	en := catalogue(t, "en")
	for _, lang := range Languages() {
		w := catalogue(t, lang)
		keys := maps.Clone(w.text)
		delete(keys, "months")
		if want := slices.Sorted(maps.Keys(en.text)); !slices.Equal(slices.Sorted(maps.Keys(keys)), want) {
			t.Errorf("%s has other keys than en", lang)
		}
		for key, text := range en.text {
			want, got := placeholder.FindAllString(text, -1), placeholder.FindAllString(w.text[key], -1)
			slices.Sort(want)
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("%s: %s has the places %q, want %q", lang, key, got, want)
			}
		}
	}
	if len(en.text) < 300 {
		t.Errorf("only %d keys", len(en.text))
	}
}

// TestEveryReasonHasWords asks for a sentence for every reason code that a probe
// can give, every outcome and every state, in every language.
func TestEveryReasonHasWords(t *testing.T) {
	reasons := check.Reasons()
	if len(reasons) < 80 {
		t.Fatalf("only %d reasons", len(reasons))
	}
	for _, lang := range Languages() {
		w := catalogue(t, lang)
		for _, m := range reasons {
			code := strings.ReplaceAll(strings.ReplaceAll(string(m.Code), "NNN", "777"), "*", "some-code")
			if _, ok := w.find("what.", code); !ok {
				t.Errorf("%s: no sentence for %s", lang, m.Code)
			}
		}
		for o := check.Unknown; o <= check.Internal; o++ {
			if _, ok := w.text["what.outcome."+o.String()]; !ok {
				t.Errorf("%s: no sentence for the outcome %s", lang, o)
			}
		}
		for s := judge.New; s <= judge.Ignored; s++ {
			for _, key := range []string{"step.", "state."} {
				if _, ok := w.text[key+s.String()]; !ok {
					t.Errorf("%s: no %s%s", lang, key, s)
				}
			}
		}
		for l := uri.Identical; l <= uri.Observed; l++ {
			if _, ok := w.text["level."+l.String()]; !ok {
				t.Errorf("%s: no word for level %s", lang, l)
			}
		}
	}
}

// TestEverySentenceIsWhole fills every sentence and step with every state, outcome
// and reason: no place stays open, nothing is empty, all end as sentences do.
func TestEverySentenceIsWhole(t *testing.T) {
	for _, lang := range Languages() {
		s, err := newScope(Options{Lang: lang, Now: time.Unix(0, 0)}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range check.Reasons() {
			code := check.Reason(strings.ReplaceAll(strings.ReplaceAll(string(m.Code), "NNN", "777"), "*", "x"))
			for o := check.Unknown; o <= check.Internal; o++ {
				for st := judge.New; st <= judge.Ignored; st++ {
					r := s.row(&store.Entry{Link: store.Link{URL: "http://h.example/", Scheme: "http", Host: "h.example", State: st,
						Last: check.Result{Outcome: o, Reason: code, SuggestedURL: "http://new.example/"}, Pin: &store.Pin{By: "mk"}}})
					s.tell(&r)
					for _, text := range []string{r.Message, r.Step} {
						if strings.ContainsAny(text, "{}") || !strings.HasSuffix(text, ".") || strings.Contains(text, "  ") {
							t.Fatalf("%s %v %v %v: %q", lang, code, o, st, text)
						}
					}
				}
			}
		}
	}
}

// TestFind prefers the longest beginning.
func TestFind(t *testing.T) {
	w := catalogue(t, "")
	for _, tt := range []struct{ code, want string }{
		{"http-404", "what.http-404"}, {"http-418", "what.http-4*"}, {"http-599", "what.http-5*"}, {"http-777", "what.http-*"},
		{"ftp-221", "what.ftp-*"}, {"z3950-14", "what.z3950-*"}, {"uri-port-digits", "what.uri-*"}, {"no-such-code", ""},
	} {
		if got, _ := w.find("what.", tt.code); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.code, got, tt.want)
		}
	}
}

func TestNumbersAndDays(t *testing.T) {
	en, de := catalogue(t, "en_GB.UTF-8"), catalogue(t, "de-AT")
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1234: "-1,234"} {
		if got := en.number(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
	day := time.Date(2026, time.March, 3, 23, 30, 0, 0, time.FixedZone("", -3600))
	for got, want := range map[string]string{en.day(day): "4 March 2026", de.day(day): "4. März 2026", de.number(12408): "12.408", en.day(time.Time{}): "never",
		de.date(day, "date.short"): "4. Mär 2026", en.count("link", 1): "1 link", en.count("link", 2000): "2,000 links"} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if _, err := newWords("xx"); err == nil {
		t.Error("a language that nobody wrote was found")
	}
	if _, err := newWords("../en"); err == nil {
		t.Error("a path was taken for a language")
	}
}

// TestOneAndMany: what is said of many links has its like for one, in every language.
func TestOneAndMany(t *testing.T) {
	for _, lang := range Languages() {
		w, err := newWords(lang)
		if err != nil {
			t.Fatal(err)
		}
		pairs := 0
		for key := range w.text {
			if rest, ok := strings.CutPrefix(key, "many."); ok {
				pairs++
				if w.text["step."+rest] == "" {
					t.Errorf("%s: %s has no step.%s", lang, key, rest)
				}
			}
			if rest, ok := strings.CutSuffix(key, ".other"); ok && w.text[rest+".one"] == "" {
				t.Errorf("%s: %s has no %s.one", lang, key, rest)
			}
		}
		if pairs < 10 {
			t.Errorf("%s: %d pairs", lang, pairs)
		}
	}
}

// TestMarkAlive: a command to paste names the store and the link as a shell must have them.
func TestMarkAlive(t *testing.T) {
	for _, tt := range []struct{ store, key, target, want string }{
		{"", "step.restricted", "http://a.example/", "linkcheck mark http://a.example/ alive --why ''"},
		{"a b.db", "many.restricted", "a.example", "linkcheck mark --store 'a b.db' a.example alive --why ''"},
		{"l'été.db", "step.undetermined", "http://a.example/?x=1&y", `linkcheck mark --store 'l'\''été.db' 'http://a.example/?x=1&y' alive --why ''`},
		{"", "step.restricted", "ftp://u:***@a.example/", ""},
		{"", "many.restricted", "", ""},
		{"", "step.restricted.ftp-*", "ftp://a.example/", ""},
	} {
		s := &scope{Options: Options{Store: tt.store}}
		if got := s.markAlive(tt.key, tt.target); got != tt.want {
			t.Errorf("%+v: %s", tt, got)
		}
	}
}
