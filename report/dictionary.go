package report

import (
	"strconv"

	"linkcheck/check"
	"linkcheck/judge"
)

// pageWords are the keys of the words that the page's script needs.
var pageWords = []string{"page.of", "page.none", "copy", "copied", "clear", "details", "history", "places", "nextcheck", "firstseen",
	"lastok", "lastcheck", "chain", "server", "known.normal", "ends.at", "archived", "flags", "pinned", "strikes", "checks", "never",
	"view.links", "view.records", "more", "strike.one", "strike.other", "link.one", "link.other", "place.one", "place.other",
	"col.checks", "unknown-day", "decide"}

// dictionaries writes what the rows refer to by number, and the words.
func (is *island) dictionaries() {
	b := append(is.line[:0], `{"lang":`...)
	b = appendJSON(b, is.words.lang)
	b = append(b, `,"today":`...)
	b = strconv.AppendInt(b, int64(dayNumber(is.Now)), 10)
	b = append(b, `,"record":`...)
	b = appendJSON(b, is.RecordURL)
	for _, d := range []struct {
		name string
		list []string
	}{
		{"schemes", is.schemes.list}, {"hosts", is.hosts.list}, {"reasons", is.reasons.list}, {"replies", is.replies.list},
		{"flags", is.flags.list}, {"changes", is.changes.list}, {"cols", is.cols.list}, {"sources", is.sources.list}, {"pins", is.pins.list},
		{"whats", is.texts(is.whats.list)}, {"steps", is.texts(is.steps.list)}, {"states", stateWords()}, {"outcomes", outcomeWords()},
	} {
		b = appendList(append(append(append(b, `,"`...), d.name...), `":`...), d.list)
	}
	b = append(b, `,"recs":[`...)
	for i, r := range is.records {
		if i > 0 {
			b = append(b, ",\n"...)
		}
		b = append(strconv.AppendInt(append(b, '['), int64(r.col), 10), ',')
		b = append(appendJSON(append(appendJSON(b, r.id), ','), r.title), ']')
	}
	b = append(b, `],"words":{`...)
	keys := pageWords
	for s := judge.New; s <= judge.Ignored; s++ {
		keys = append(keys[:len(keys):len(keys)], "state."+s.String())
	}
	for g := range groupCount {
		keys = append(keys, "group."+Group(g).String())
	}
	for _, c := range changeOrder {
		keys = append(keys, "change."+string(c))
	}
	for i, k := range keys {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendJSON(append(appendJSON(b, k), ':'), is.words.text[k])
	}
	is.out.Write(append(b, "}}"...))
}

func appendList(b []byte, list []string) []byte {
	b = append(b, '[')
	for i, s := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendJSON(b, s)
	}
	return append(b, ']')
}

func (is *island) texts(keys []string) []string {
	out := make([]string, len(keys))
	for i, k := range keys {
		out[i] = is.words.get(k)
	}
	return out
}

// stateWords gives each state's code and group, by number.
func stateWords() []string {
	var out []string
	for s := judge.New; s <= judge.Ignored; s++ {
		out = append(out, s.String()+" "+groupOf(s).String()+" "+stateIcon(s.String()))
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
