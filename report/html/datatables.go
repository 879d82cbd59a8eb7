package html

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"linkcheck/check"
	"linkcheck/report"
)

// pageWords are the keys of the words that the page's script needs.
var pageWords = []string{"page.of", "page.none", "copy", "copied", "clear", "details", "history", "places", "nextcheck", "firstseen",
	"lastok", "lastcheck", "chain", "move.proof", "server", "known.normal", "ends.at", "archived", "flags", "pinned", "strikes", "checks", "never",
	"view.links", "view.records", "more", "strike.one", "strike.other", "link.one", "link.other", "place.one", "place.other",
	"col.checks", "unknown-day", "decide"}

// tables writes what the rows refer to by number, and the words.
func (d *pageData) tables() {
	quoted := func(texts ...string) []byte { return report.AppendJSON(nil, texts...) }
	first := make([]string, len(d.Top)) // the rows that stand in the page before its data, in their order
	for i, r := range d.Top {
		first[i] = strconv.FormatUint(r.ID, 10)
	}
	members := make([]string, len(d.members))
	for i, number := range d.members {
		members[i] = strconv.Itoa(number)
	}
	fmt.Fprintf(d.out, `{"lang":%s,"today":%d,"first":[%s],"members":[%s]`, quoted(d.Words.Lang), dayNumber(d.Now), strings.Join(first, ","), strings.Join(members, ","))
	for _, table := range []struct {
		name string
		list []string
	}{
		{"schemes", d.schemes.list}, {"hosts", d.hosts.list}, {"reasons", d.reasons.list}, {"replies", d.replies.list},
		{"flags", d.flags.list}, {"changes", d.changes.list}, {"cols", d.collections.list}, {"templates", d.templates}, {"sources", d.sources.list}, {"pins", d.pins.list}, {"proofs", d.proofs.list},
		{"whats", d.texts(d.whats.list)}, {"steps", d.texts(d.steps.list)}, {"states", stateWords()}, {"outcomes", outcomeWords()},
	} {
		fmt.Fprintf(d.out, `,"%s":[%s]`, table.name, quoted(table.list...))
	}
	d.out.WriteString(`,"recs":[`)
	for i, r := range d.recordList {
		if i > 0 {
			d.out.WriteString(",\n")
		}
		fmt.Fprintf(d.out, "[%d,%s]", r.collection, quoted(r.id, r.title))
	}
	d.out.WriteString(`],"words":{`)
	keys := slices.Clone(pageWords)
	for s := range report.StandingCount {
		keys = append(keys, "state."+s.String())
	}
	for g := range report.GroupCount {
		keys = append(keys, "group."+g.String())
	}
	for _, c := range report.ChangeOrder {
		keys = append(keys, "change."+string(c))
	}
	for i, k := range keys {
		if i > 0 {
			d.out.WriteByte(',')
		}
		fmt.Fprintf(d.out, "%s:%s", quoted(k), quoted(d.Words.Text(k)))
	}
	d.out.WriteString("}}")
}

// StringTable numbers different strings in the order they come.
type StringTable struct {
	list    []string
	numbers map[string]int
}

// Number gives the number of a string, which is added if it is new.
func (t *StringTable) Number(s string) int {
	if n, ok := t.numbers[s]; ok {
		return n
	}
	if t.numbers == nil {
		t.numbers = map[string]int{}
	}
	s = strings.Clone(s)
	t.list, t.numbers[s] = append(t.list, s), len(t.list)
	return len(t.list) - 1
}

// Find gives the number of a string; -1 if it is not in the table.
func (t *StringTable) Find(s string) int {
	if n, ok := t.numbers[s]; ok {
		return n
	}
	return -1
}

// Strings gives all strings by their numbers.
func (t *StringTable) Strings() []string { return t.list }

func (d *pageData) texts(keys []string) []string {
	out := make([]string, len(keys))
	for i, k := range keys {
		out[i] = d.Words.Get(k)
	}
	return out
}

// stateWords gives each state's code, group and icon, by its number.
func stateWords() []string {
	var out []string
	for s := range report.StandingCount {
		out = append(out, s.String()+" "+s.Group().String()+" "+stateIcon(s))
	}
	return out
}

func outcomeWords() []string {
	var out []string
	for o := check.Unknown; o <= check.Internal; o++ {
		out = append(out, o.String())
	}
	return out
}

// dayNumber counts the days since 1970, in UTC.
func dayNumber(t time.Time) int {
	return int(t.UTC().Truncate(24*time.Hour).Unix() / 86400)
}
