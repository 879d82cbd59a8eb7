package mend

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"linkcheck/extract"
)

// The model of a catalogue, from which its dialects are written.
type (
	modelSub struct {
		code, text string
		added      bool // by a change
	}
	modelField struct {
		tag, inds string
		subs      []modelSub
		added     bool
	}
	modelRecord struct {
		id     string
		fields []modelField
	}
)

// dialect is a way in which systems write catalogues.
type dialect struct {
	name   string
	write  func(records []modelRecord) string
	accent string // a letter with a mark
	lies   bool   // its numbers are not those that a mend writes
}

var dialects = []dialect{
	{"a.mrc", iso2709("a", "", 0), "\u00e9", false},
	{"b.mrc", iso2709(" ", "\r\n", 0), "\xe2e", false},
	{"c.mrc", iso2709("a", "", 7), "\u00e9", true},
	{"d.mrk", mnemonics("\n", ""), "\u00e9", false},
	{"e.mrk", mnemonics("\r\n", "\ufeff"), "\u00e9", false},
	{"f.xml", marcxml("", `"`, "", false), "\u00e9", false},
	{"g.xml", marcxml("marc:", `'`, "\n  ", false), "\u00e9", false},
	{"h.xml", marcxml("", `"`, "\n\t", true), "\u00e9", false},
}

// iso2709 writes records whose lengths are so much too long.
func iso2709(coding, between string, lie int) func([]modelRecord) string {
	return func(records []modelRecord) string {
		var out strings.Builder
		for _, r := range records {
			var directory, data strings.Builder
			put := func(tag, body string) {
				fmt.Fprintf(&directory, "%s%04d%05d", tag, len(body)+1, data.Len())
				data.WriteString(body + "\x1e")
			}
			put("001", r.id)
			for _, f := range r.fields {
				body := f.inds
				for _, s := range f.subs {
					body += "\x1f" + s.code + s.text
				}
				put(f.tag, body)
			}
			base := 24 + directory.Len() + 1
			fmt.Fprintf(&out, "%05dnam %s22%05d   4500%s\x1e%s\x1d%s", base+data.Len()+1+lie, coding, base, directory.String(), data.String(), between)
		}
		return out.String()
	}
}

func mnemonics(ending, mark string) func([]modelRecord) string {
	return func(records []modelRecord) string {
		out := mark
		for _, r := range records {
			out += "=LDR  00000nam\\a2200000\\\\\\4500" + ending + "=001  " + r.id + ending
			for _, f := range r.fields {
				out += "=" + f.tag + "  " + strings.ReplaceAll(f.inds, " ", `\`)
				for _, s := range f.subs {
					out += "$" + s.code + strings.ReplaceAll(s.text, "$", "{dollar}")
				}
				out += ending
			}
			out += ending
		}
		return out
	}
}

func marcxml(prefix, quote, layout string, sections bool) func([]modelRecord) string {
	escape := strings.NewReplacer("&", "&amp;", "<", "&lt;")
	return func(records []modelRecord) string {
		var out strings.Builder
		attr := func(name, value string) string { return " " + name + "=" + quote + value + quote }
		out.WriteString("<?xml version='1.0' encoding='UTF-8'?>\n<" + prefix + "collection xmlns" + strings.TrimSuffix(":"+prefix, ":") + "='http://www.loc.gov/MARC21/slim'>")
		for _, r := range records {
			out.WriteString(layout + "<" + prefix + "record>" + layout + "<" + prefix + "controlfield" + attr("tag", "001") + ">" + r.id + "</" + prefix + "controlfield>")
			for _, f := range r.fields {
				out.WriteString(layout + "<" + prefix + "datafield" + attr("tag", f.tag) + attr("ind1", f.inds[:1]) + attr("ind2", f.inds[1:]) + ">")
				for _, s := range f.subs {
					q, text := quote, escape.Replace(s.text)
					if sections && !s.added {
						text = "<![CDATA[" + s.text + "]]>"
					}
					if s.added {
						q = `"`
					}
					out.WriteString(layout + "<" + prefix + "subfield code=" + q + s.code + q + ">" + text + "</" + prefix + "subfield>")
				}
				out.WriteString(layout + "</" + prefix + "datafield>")
			}
			out.WriteString(layout + "</" + prefix + "record>")
		}
		return out.String() + "</" + prefix + "collection>\n"
	}
}

// invented makes a catalogue of records with links of all kinds.
func invented(rnd *rand.Rand, records int, accent string) (list []modelRecord) {
	n := 0
	address := func() string {
		n++
		form := []string{"http://www.lib%d.example/a", "https://ezproxy.lib.edu/login?url=http://www.lib%d.example/?a=1&b=2", "http://lib%d.example/~x/$1;v=2?q='x'&amp=1", "ftp://ftp%d.example/pub/x.tar.Z", "http://lib%d.example/" + strings.Repeat("long/", 30), "urn:nbn:de:%d-x"}
		return fmt.Sprintf(form[rnd.IntN(len(form))], n)
	}
	for i := range records {
		r := modelRecord{id: fmt.Sprintf("b%d", i)}
		r.fields = append(r.fields, modelField{tag: "245", inds: "10", subs: []modelSub{{code: "a", text: "A " + accent + "tude & <more> $5"}}})
		for range rnd.IntN(3) {
			r.fields = append(r.fields, modelField{tag: "505", inds: "0 ", subs: []modelSub{{code: "a", text: "S" + accent + "e http://note" + fmt.Sprint(n) + ".example/x, and <http://www.note.example/" + fmt.Sprint(i) + "> & $2."}, {code: "t", text: accent}}})
			n++
		}
		for range rnd.IntN(4) {
			f := modelField{tag: []string{"856", "956", "530", "856"}[rnd.IntN(4)], inds: []string{"40", "4 ", "7 ", "  "}[rnd.IntN(4)]}
			for range 1 + rnd.IntN(2) {
				f.subs = append(f.subs, modelSub{code: "3", text: "P" + accent}, modelSub{code: "u", text: address()})
			}
			if rnd.IntN(2) == 0 {
				f.subs = append(f.subs, modelSub{code: "z", text: "Note " + accent + " http://z.example/ & more"})
			}
			r.fields = append(r.fields, f)
		}
		list = append(list, r)
	}
	return list
}

// edit makes a change in the model, which it finds by the locator.
func edit(records []modelRecord, c *Change) bool {
	const copyNote = "Archived copy of 2001-02-03"
	tag, rest, _ := strings.Cut(c.Locator, "[")
	nth, same := 0, 1
	fmt.Sscanf(rest, "%d", &nth)
	_, code, _ := strings.Cut(rest, "$")
	if code, rest, ok := strings.Cut(code, "["); ok {
		fmt.Sscanf(rest, "%d", &same)
		_ = code
	}
	for ri := range records {
		r := &records[ri]
		if r.id != c.Record {
			continue
		}
		for fi := range r.fields {
			f := &r.fields[fi]
			if f.added || f.tag != tag {
				continue
			}
			if nth--; nth > 0 {
				continue
			}
			for si := range f.subs {
				s := &f.subs[si]
				if s.added || s.code != code[:1] {
					continue
				}
				if same--; same > 0 {
					continue
				}
				field := modelField{tag: tag, inds: f.inds, subs: []modelSub{{"u", c.New, true}, {"z", copyNote, true}}, added: true}
				if tag == "856" {
					field.inds = "41"
				}
				switch c.Way {
				case Add:
					at := fi + 1
					for at < len(r.fields) && r.fields[at].added {
						at++
					}
					r.fields = append(r.fields[:at:at], append([]modelField{field}, r.fields[at:]...)...)
				case Note:
					f.subs = append(f.subs, modelSub{"z", copyNote + ": " + c.New, true})
				case Uncheck:
					s.code = "z"
				default:
					s.text = strings.Replace(s.text, c.Old, c.New, 1)
				}
				return true
			}
		}
	}
	return false
}

// withoutLengths takes away what records say of their length.
func withoutLengths(text string) string {
	records := strings.Split(text, "\x1d")
	for i, r := range records {
		records[i] = r[min(5, len(r)):]
	}
	return strings.Join(records, "\x1d")
}

// TestCatalogue mends an invented catalogue in every dialect of MARC: its copy is, to the
// octet, what the dialect's writer makes of the changed model, nothing is left, and what a
// change made is taken back.
func TestCatalogue(t *testing.T) {
	for seed, d := range dialects {
		rnd := rand.New(rand.NewPCG(uint64(seed), 19))
		records := 1000
		if testing.Short() {
			records = 150
		}
		model := invented(rnd, records, d.accent)
		text := d.write(model)
		founds, damages := read(d.name, []byte(text), extract.Options{})
		if len(founds) < records || damages > 0 && !d.lies {
			t.Fatalf("%s: %d places, %d damages", d.name, len(founds), damages)
		}
		var changes []Change
		var unchecked []string // fields, where places cannot be found by their numbers any more
		for i, f := range founds {
			field := f.Record + " " + strings.Split(f.Locator, "$")[0]
			c := Change{Record: f.Record, Locator: f.Locator, Line: f.Line, Column: f.Column, Old: f.Raw, New: fmt.Sprintf("https://new%d.example/?a=1&b=$2", i), Date: "2001-02-03"}
			tag := f.Locator[:3]
			switch ways := []Way{"", Add, Note, Uncheck}; {
			case rnd.IntN(3) == 0 || strings.Contains(strings.Join(unchecked, "|")+"|", field+"|"):
				continue
			case f.How == "$u" && (tag == "856" || tag == "956") && !strings.Contains(f.Raw, "'"): // which no note would be read as
				if c.Way = ways[rnd.IntN(len(ways))]; c.Way == Uncheck {
					unchecked = append(unchecked, field)
				}
			}
			changes = append(changes, c)
		}
		got, err := Rewrite(d.name, []byte(text), extract.Options{}, changes)
		if err != nil || len(got.Left) > 0 || len(got.Made) != len(changes) || len(changes) < records/2 {
			t.Fatalf("%s: %v, %d of %d changes made, left: %+v", d.name, err, len(got.Made), len(changes), got.Left)
		}
		for i := range changes {
			if !edit(model, &changes[i]) {
				t.Fatalf("%s: no place for %+v", d.name, changes[i])
			}
		}
		now, want := string(got.Octets), d.write(model)
		if d.lies { // records that change say their length, the others what they said
			now, want = withoutLengths(now), withoutLengths(want)
		}
		if now != want {
			a, b := cut(now, want)
			t.Fatalf("%s: got  %.300q\nwant %.300q", d.name, a, b)
		}
		var back []Change
		for _, m := range got.Made {
			back = append(back, Change{Record: m.Now.Record, Locator: m.Now.Locator, Line: m.Now.Line, Column: m.Now.Column, Old: m.Now.Raw, New: m.Was.Raw, Restore: true, Spelled: m.Spelled, Way: changes[m.Change].Way})
		}
		again, err := Rewrite(d.name, got.Octets, extract.Options{}, back)
		if err != nil || len(again.Left) > 0 || !d.lies && !bytes.Equal(again.Octets, []byte(text)) {
			a, b := cut(string(again.Octets), text)
			t.Fatalf("%s: restored: %v %+v\ngot  %.300q\nwant %.300q", d.name, err, again.Left, a, b)
		}
		t.Logf("%s: %d records, %d places, %d changed", d.name, records, len(founds), len(changes))
	}
}
