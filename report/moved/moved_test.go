package moved

import (
	"strings"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/check/likeness"
	"linkcheck/judge"
	"linkcheck/report/words"
	"linkcheck/store"
)

var night = time.Date(2026, 11, 1, 2, 0, 0, 0, time.UTC)

// at is the night with a number.
func at(n int) time.Time { return night.Add(time.Duration(n) * 24 * time.Hour) }

func event(n int, o check.Outcome, final string) store.Event {
	return store.Event{Result: check.Result{Outcome: o, At: at(n), FinalURL: final}}
}

// TestMoved: a move is proven by the text that was seen at the old address, and by nothing
// less.
func TestMoved(t *testing.T) {
	const old, to = "http://a.example/old", "http://a.example/new"
	alive := []store.Event{event(0, check.OK, ""), event(1, check.OK, "")}
	moved := func(nights ...int) (list []store.Event) {
		for _, n := range nights {
			list = append(list, event(n, check.Moved, to))
		}
		return list
	}
	for _, c := range []struct {
		name    string
		url, to string
		text    likeness.Memory
		history []store.Event
		why     Why
	}{
		{"seen before and met again", old, to, likeness.Memory{Looks: 3, Seen: at(3)}, append(alive, moved(3)...), Text},
		{"seen once before", old, to, likeness.Memory{Looks: 2, Seen: at(3)}, append(alive[:1:1], moved(3)...), Text},
		{"first met behind the redirect", old, to, likeness.Memory{Looks: 2, Seen: at(4)}, append(alive[:1:1], moved(3, 4)...), Unseen},
		{"two probes of a night are one look", old, to, likeness.Memory{Looks: 2, Seen: at(3)}, append(alive[:1:1], moved(3, 3)...), Text},
		{"never seen at its old address", old, to, likeness.Memory{Looks: 9, Seen: at(3)}, moved(2, 3), Unseen},
		{"only ever seen behind another redirect", old, to, likeness.Memory{Looks: 9, Seen: at(3)}, append([]store.Event{event(1, check.OK, "http://b.example/")}, moved(3)...), Unseen},
		{"its old address had another scheme", old, to, likeness.Memory{Looks: 9, Seen: at(3)}, append([]store.Event{event(1, check.OK, "https://a.example/old/")}, moved(3)...), Text},
		{"another text", old, to, likeness.Memory{Looks: 9, Others: 1, Seen: at(1)}, append(alive, moved(3)...), Unlike},
		{"not met in the last night", old, to, likeness.Memory{Looks: 9, Seen: at(1)}, append(alive, moved(3)...), Unlike},
		{"the text of another site", old, to, likeness.Memory{Looks: 9, Site: 7, Seen: at(3)}, append(alive, moved(3)...), Unlike},
		{"a resolver", old, "https://doi.org/10.1000/1", likeness.Memory{}, moved(3), Resolver},
		{"a name that ends like one", old, "https://notdoi.org/10.1000/1", likeness.Memory{}, moved(3), Unlike},
		{"perhaps a proxy", "http://p.example/to?u=http://a.example/", to, likeness.Memory{Looks: 3, Seen: at(3)}, append(alive, moved(3)...), Holds},
		{"a slash alone", old, old + "/", likeness.Memory{Looks: 3, Seen: at(3)}, append(alive, moved(3)...), Slash},
	} {
		last := c.history[len(c.history)-1].Result
		last.SuggestedURL = c.to
		l := store.Link{URL: c.url, State: judge.Moved, Last: last, Text: c.text}
		if p := Of(&l, c.history, []string{"doi.org"}); p.Why != c.why {
			t.Errorf("%s: %q, want %q", c.name, p.Why, c.why)
		}
	}
}

// TestWords: each word has a sentence in each language, and says whether it proves.
func TestWords(t *testing.T) {
	for _, lang := range words.Languages() {
		in, err := words.Open(lang)
		if err != nil {
			t.Fatal(err)
		}
		none, _, _ := strings.Cut(in.Text("move.none"), "{")
		for _, why := range []Why{Text, Resolver, Site, Holds, Unlike, Unseen, Slash} {
			p := Proof{why, night}
			line := p.Line(in)
			if strings.Contains(line, "move.") || strings.ContainsAny(line, "{}") || strings.HasPrefix(line, none) == p.Proven() {
				t.Errorf("%s %s: %q", lang, why, line)
			}
		}
		if line := (Proof{}).Line(in); line != "" {
			t.Errorf("no move: %q", line)
		}
	}
}
