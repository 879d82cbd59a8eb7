package html

import (
	"strconv"
	"strings"
	"time"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/report"
)

// pageWords are the keys of the words that the page's script needs.
var pageWords = []string{"page.of", "page.none", "copy", "copied", "clear", "details", "history", "places", "nextcheck", "firstseen",
	"lastok", "lastcheck", "chain", "server", "known.normal", "ends.at", "archived", "flags", "pinned", "strikes", "checks", "never",
	"view.links", "view.records", "more", "strike.one", "strike.other", "link.one", "link.other", "place.one", "place.other",
	"col.checks", "unknown-day", "decide"}

// tables writes what the rows refer to by number, and the words.
func (d *pageData) tables() {
	b := append(d.line[:0], `{"lang":`...)
	b = report.AppendJSON(b, d.Words.Lang)
	b = append(b, `,"today":`...)
	b = strconv.AppendInt(b, int64(dayNumber(d.Now)), 10)
	b = append(b, `,"record":`...)
	b = report.AppendJSON(b, d.RecordURL)
	for _, table := range []struct {
		name string
		list []string
	}{
		{"schemes", d.schemes.list}, {"hosts", d.hosts.list}, {"reasons", d.reasons.list}, {"replies", d.replies.list},
		{"flags", d.flags.list}, {"changes", d.changes.list}, {"cols", d.collections.list}, {"sources", d.sources.list}, {"pins", d.pins.list},
		{"whats", d.texts(d.whats.list)}, {"steps", d.texts(d.steps.list)}, {"states", stateWords()}, {"outcomes", outcomeWords()},
	} {
		b = appendList(append(append(append(b, `,"`...), table.name...), `":`...), table.list)
	}
	b = append(b, `,"recs":[`...)
	for i, r := range d.recordList {
		if i > 0 {
			b = append(b, ",\n"...)
		}
		b = append(strconv.AppendInt(append(b, '['), int64(r.collection), 10), ',')
		b = append(report.AppendJSON(append(report.AppendJSON(b, r.id), ','), r.title), ']')
	}
	b = append(b, `],"words":{`...)
	keys := pageWords
	for s := judge.New; s <= judge.Ignored; s++ {
		keys = append(keys[:len(keys):len(keys)], "state."+s.String())
	}
	for g := range report.GroupCount {
		keys = append(keys, "group."+report.Group(g).String())
	}
	for _, c := range report.ChangeOrder {
		keys = append(keys, "change."+string(c))
	}
	for i, k := range keys {
		if i > 0 {
			b = append(b, ',')
		}
		b = report.AppendJSON(append(report.AppendJSON(b, k), ':'), d.Words.Text(k))
	}
	d.out.Write(append(b, "}}"...))
}

// StringTable numbers different strings in the order they come.
type StringTable struct {
	list    []string
	numbers map[string]int
}

// Number gives the number of a string, which is added if it is new.
func (t *StringTable) Number(s string) int {
	n, ok := t.numbers[s]
	if !ok {
		if t.numbers == nil {
			t.numbers = map[string]int{}
		}
		s = strings.Clone(s)
		n = len(t.list)
		t.list, t.numbers[s] = append(t.list, s), n
	}
	return n
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

func appendList(b []byte, list []string) []byte {
	b = append(b, '[')
	for i, s := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = report.AppendJSON(b, s)
	}
	return append(b, ']')
}

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
	for s := judge.New; s <= judge.Ignored; s++ {
		out = append(out, s.String()+" "+report.GroupOf(s).String()+" "+stateIcon(s))
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
