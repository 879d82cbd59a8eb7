package report

import (
	"slices"
	"strings"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/report/sample"
	"linkcheck/report/words"
	"linkcheck/store"
	"linkcheck/uri/equal"
)

// TestEveryReasonHasWords asks for a sentence for every reason code that a probe
// can give, every outcome and every state, in every language.
func TestEveryReasonHasWords(t *testing.T) {
	reasons := check.Reasons()
	if len(reasons) < 80 {
		t.Fatalf("only %d reasons", len(reasons))
	}
	for _, lang := range words.Languages() {
		w, err := words.Open(lang)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range reasons {
			code := strings.ReplaceAll(strings.ReplaceAll(string(m.Code), "NNN", "777"), "*", "some-code")
			if _, ok := w.Find("what.", code); !ok {
				t.Errorf("%s: no sentence for %s", lang, m.Code)
			}
		}
		for o := check.Unknown; o <= check.Internal; o++ {
			if w.Text("what.outcome."+o.String()) == "" {
				t.Errorf("%s: no sentence for the outcome %s", lang, o)
			}
		}
		for s := judge.New; s <= judge.Ignored; s++ {
			for _, key := range []string{"step.", "state."} {
				if w.Text(key+s.String()) == "" {
					t.Errorf("%s: no %s%s", lang, key, s)
				}
			}
		}
		for l := equal.Identical; l <= equal.Observed; l++ {
			if w.Text("level."+l.String()) == "" {
				t.Errorf("%s: no word for level %s", lang, l)
			}
		}
	}
}

// TestEverySentenceHasAReason: no sentence or step is left over from a reason, an
// outcome or a state that is no more.
func TestEverySentenceHasAReason(t *testing.T) {
	w, err := words.Open("en")
	if err != nil {
		t.Fatal(err)
	}
	var states []string
	for st := judge.New; st <= judge.Ignored; st++ {
		states = append(states, st.String())
	}
	for s := Drift; s < StandingCount; s++ {
		states = append(states, s.String())
	}
	own := map[string]bool{"step.dead.archived": true, "step.invalid.repair": true, "step.moved.keep": true, "step.failing.span": true, "step.failing.of": true}
	for o := check.Unknown; o <= check.Internal; o++ {
		own["what.outcome."+o.String()] = true
	}
	seen := 0
	for _, key := range w.Keys() {
		kind, code, _ := strings.Cut(key, ".")
		switch kind {
		case "step", "many":
			state, reason, _ := strings.Cut(code, ".")
			if !slices.Contains(states, state) {
				t.Errorf("%s: there is no state %s", key, state)
			}
			code = reason
		case "what":
			code = strings.TrimSuffix(code, ".auth")
		default:
			continue
		}
		seen++
		if code != "" && !own[key] && !slices.ContainsFunc(check.Reasons(), func(m check.Meaning) bool { return sameFamily(string(m.Code), code) }) {
			t.Errorf("%s: there is no reason %s", key, code)
		}
	}
	if seen < 150 {
		t.Errorf("only %d sentences", seen)
	}
}

// sameFamily reports whether a reason and the code of a sentence may meet: either
// may end in "*", and NNN stands for a number.
func sameFamily(reason, code string) bool {
	reason, wide := strings.CutSuffix(strings.ReplaceAll(reason, "NNN", "*"), "*")
	code, open := strings.CutSuffix(code, "*")
	return reason == code || wide && strings.HasPrefix(code, reason) || open && strings.HasPrefix(reason, code)
}

// TestEverySentenceIsWhole fills every sentence and step with every state, outcome
// and reason: no placeholder stays open, nothing is empty, all end as sentences do.
func TestEverySentenceIsWhole(t *testing.T) {
	for _, lang := range words.Languages() {
		s, err := NewScope(t.Context(), &sample.Source{}, Options{Lang: lang, Now: time.Unix(0, 0)})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range check.Reasons() {
			code := check.Reason(strings.ReplaceAll(strings.ReplaceAll(string(m.Code), "NNN", "777"), "*", "x"))
			for o := check.Unknown; o <= check.Internal; o++ {
				for st := judge.New; st <= judge.Ignored; st++ {
					r := s.Row(&store.Entry{Link: store.Link{URL: "http://h.example/", Scheme: "http", Host: "h.example", State: st,
						Last: check.Result{Outcome: o, Reason: code, SuggestedURL: "http://new.example/"}, Pin: &store.Pin{By: "mk"}}})
					s.Describe(&r)
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
		s := &Scope{Options: Options{Store: tt.store}}
		if got := s.markAlive(tt.key, tt.target); got != tt.want {
			t.Errorf("%+v: %s", tt, got)
		}
	}
}

// What failed behind a redirect is said of the host that failed, not of the one that
// redirects to it; and such links are one cause for each of those hosts.
func TestSentenceBehindARedirect(t *testing.T) {
	w, err := words.Open("en")
	if err != nil {
		t.Fatal(err)
	}
	hops := []check.Hop{{Code: 301, URL: "https://www.archive.org/x"}, {Code: 302, URL: "http://mirror.example.edu/x"}}
	for _, tt := range []struct {
		reason check.Reason
		hops   []check.Hop
		want   string
	}{
		{check.ReasonDNSNXDomain, nil, "The name www.archive.org no longer exists."},
		{check.ReasonDNSNXDomain, hops, "The name mirror.example.edu no longer exists."},
		{check.ReasonTCPRefused, hops, "The machine mirror.example.edu is up, but no such server runs on it."},
		{check.ReasonDNSNXDomain, []check.Hop{{Code: 301, URL: "/not absolute"}}, "The name www.archive.org no longer exists."},
	} {
		r := check.New(check.Unreachable, tt.reason, "")
		r.Hops = tt.hops
		if got := Sentence(w, "http://www.archive.org/x", &r); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.reason, got, tt.want)
		}
	}
}
