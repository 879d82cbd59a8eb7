//go:build linux

package hardening

import (
	"archive/zip"
	"encoding/csv"
	"fmt"
	"html"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"linkcheck/internal/testdoc"
)

// tellers are the verbs that speak of what stands in a store, in every form.
var tellers = [][]string{
	{"report", "--store", "s.db"},
	{"report", "--store", "s.db", "--lang", "de", "--only", "invalid,unchecked,check,fix,update,not-checkable"},
	{"report", "--store", "s.db", "--csv", "-"},
	{"report", "--store", "s.db", "--csv", "-", "--tsv", "--unique"},
	{"report", "--store", "s.db", "--jsonl", "-"},
	{"report", "--store", "s.db", "--html", "-"},
	{"report", "--store", "s.db", "--summary"},
	{"report", "--store", "s.db", "--fixes", "-"},
	{"report", "--store", "s.db", "--metrics", "-"},
	{"lint", "--store", "s.db"},
	{"lint", "--store", "s.db", "--csv"},
	{"lint", "--store", "s.db", "--json"},
	{"dupes", "--store", "s.db"},
	{"dupes", "--store", "s.db", "--json"},
	{"dupes", "--store", "s.db", "--by", "final"},
	{"store", "export", "--store", "s.db"},
	{"store", "stats", "--store", "s.db"},
	{"store", "verify", "--store", "s.db"},
}

// offline are the flags of a run that dials nothing: every link is passed over.
var offline = []string{"--exclude", ".", "--host-delay", "0s", "--retry-delay", "0s", "--timeout", "1s"}

// secretForms are references with a password, written as %s, in two needles. A form
// that is no link of any scheme may stand in a title all the same.
func secretForms() (forms []string, needles [][]string) {
	add := func(form, between string) {
		n := len(forms)
		a, b := fmt.Sprintf("sEc%03dA", n), fmt.Sprintf("sEc%03dB", n)
		forms = append(forms, fmt.Sprintf(form, a+between+b))
		needles = append(needles, []string{a, b})
	}
	for _, form := range []string{
		"http://ann:%s@h.example/p", "https://ann:%s@h.example:8443/p?q=1#f", "HTTP://ann:%s@H.EXAMPLE", "http:ann:%s@h.example/p", "http:/ann:%s@h.example/p",
		"http:///ann:%s@h.example/p", `http:\\ann:%s@h.example\p`, "http://ann%%3A%s@h.example/", "http://ann%%3A%s%%40h.example/", "http://:%s@h.example/",
		"ftp://ann:%s@h.example/pub/x;type=a", "ftp:ann:%s@h.example/pub", "gopher://ann:%s@h.example/1/x", "telnet://ann:%s@h.example:2323/", "nntp://ann:%s@h.example/g.h/1",
		"news://ann:%s@h.example/g.h", "wais://ann:%s@h.example/db?q", "z39.50r://ann:%s@h.example/db?x", "imap://ann:%s@h.example/inbox", "ldap://ann:%s@h.example/dc=x",
		"svn+ssh://ann:%s@h.example/r", "xyz://ann:%s@h.example/", "prospero://ann:%s@h.example/x", "rtsp://ann:%s@h.example/x", "dict://ann:%s@h.example/d:x",
		"http://ann:%s@256.0.0.1/", "ftp://ann:%s@h.example:99999/", "http://ann:%s@h..example/", "http://ann:%s@[::1/", "http://ann:%s@h.example:x/",
		"jar:http://ann:%s@h.example/a.jar!/b", "urn:x:http://ann:%s@h.example/", "view-source:http://ann:%s@h.example/", "feed:http://ann:%s@h.example/f",
		"http://p.example/?url=http://ann:%s@h.example/", "http://p.example/login?url=http%%3A%%2F%%2Fann%%3A%s%%40h.example%%2F", "http://p.example/http://ann:%s@h.example/", "http://p.example/#http://ann:%s@h.example/",
		"mailto:bob@h.example?body=http://ann:%s@h.example/", "mailto:bob@h.example?subject=ftp%%3A%%2F%%2Fann%%3A%s%%40h.example",
		"http://web.archive.example/web/1999/http://ann:%s@h.example/", "http://an%%20n:%s@h.example/", "http://corp%%5Cann:%s@h.example/", "ftp://corp%%2Fann:%s@h.example/", "http://a.example/?u=http%%3A%%2F%%2Fan%%2520n%%3A%s%%40h.example",
		"http://ann&#58%s&#64h.example/", "http://ann&amp;#58;%s&amp;#64;h.example/", "http://ann%%u003a%s%%u0040h.example/", `http://ann\x3a%s\x40h.example/`, "doi:http://ann:%s@h.example/", "info:sid/http://ann:%s@h.example/",
	} {
		add(form, "")
	}
	for _, between := range []string{"@", "/", "//", "?", "#", ":", ";", "|", `\`, "'", "(", ")", "[", "]", "{", "}", "%", "%40", "%2F", "*", "&", "=", "+", ",", "!", "$", "~", "^", "é", "密", strings.Repeat("p", 300)} {
		add("http://ann:%s@h.example/p", between)
		add("ftp://ann:%s@h.example/p", between)
		add("xyz://ann:%s@h.example/p", between)
	}
	for _, between := range []string{" ", "\t", "\n", `"`, "<", ">", "\r\n", "\n> ", "-\n"} {
		add("http://ann:%s@h.example/p", between)
		add("ftp://ann:%s@h.example/p", between)
	}
	return forms, needles
}

// No verb prints a password, wherever it stood in a document.
func TestSecrets(t *testing.T) {
	long(t)
	forms, needles := secretForms()
	oneLine := func(s string) string { return strings.NewReplacer("\n", " ", "\r", "", "\t", " ").Replace(s) }
	places := map[string]func(p *place, i int, form string){
		"text": func(p *place, i int, form string) { p.write(fmt.Sprintf("docs/t%03d.txt", i), "see "+form+" now\n") },
		"angle": func(p *place, i int, form string) {
			p.write(fmt.Sprintf("docs/u%03d.txt", i), "see <URL:"+form+"> now\n")
		},
		"page": func(p *place, i int, form string) {
			p.write(fmt.Sprintf("docs/h%03d.html", i), `<a href="`+html.EscapeString(form)+`">a link</a><p>`+html.EscapeString(form))
		},
		"attribute": func(p *place, i int, form string) {
			if strings.ContainsAny(form, "'\"<>\n\r") { // ends the tag, or the value behind more than one line
				form = html.EscapeString(form)
			}
			p.write(fmt.Sprintf("docs/b%03d.html", i), "<a href="+form+">x</a>")
		},
		"title": func(p *place, i int, form string) {
			p.write(fmt.Sprintf("docs/i%03d.html", i), "<title>By "+html.EscapeString(form)+" of old</title><a href=http://x.example/"+fmt.Sprint(i)+">see "+html.EscapeString(form)+"</a>")
		},
		"mail": func(p *place, i int, form string) {
			p.write(fmt.Sprintf("docs/m%03d.eml", i), "From: a@b.example\nMessage-ID: <"+oneLine(form)+">\nSubject: "+oneLine(form)+"\n\nhttp://x.example/"+fmt.Sprint(i)+"\n")
		},
		"catalogue": func(p *place, i int, form string) {
			form = strings.ReplaceAll(form, "|", "!") // "|" begins a subfield
			p.write(fmt.Sprintf("docs/c%03d.mrc", i), testdoc.Catalogued(oneLine(form), "By "+oneLine(form), "|u"+oneLine(form)+"|z"+form, "|uhttp://x.example/"+fmt.Sprint(i)))
		},
		"member": func(p *place, i int, form string) {
			p.make(fmt.Sprintf("docs/z%03d.zip", i), zipped(form+".txt", text("http://x.example/"+fmt.Sprint(i)+"\n")))
		},
	}
	for name, put := range places {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t, nil)
			for i, form := range forms {
				put(p, i, form)
			}
			all := slices.Concat(needles...)
			failed := map[string][]string{}
			for _, args := range slices.Concat([][]string{
				slices.Concat([]string{"run", "--store", "s.db"}, offline, []string{"docs"}),
				{"extract", "docs"}, {"extract", "--jsonl", "docs"},
			}, tellers) {
				o := p.start(start{needles: all}, args...)
				for _, seen := range slices.Concat(o.out.seen, o.err.seen) {
					i := slices.IndexFunc(needles, func(n []string) bool { return slices.Contains(n, seen) })
					failed[forms[i]] = append(failed[forms[i]], strings.Join(args[:min(5, len(args))], " "))
				}
			}
			for form, verbs := range failed {
				t.Errorf("%.120q is shown by %d verbs, the first %q", form, len(verbs), verbs[0])
			}
		})
	}
}

// No verb repeats the password of an argument, be it a link or something wrong.
func TestSecretsOfArguments(t *testing.T) {
	long(t)
	p := newPlace(t, map[string]string{"docs/a.txt": "http://x.example/\n"})
	p.run(slices.Concat([]string{"run", "--store", "s.db"}, offline, []string{"docs"})...)
	for _, form := range []string{"http://ann:%s@h.example/", "ftp://ann:%s@256.0.0.1/", "xyz://ann:%s@h/", "http:ann:%s@h.example/", "http://ann:sE@%s@h.example/"} {
		const needle = "sEcRet"
		form = fmt.Sprintf(form, needle)
		for _, args := range [][]string{
			{"explain", "--store", "s.db", form}, {"mark", "--store", "s.db", form, "alive", "--why", "seen"}, {"mark", "--store", "s.db", form, "wrong"},
			{"compare", form, "http://x.example/"}, {"compare", form}, {"normalize", form},
			{"extract", form}, {"extract", "--base", form + " x", "docs/a.txt"}, {"extract", "--charset", form, "docs/a.txt"}, {"extract", "--input", form, "docs/a.txt"},
			{"run", "--store", "s.db", form}, {"run", "--store", form, "docs"}, {"run", "--config", form, "docs"}, {"check", "--store", "s.db", "--exclude", "(" + form},
			{"check", "--connect-to", form, "http://x.example/"}, {"check", "--allow-private", form, "http://x.example/"}, {"check", "--timeout", form, "http://x.example/"},
			{"check", "--news-server", form, "http://x.example/"}, {"check", "--now", form, "http://x.example/"}, {"check", "--file-root", form, "file:///x"},
			{"report", "--store", "s.db", "--since", form}, {"report", "--store", "s.db", "--only", form}, {"report", "--store", "s.db", "--lang", form},
			{"report", "--store", "s.db", "--memento", form + " x"}, {"report", "--store", "s.db", "--html", form + "/x"}, {"report", "--store", "s.db", "--smtp-host", form, "--mail-to", "a@b.example"},
			{"store", "import", "--store", "t.db", form}, {"store", "backup", "--store", "s.db", form + "/x"}, {"store", "prune", "--store", "s.db", "--older", form},
			{"serve", "--store", "s.db", "--listen", form}, {"schemes", form}, {form}, {"--" + form}, {"run", "--" + form},
		} {
			o := p.start(start{needles: []string{needle}, stdin: strings.NewReader("")}, args...)
			if len(o.out.seen)+len(o.err.seen) > 0 {
				t.Errorf("%q prints it: %.300q %.300q", args, o.out.text(300), o.err.text(300))
			}
		}
	}
}

// hostile are octets that change a terminal or begin a line of their own.
var hostile = map[string]string{
	"a title of the window": "\x1b]0;owned\x07", "colours": "\x1b[31m", "C1 in UTF-8": "\u009b31m", "C1 as an octet": "\x9b31m", "DEL and BS": "\x7f\x08\x08",
	"a line": "\n" + forged + "\n", "a carriage return": "\r" + forged, "a line after CRLF": "\r\n" + forged, "next line": "\u0085" + forged,
	"a form feed": "\f" + forged, "bidi override": "\u202egnp.exe", "bidi isolate": "\u2066x\u2069", "bidi marks": "\u200e\u200f\u061c", "NUL": "a\x00b", "a broken rune": "\xe2\x80",
}

// What a terminal must not get is escaped, wherever in a document or its name it stood.
func TestTerminal(t *testing.T) {
	long(t)
	for name, s := range hostile {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, map[string]string{
				"docs/a.txt":  "x" + s + " see http://a.example/" + s + "x and <URL:http://b.example/" + s + "> \"" + s + "\" xyz:" + s + "\n",
				"docs/b.html": "<title>t" + s + "t</title><base href='http://c.example/" + s + "'><a href='d" + s + "e' title='" + s + "'>f" + s + "</a><a href='http://c.example" + s + "/'>",
				"docs/c.eml":  "From: a@b.example\nMessage-ID: <m" + s + "@b>\nSubject: s" + s + "\nContent-Type: text/html; charset=\"" + s + "\"\n\n<a href='http://e.example/" + s + "'>x" + s + "</a>\n",
				"docs/d.mrc":  testdoc.Catalogued("i"+s, "t"+s, "|uhttp://f.example/"+s+"|z"+s),
				"docs/e.csv":  "id,url\n\"i" + s + "\",\"http://g.example/" + s + "\"\n",
				"docs/f.warc": string(octets(warc("http://h.example/"+s, "Content-Type: text/html"+s+"\r\n", text("<a href=x"+s+">")))),
				"docs/g.bib":  "@misc{k" + s + ", title={t" + s + "}, url = {http://i.example/" + s + "}}\n",
			})
			p.make("docs/h.zip", zipped("m"+s+".txt", text("http://j.example/\n"), "n"+s+".zip", text("PK\x03\x04 broken")))
			p.make("docs/i.tar", tarred("m"+strings.ReplaceAll(s, "\x00", "")+".gz", text("\x1f\x8b broken")))
			if !strings.Contains(s, "\x00") {
				p.write("docs/n"+s+".txt", "http://k.example/\n")
				p.write("docs/o"+s+".gz", "\x1f\x8b broken")
			}
			for _, args := range slices.Concat([][]string{
				slices.Concat([]string{"run", "--store", "s.db"}, offline, []string{"docs"}),
				slices.Concat([]string{"run", "--store", "s.db", "--log-json", "--all"}, offline, []string{"docs"}),
				{"extract", "docs"}, {"extract", "--jsonl", "docs"},
				{"explain", "--store", "s.db", "http://a.example/"},
			}, tellers) {
				p.within(p.run(args...), ceiling{codes: []int{0, 1, 3}})
			}
		})
	}
}

// The same for arguments, lines of standard input, and the names in the configuration.
func TestTerminalArguments(t *testing.T) {
	long(t)
	for name, s := range hostile {
		if strings.Contains(s, "\x00") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, map[string]string{"docs/a.txt": "http://x.example/\n", "bad.toml": "workers" + s + " = 1\n", "key.toml": "\"no-" + s + "\" = 1\n", "value.toml": "host-delay = \"" + s + "\"\n",
				"marks.txt": "http://m.example/" + s + "\n"})
			p.run(slices.Concat([]string{"run", "--store", "s.db"}, offline, []string{"docs"})...)
			for _, args := range [][]string{
				{"explain", "--store", "s.db", "http://a.example/" + s}, {"explain", "--store", "s.db", "x" + s}, {"normalize", "http://a.example/" + s}, {"normalize", "--json", "http://a.example/" + s},
				{"compare", "http://a.example/" + s, "b" + s}, {"extract", "no" + s}, {"extract", "--base", "b" + s, "docs"}, {"extract", "--charset", "c" + s, "docs"},
				{"mark", "--store", "s.db", "http://x.example/", "alive", "--why", "w" + s}, {"mark", "--store", "s.db", "--from", "marks.txt", "alive", "--why", "w" + s}, {"explain", "--store", "s.db", "http://x.example/"},
				{"report", "--store", "s.db"}, {"report", "--store", "s.db", "--csv", "-"}, {"store", "export", "--store", "s.db"},
				{"report", "--store", "no" + s}, {"report", "--store", "s.db", "--html", "no/" + s}, {"report", "--store", "s.db", "--collection", "c" + s}, {"report", "--store", "s.db", "--record-url", "http://r.example/" + s + "{id}", "--csv", "-"},
				{"check", "--exclude", ".", "http://a.example/" + s}, {"check", "--json", "xyz:" + s}, {"check", "--connect-to", "c" + s, "xyz:"}, {"check", "--timeout", "t" + s, "xyz:"},
				{"run", "--config", "bad.toml", "docs"}, {"run", "--config", "key.toml", "docs"}, {"run", "--config", "value.toml", "docs"}, {"run", "--config", "no" + s, "docs"},
				{"no" + s}, {"--no" + s}, {"run", "--no" + s}, {"serve", "--store", "s.db", "--listen", "l" + s}, {"store", "import", "--store", "t.db", "no" + s}, {"store", "backup", "--store", "s.db", "no/" + s},
			} {
				p.within(p.run(args...), ceiling{})
			}
			if strings.Contains(s, "\n") {
				return // lines of standard input are arguments of their own
			}
			lines := "http://a.example/" + s + "\nxyz:" + s + "\n" + s + "\n"
			for _, args := range [][]string{{"normalize"}, {"normalize", "--json"}, {"compare"}, {"check", "--exclude", ".", "-"}, {"extract", "-"}, {"extract", "--jsonl", "-"}} {
				p.within(p.start(start{stdin: strings.NewReader(lines)}, args...), ceiling{})
			}
		})
	}
}

// No cell of a table begins as a formula does, in any column.
func TestFormulas(t *testing.T) {
	for _, begin := range []string{"=", "+", "-", "@", "\t=", "\r=", " =", "=cmd|' /C calc'!A0", "＝", "＋", "－", "＠", "\u00a0=", "\ufeff=", "\u200b="} {
		t.Run(fmt.Sprintf("%+q", begin), func(t *testing.T) {
			t.Parallel()
			f := begin + "1+1"
			p := newPlace(t, map[string]string{
				"docs/a.html":    "<title>" + f + "</title><a href='" + f + "'>" + f + "</a><a href='http://a.example/'>" + f + "</a>",
				"docs/b.mrc":     testdoc.Catalogued(f, f, "|u"+f+"|z"+f, "|uhttp://b.example/|z"+f+"|y"+f),
				"docs/c.csv":     "id,url\n\"" + strings.ReplaceAll(f, `"`, `""`) + "\",http://c.example/\n",
				"docs/d.eml":     "From: " + f + "\nMessage-ID: " + f + "\nSubject: " + f + "\n\n" + f + " http://d.example/ " + f + "\n",
				"docs/e.txt":     f + "\n" + f + " http://e.example/ \n<URL:" + f + ">",
				f + "/" + f:      f + " http://f.example/\n",
				"docs/" + f:      f + " http://g.example/\n",
				"docs/marks.txt": "http://a.example/\n",
			})
			p.make("docs/h.zip", zipped(f, text("http://h.example/\n"), f+".txt", text("http://h.example/\n")))
			run := slices.Concat([]string{"run", "--base", "http://base.example/", "--store", "s.db", "--collection", f}, offline, []string{"docs", "./" + f})
			p.within(p.run(run...), ceiling{})
			p.run("mark", "--store", "s.db", "http://a.example/", "alive", "--why", f)
			for _, args := range [][]string{{"--csv", "-"}, {"--csv", "-", "--unique"}, {"--csv", "-", "--tsv"}, {"--fixes", "-"}, {"--csv", "-", "--bom"}, {"--csv", "-", "--record-url", f + "{id}"}} {
				o := p.run(slices.Concat([]string{"report", "--store", "s.db"}, args)...)
				p.within(o, ceiling{codes: []int{0, 2}}) // 2: no address of a record begins so
				r := csv.NewReader(strings.NewReader(o.out.text(keptText)))
				r.FieldsPerRecord, r.LazyQuotes = -1, true
				if args[0] == "--fixes" || slices.Contains(args, "--tsv") {
					r.Comma = '\t'
				}
				for {
					cells, err := r.Read()
					if err == io.EOF {
						break
					}
					if err != nil {
						t.Fatalf("%q: %v", args, err)
					}
					for _, cell := range cells {
						if at := strings.TrimLeft(cell, " \t\r\n\u00a0\ufeff\u200b"); strings.Contains(at, "1+1") && strings.IndexAny(at, "=+-@＝＋－＠") == 0 {
							t.Errorf("%q: a cell is %q", args, cell)
						}
					}
				}
			}
			p.within(p.run("report", "--store", "s.db", "--xlsx", "r.xlsx"), ceiling{codes: []int{0}})
			if sheets := unzipped(t, p.path("r.xlsx")); strings.Contains(sheets, "<f>") || strings.Contains(sheets, "<f ") || !strings.Contains(sheets, "b.example") {
				t.Errorf("the workbook holds a formula, or not the links")
			}
		})
	}
}

// unzipped is the text of every member.
func unzipped(t *testing.T, path string) string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(f, info.Size())
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, m := range z.File {
		r, err := m.Open()
		if err != nil {
			t.Fatal(err)
		}
		io.Copy(&b, r)
		r.Close()
	}
	return b.String()
}
