package mend

import (
	"bytes"
	"regexp"
	"slices"
	"sort"

	"linkcheck/extract"
)

// Changed gives the copy with the records alone that changed, and what stands around all
// records. A document without records that stand alone stays whole, and so does one that
// would not be read as before.
func (c *Copy) Changed(name string, o extract.Options) *Copy {
	if c.Format == "marc" {
		return c.only(c.records, c.Made)
	}
	records := recordsOf(c.Format, c.Octets)
	if len(records) == 0 || len(c.Made) == 0 {
		return c
	}
	founds, damages := read(name, c.Octets, o)
	in := recordsOfFounds(c, records, founds)
	changed := map[int]bool{}
	for _, m := range c.Made {
		if m.found < 0 || m.found >= len(in) {
			return c
		}
		changed[in[m.found]] = true
	}
	if changed[-1] || len(founds) != len(in) {
		return c
	}
	kept := []span{{0, records[0].from}}
	for i, r := range records {
		if changed[i] {
			kept = append(kept, r)
		}
	}
	out := c.only(append(kept, span{records[len(records)-1].to, len(c.Octets)}), slices.Clone(c.Made))
	now, again := read(name, out.Octets, o)
	at := make([]int, len(founds)) // where each place of the whole copy is in this one
	n := 0
	for i, f := range founds {
		if in[i] >= 0 && !changed[in[i]] {
			continue
		}
		if n == len(now) || now[n].Raw != f.Raw || now[n].Locator != f.Locator || now[n].Record != f.Record {
			return c
		}
		at[i], n = n, n+1
	}
	if n != len(now) || again > damages {
		return c
	}
	for i, m := range out.Made {
		out.Made[i].found, out.Made[i].Now = at[m.found], now[at[m.found]]
	}
	out.records = out.records[1 : len(out.records)-1]
	return out
}

// only gives the stretches of a copy alone.
func (c *Copy) only(spans []span, made []Made) *Copy {
	out := &Copy{Format: c.Format, Made: made, Left: c.Left, records: spans}
	for _, s := range spans {
		out.Octets = append(out.Octets, c.Octets[s.from:s.to]...)
	}
	return out
}

// Records is how many records changed; of a format without records that stand alone, how
// many documents: one or none.
func (c *Copy) Records() int {
	if len(c.records) > 0 {
		return len(c.records)
	}
	return min(1, len(c.Made))
}

// recordsOfFounds says in which record each place stands; -1: in none.
func recordsOfFounds(c *Copy, records []span, founds []extract.Found) (in []int) {
	p := &piece{text: c.Octets}
	for _, f := range founds {
		line, _ := p.lineStart(f.Line, '\n')
		at := line + f.Column - 1
		n := sort.Search(len(records), func(i int) bool { return at < records[i].to })
		if n == len(records) || at < records[n].from {
			n = -1
		}
		in = append(in, n)
	}
	return in
}

// leaderLine begins a record of .mrk (extract/catalog).
var leaderLine = regexp.MustCompile(`(?m)(?:^|\A\x{FEFF})(=(?:LDR|000)  )`)

// collections are the documents of XML that hold records side by side: MARCXML and MODS.
var collections = []struct{ whole, begin, end *regexp.Regexp }{
	collection("collection", "record"), collection("modsCollection", "mods"),
}

func collection(whole, record string) struct{ whole, begin, end *regexp.Regexp } {
	return struct{ whole, begin, end *regexp.Regexp }{
		regexp.MustCompile(`^(?:\xEF\xBB\xBF)?\s*(?:<\?[^>]*\?>\s*|<!--[^>]*-->\s*)*<(?:[\w.-]+:)?` + whole + `[\s>]`),
		regexp.MustCompile(`<(?:[\w.-]+:)?` + record + `(?:\s[^<>]*)?>`),
		regexp.MustCompile(`</(?:[\w.-]+:)?` + record + `\s*>`),
	}
}

// recordsOf gives the records of a document, each with what stands behind it before the
// next one; none where they are not sure.
func recordsOf(format string, text []byte) (records []span) {
	if format == "mrk" {
		begins := leaderLine.FindAllSubmatchIndex(text, -1)
		for i, b := range begins {
			records = append(records, span{b[2], len(text)})
			if i > 0 {
				records[i-1].to = b[2]
			}
		}
		return records
	}
	for _, k := range collections {
		if format != "xml" || !k.whole.Match(text[:min(len(text), sniffed)]) || bytes.Contains(text, []byte("<![CDATA[")) {
			continue
		}
		begins, ends := k.begin.FindAllIndex(text, -1), k.end.FindAllIndex(text, -1)
		if len(begins) != len(ends) {
			return nil
		}
		for i := range begins {
			if ends[i][0] < begins[i][1] || i > 0 && begins[i][0] < ends[i-1][1] {
				return nil
			}
			records = append(records, span{begins[i][0], ends[i][1]})
			if i > 0 {
				records[i-1].to = begins[i][0]
			}
		}
	}
	return records
}
