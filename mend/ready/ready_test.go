package ready

import (
	"strings"
	"testing"

	"linkcheck/mend"
)

// change is one of a whole $u.
func change(record, old, to string) Change {
	return Change{Source: "a.mrk", Record: record, Locator: "856[1]$u", Old: old, New: to, Spelled: old, Whole: true}
}

// TestReplacements: a replacement of text is written only where it does what the mend did, and
// nothing else.
func TestReplacements(t *testing.T) {
	const a, b = "http://a.test/1", "http://a.test/1/x"
	for _, c := range []struct {
		name, text string
		changes    []Change
		list       string
		left       int
	}{
		{"one", a, []Change{change("1", a, "https://n.test/1")}, a + "\thttps://n.test/1\n", 0},
		{"twice the same", a + " " + a, []Change{change("1", a, "https://n.test/1"), change("2", a, "https://n.test/1")}, a + "\thttps://n.test/1\n", 0},
		{"within one that stays", a + " " + b, []Change{change("1", a, "https://n.test/1")}, "", 1},
		{"within one that changes: the longest first", a + " " + b, []Change{change("1", a, "https://n.test/1"), change("2", b, "https://n.test/2")}, b + "\thttps://n.test/2\n" + a + "\thttps://n.test/1\n", 0},
		{"two new addresses", a + " " + a, []Change{change("1", a, "https://n.test/1"), change("2", a, "https://n.test/2")}, a + "\thttps://n.test/1\n", 1},
		{"within the new one", a + " http://b.test/longer", []Change{change("1", a, "https://n.test/1"), change("2", "http://b.test/longer", "http://c.test/?"+a)}, a + "\thttps://n.test/1\n", 1},
		{"beside the old one", a, []Change{{Record: "1", Locator: "856[1]$u", Old: a, New: b, Spelled: "", Way: mend.Add}}, "", 1},
		{"a dollar", a + "{dollar}", []Change{{Record: "1", Locator: "856[1]$u", Old: a + "$", New: b, Spelled: a + "{dollar}"}}, a + "{dollar}\t" + b + "\n", 0},
		{"no record", a, []Change{change("", a, b)}, "", 1},
		{"no MARC", a, []Change{{Record: "1", Old: a, New: b, Spelled: a}}, "", 1},
	} {
		batch := &Batch{}
		batch.Add("a.mrk", []byte(c.text), c.changes, &mend.Copy{Format: "mrk"})
		files, left := batch.Files("marcedit")
		if got := string(files[0].Text); got != c.list || len(left) != c.left {
			t.Errorf("%s: %q, want %q; %+v", c.name, got, c.list, left)
		}
	}
}

// TestAlma: a rule for each subfield that holds the address and nothing else; what a rule
// cannot say is left.
func TestAlma(t *testing.T) {
	const a = "http://a.test/1"
	words, star := change("2", a, "https://n.test/1"), change("3", "http://b.test/*", "https://n.test/2")
	words.Locator, words.Whole = "505[1]$a", false
	batch := &Batch{}
	changes := []Change{change("1", a, "https://n.test/1"), words, star}
	batch.Add("a.mrk", []byte(a+" "+a+" "+star.Old), changes, &mend.Copy{Format: "mrk"})
	files, left := batch.Files("alma")
	if got := string(files[0].Text); got != "MMS ID\n1\n2\n3\n" {
		t.Errorf("%q", got)
	}
	rule := string(files[1].Text)
	if strings.Count(rule, "rule ") != 1 || !strings.Contains(rule, `replaceContents "856.u.http://a.test/1" with "https://n.test/1" if (exists "856.u.http://a.test/1")`) || len(left) != 2 {
		t.Errorf("%s\n%+v", rule, left)
	}
}
