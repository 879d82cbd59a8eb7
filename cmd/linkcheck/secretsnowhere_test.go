package main

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"linkcheck/internal/testdoc"
)

// secretShapes are passwords: %[1]s is a piece, "zq7n", a number that no other has, and then
// a letter.
var secretShapes = []string{"%[1]sa", "%[1]sa%[1]sb", "@%[1]sa", "%[1]sa@", "/%[1]sa", "%[1]sa:", "***@%[1]sa", "%[1]sa@%[1]sb/%[1]sc",
	"%[1]sa@/?#:;|\\'\"<>()[]{}%%*%[1]sb", "%[1]sa" + strings.Repeat("x", 380) + "%[1]sb"}

// secretSpaces are passwords with what no writer of a URI leaves in one.
var secretSpaces = []string{"%[1]sa %[1]sb", "%[1]sa\t%[1]sb", "%[1]sa\x00%[1]sb", "%[1]sa\n> %[1]sb", "%[1]sa\n%[1]sb", " %[1]sa", "%[1]sa @%[1]sb", "%[1]sa/%[1]sb %[1]sc"}

func init() {
	for _, c := range `@/?#:;|\'"<>()[]{}%*é` {
		secretShapes = append(secretShapes, "%[1]sa"+strings.ReplaceAll(string(c), "%", "%%")+"%[1]sb")
	}
}

var secretIntros = []string{"ftp://ann:%s@h.example/x", "http://ann:%s@h.example/x", "gopher://ann:%s@h.example/1x", "telnet://ann:%s@h.example/", "sip:ann:%s@h.example",
	`\\ann:%s@h.example\x`, "xy:ann:%s@h.example", "xy:/ann:%s@h.example", "xy:///ann:%s@h.example", "xy://ann:%s@h.example", "ftp:ann:%s@h.example/x", "//ann:%s@h.example/",
	"http://a.example/?url=ftp://ann:%s@h.example/", "jar:http://ann:%s@h.example/x.jar!/y", "urn:ftp://ann:%s@h.example/", "http://a.example/x#ftp://ann:%s@h.example/",
	"mailto:bob@x.example?body=ftp://ann:%s@h.example/", "http://a.example/ftp://ann:%s@h.example/"}

// secretPathIntros have a user with a '/', '?' or '#', behind which nothing ends a reference
// but what ends any: secretPathShapes hold none of that.
var secretPathIntros = []string{"http://h.example/?u=ann:%s@h.example", "http://h.example:80/~ann:%s@h.example/x", "http://h.example/x#ann:%s@h.example",
	"http://h.example/?t=12:30&u=ann:%s@h.example", "http://h.example/a/ann:%s@h.example"}

var secretPathShapes = []string{"%[1]sa", "%[1]sa%[1]sb", "@%[1]sa", "/%[1]sa", "%[1]sa:", "***@%[1]sa", "%[1]sa@%[1]sb", "%[1]sa?%[1]sb", "%[1]sa#%[1]sb",
	"%[1]sa;%[1]sb", "%[1]sa%%%[1]sb", "%[1]sa*%[1]sb", "%[1]sa" + strings.Repeat("x", 380) + "%[1]sb"}

// secretParamIntros have a value behind the name of a secret, which ends at an '&' or '#'.
var secretParamIntros = []string{"http://h.example/?a=1&token=%s", "http://h.example/x?apikey=%s&b=2", "http://h.example/#access_token=%s", "ftp://h.example/x;password=%s", "https://h.example/?a=1;Client_Secret=%s&b=2"}

var secretParamShapes = []string{"%[1]sa", "%[1]sa/%[1]sb", "%[1]sa@%[1]sb", "%[1]sa:%[1]sb@%[1]sc", "%[1]sa%%26%[1]sb", "%[1]sa=%[1]sb==", "%[1]sa+%[1]sb", "%[1]sa" + strings.Repeat("x", 380) + "%[1]sb"}

// secretBlankIntros have a blank in the user or before it.
var secretBlankIntros = []string{"ftp://an n:%s@h.example/x", "http:// ann:%s@h.example/x", `\\an n:%s@h.example\x`, "//an n:%s@h.example/", "http://an\nn:%s@h.example/"}

// planted are the references with passwords that stand somewhere.
type planted struct {
	n, places int
	where     map[string]string // the place and the reference of a piece
}

// secretThin is which of the pairs of an intro and a shape a place gets in a short test: one
// of so many, so that each place gets each intro and each shape, and each pair stands in some place.
const secretThin = 6

// in makes the references of one place.
func (p *planted) in(place string, blanks bool) (refs []string) {
	p.places++
	shapes, intros := secretShapes, secretIntros
	if blanks {
		shapes, intros = slices.Concat(shapes, secretSpaces), slices.Concat(intros, secretBlankIntros)
	}
	for i, intro := range slices.Concat(intros, secretPathIntros, secretParamIntros) {
		add := func(k int, shape string, escapes int) {
			if testing.Short() && (i+k+p.places)%secretThin > 0 {
				return
			}
			p.n++
			piece := fmt.Sprintf("zq7n%05d", p.n)
			ref := fmt.Sprintf(intro, fmt.Sprintf(shape, piece))
			for range escapes {
				ref = strings.NewReplacer("%", "%25", ":", "%3A", "/", "%2F", "@", "%40", `\`, "%5C", "?", "%3F", "&", "%26", "=", "%3D", "#", "%23", ";", "%3B").Replace(ref)
			}
			if escapes > 0 {
				ref = "http://a.example/?u=" + ref
			}
			refs = append(refs, ref)
			p.where[piece] = fmt.Sprintf("%s %d: %.60q", place, p.n, ref)
		}
		shapes := shapes
		switch {
		case i >= len(intros)+len(secretPathIntros):
			shapes = secretParamShapes
		case i >= len(intros):
			shapes = secretPathShapes
		}
		for k, shape := range shapes {
			add(k, shape, 0)
		}
		for escapes := range 3 {
			add(escapes, "%[1]sa", 1+escapes)
		}
	}
	return refs
}

// TestSecretsNowhere plants passwords of many shapes in many places and looks for them in
// everything that any verb writes.
func TestSecretsNowhere(t *testing.T) {
	l := newLibrary(t, nil)
	p := planted{where: map[string]string{}}
	place := func(file string, blanks bool, write func(ref string) string) {
		var b strings.Builder
		for _, ref := range p.in(file, blanks) {
			b.WriteString(write(ref))
		}
		l.write(file, b.String())
	}
	flat := func(s string) string { return strings.NewReplacer("\n", " ", "\x00", " ", "\t", " ").Replace(s) }
	place("prose.txt", true, func(ref string) string { return "\n\n\nIn the year before we found " + ref + " and then went on.\n" })
	place("bracket.txt", true, func(ref string) string { return "\n\n\nSee <URL:" + ref + "> there.\n" })
	place("list.txt", true, func(ref string) string { return "\n\n\n" + ref + "\n" })
	place("href.html", true, func(ref string) string {
		return "<p><a href='" + strings.NewReplacer("'", "&#39;", "&", "&amp;").Replace(ref) + "' title='x'>words</a></p>\n"
	})
	place("text.html", true, func(ref string) string {
		return "<p>about " + strings.NewReplacer("<", "&lt;", "&", "&amp;").Replace(ref) + " here</p>\n"
	})
	place("linktext.html", true, func(ref string) string {
		return "<p><a href='http://b.example/'>about " + strings.NewReplacer("<", "&lt;", "&", "&amp;").Replace(ref) + " here</a></p>\n"
	})
	for i := range 3 {
		pad := strings.Repeat("word ", []int{0, 20, 26}[i])
		for k, ref := range p.in("title", true) {
			if testing.Short() || k%7 == i {
				l.write(fmt.Sprintf("titles/%d/%d.html", i, k), "<title>"+pad+strings.NewReplacer("<", "&lt;", "&", "&amp;").Replace(ref)+"</title><a href='http://c.example/'>x</a>")
			}
		}
	}
	place("bibs.mrc", true, func(ref string) string {
		ref = strings.ReplaceAll(flat(ref), "|", "/")
		return testdoc.Catalogued("id "+ref, "Mill "+ref, "|u"+ref+"|z"+ref)
	})
	place("refs.bib", false, func(ref string) string {
		ref = strings.NewReplacer("{", "", "}", "", `"`, "").Replace(ref)
		return "@misc{k" + strings.NewReplacer(",", "", " ", "").Replace(ref) + ",\n title = {On " + ref + "},\n url = {" + ref + "}, note = {see http://d.example/}\n}\n"
	})
	place("refs.ris", true, func(ref string) string {
		return "TY  - JOUR\nID  - " + flat(ref) + "\nTI  - On " + flat(ref) + "\nUR  - http://e.example/\nUR  - " + flat(ref) + "\nER  - \n"
	})
	place("table.csv", true, func(ref string) string {
		return `"` + strings.ReplaceAll(ref, `"`, `""`) + `",http://f.example/` + "\n"
	})
	place("mail.mbox", true, func(ref string) string {
		return "From bob@example.org Mon Nov  2 10:00:00 1998\nFrom: bob@example.org\nSubject: about " + flat(ref) + "\nMessage-ID: <" + flat(ref) + ">\n" +
			"Content-Type: text/plain; name=\"" + flat(ref) + "\"\n\nGood morning,\n\nlook at " + ref + " please, or\n\n> " + strings.ReplaceAll(ref, "\n", "\n> ") + "\n\nhttp://g.example/\n\n"
	})
	quoted := func(s string) string { b, _ := json.Marshal(s); return string(b) }
	xml := strings.NewReplacer("<", "&lt;", "&", "&amp;", ">", "&gt;", "\x00", "")
	place("list.json", true, func(ref string) string {
		return `{"id": ` + quoted(ref) + `, "title": ` + quoted("on "+ref) + `, "url": ` + quoted(ref) + `, "also": "http://l.example/"}` + "\n"
	})
	place("feed.xml", true, func(ref string) string {
		ref = xml.Replace(ref)
		return "<rss><channel><item><title>on " + ref + "</title><link>" + ref + "</link><guid>" + ref + "</guid><description>see " + ref + " there</description><a href=\"" + strings.ReplaceAll(ref, `"`, "&quot;") + "\"/></item></channel></rss>\n"
	})
	place("mods.xml", true, func(ref string) string {
		ref = xml.Replace(ref)
		return "<mods><recordInfo><recordIdentifier>" + ref + "</recordIdentifier></recordInfo><titleInfo><title>on " + ref + "</title></titleInfo><location><url>" + ref + "</url><url>http://m.example/</url></location></mods>\n"
	})
	place("gophermap", false, func(ref string) string {
		return "1about " + ref + "\t" + ref + "\tn.example\t70\n0doc\tURL:" + ref + "\tn.example\t70\n"
	})
	place("bookmarks.html", true, func(ref string) string {
		return "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><DT><A HREF=\"" + strings.ReplaceAll(xml.Replace(ref), `"`, "&quot;") + "\" ICON=\"x\">" + xml.Replace(ref) + "</A></DL>\n"
	})
	place("attributes.html", true, func(ref string) string {
		ref = strings.ReplaceAll(xml.Replace(ref), `"`, "&quot;")
		return "<img src=\"" + ref + "\" alt=\"see " + ref + "\" srcset=\"" + ref + " 2x\"><!-- " + ref + " --><blockquote cite=\"" + ref + "\"></blockquote><p style=\"background: url(" + ref + ")\">\n<meta http-equiv=refresh content=\"0; url=" + ref + "\">"
	})
	place("records.mrk", true, func(ref string) string {
		return "=LDR  00000nam\n=001  " + flat(ref) + "\n=245  10$aOn " + flat(ref) + "\n=856  40$u" + flat(ref) + "$zsee " + flat(ref) + "\n=856  40$uhttp://o.example/\n\n"
	})
	place("mime.mbox", true, func(ref string) string {
		ref = flat(ref)
		return "From bob@example.org Mon Nov  2 10:00:00 1998\nFrom: bob@example.org\nSubject: =?utf-8?Q?" + strings.NewReplacer("=", "=3D", "?", "=3F", " ", "_", "_", "=5F").Replace("on "+ref) + "?=\nContent-Type: multipart/mixed; boundary=b\nContent-Base: " + ref + "\n\n" +
			"--b\nContent-Type: text/html\nContent-Location: " + ref + "\n\n<a href='rel'>x</a>\n--b\nContent-Type: text/plain; name=\"" + ref + "\"\nContent-ID: <" + ref + ">\nContent-Disposition: attachment; filename=\"" + ref + "\"\n\nhttp://p.example/\n--b--\n\n"
	})
	place("words.mbox", true, func(ref string) string { // a subject of encoded words in lines of their own
		ref = "on " + ref
		subject, size := "", max(1, len(ref)/3)
		for ; ref != ""; ref = ref[min(len(ref), size):] {
			subject += "\n =?iso-8859-1?B?" + base64.StdEncoding.EncodeToString([]byte(ref[:min(len(ref), size)])) + "?="
		}
		return "From bob@example.org Mon Nov  2 10:00:00 1998\nFrom: bob@example.org\nSubject:" + subject + "\n\nhttp://s.example/\n\n"
	})
	for k, ref := range p.in("base", true) {
		if testing.Short() || k%5 == 0 {
			l.write(fmt.Sprintf("bases/%d.html", k), "<base href='"+strings.NewReplacer("'", "&#39;", "&", "&amp;").Replace(ref)+"'><a href=rel>x</a> and <a href='http://q.example/'>y</a>")
		}
	}
	var tarred []string
	for k, ref := range p.in("tar", true) {
		tarred = append(tarred, "x/"+strings.ReplaceAll(ref, "\x00", "")+".txt", fmt.Sprintf("http://r.example/%d\n", k))
	}
	l.write("all.tar", testdoc.Tar(t, tarred...))
	place("crawl.warc", false, func(ref string) string {
		return testdoc.WARC("resource", ref, "text/html", "<title>t</title><a href='rel'>x</a><a href='http://i.example/'>y</a>")
	})
	var zipped bytes.Buffer
	z := zip.NewWriter(&zipped)
	for k, ref := range p.in("member", true) {
		w, err := z.Create("x/" + ref + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(w, "http://j.example/%d\n", k)
	}
	z.Close()
	l.write("all.zip", zipped.String())
	for _, ref := range p.in("file", true)[:60] { // names of files hold no '/'
		if name := strings.NewReplacer("/", "", "\x00", "").Replace(ref); len(name) < 200 {
			l.write("files/ftp:"+name+".txt", "http://k.example/\n")
		}
	}

	var server atomic.Int32
	tell := func() string {
		n := server.Add(1) % 3
		return fmt.Sprintf("ftp://ann:zq7s%05da b/zq7s%05db@h.example/", n, n)
	}
	l.serveSecrets(tell)
	in := func(verb string, args ...string) []string {
		return slices.Concat(strings.Fields(verb), []string{"--store", l.store()}, args)
	}
	leaks := map[string][]string{}
	look := func(where, text string) {
		for id := range maps.Keys(setOf(secretPiece.FindAllString(strings.ToLower(text), -1))) {
			leaks[where] = append(leaks[where], id+" = "+p.where[id[:len(id)-1]])
		}
		if i := strings.Index(text, "zq7s"); i >= 0 {
			leaks[where] = append(leaks[where], "server: "+text[max(0, i-60):min(len(text), i+40)])
		}
	}
	refs := p.in("argument", true)
	dir := t.TempDir()
	verbs := [][]string{
		{"extract", l.docs()}, {"extract", "--jsonl", l.docs()},
		slices.Concat(in("run", "--log-json"), l.netArgs(0), []string{l.docs()}),
		in("report"), in("report", "--csv", dir+"/a.csv"), in("report", "--csv", dir+"/a.tsv", "--tsv", "--unique"), in("report", "--jsonl", dir+"/a.jsonl"), in("report", "--html", dir+"/a.html"),
		in("report", "--xlsx", dir+"/a.xlsx"), in("report", "--fixes", dir+"/a.fixes"), in("report", "--metrics", dir+"/a.prom"), in("report", "--summary"),
		in("dupes"), in("dupes", "--json"), in("dupes", "--by", "final"), in("store export"), in("store stats"), in("store verify"),
		slices.Concat([]string{"check"}, l.netArgs(0), refs), slices.Concat([]string{"check", "--json"}, l.netArgs(0), refs), slices.Concat([]string{"normalize"}, refs),
	}
	small, list := newLibrary(t, nil), "" // whose store is opened for each reference
	small.rules = l.rules
	for _, r := range refs {
		list += "\n\n\n" + r + "\n"
	}
	small.write("list.txt", list)
	inSmall := func(verb string, args ...string) []string {
		return slices.Concat(strings.Fields(verb), []string{"--store", small.store()}, args)
	}
	verbs = append(verbs, slices.Concat(inSmall("run", "--quiet"), l.netArgs(0), []string{small.docs()}))
	for i, r := range refs { // each of those below gets each intro and each shape: all of them mask alike
		each := [][]string{inSmall("mark", r, "alive", "--why", "seen "+r), {r}, {"--" + r}, {"check", "--connect-to", r, "x:y"}, {"compare", r},
			{"report", "--store", r}, {"extract", r}, {"extract", "--marc-tags", r, l.docs() + "/refs.ris"}, {"run", "--lang", r, "--store", dir + "/x.db", l.docs()}}
		verbs = append(verbs, inSmall("explain", r), each[i%len(each)], each[(i+i/len(each)+1)%len(each)])
	}
	verbs = append(verbs, inSmall("report", "--csv", dir+"/b.csv"), inSmall("store export"))
	done := map[string]int{} // calls that succeeded
	for _, args := range verbs {
		s := call(t.Context(), "", args...)
		look(fmt.Sprintf("%.12s out", strings.Join(args[:min(2, len(args))], " ")), s.out)
		look(fmt.Sprintf("%.7s err", args[0]), s.err)
		if s.code == 0 {
			done[args[0]]++
		}
	}
	if done["explain"] < len(refs)/4 || done["mark"] < len(refs)/18 {
		t.Errorf("of %d references %d are explained and %d marked", len(refs), done["explain"], done["mark"])
	}
	files, _ := filepath.Glob(dir + "/*")
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(f, ".xlsx") {
			b = unzipped(t, b)
		}
		look("file "+filepath.Base(f), string(b))
	}
	for _, where := range slices.Sorted(maps.Keys(leaks)) {
		all := leaks[where]
		slices.Sort(all)
		t.Errorf("%s: %d pieces of passwords, such as\n\t%s", where, len(all), strings.Join(all[:min(len(all), 12)], "\n\t"))
	}
	t.Logf("%d references in %d places, %d calls, succeeded: %v", p.n, p.places, len(verbs), done)
}

var secretPiece = regexp.MustCompile(`zq7n\d{5}[a-z]`)

func setOf(list []string) map[string]bool {
	set := map[string]bool{}
	for _, s := range list {
		set[s] = true
	}
	return set
}

func unzipped(t *testing.T, b []byte) []byte {
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	var all bytes.Buffer
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(&all, r); err != nil {
			t.Fatal(err)
		}
	}
	return all.Bytes()
}

// serveSecrets answers everything with passwords: what is asked over HTTP with a
// redirect or a page, everything else with a line.
func (l *library) serveSecrets(tell func() string) {
	serve := func(answer func(line string) string, greet bool) net.Addr {
		n, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			l.t.Fatal(err)
		}
		l.t.Cleanup(func() { n.Close() })
		go func() {
			for {
				c, err := n.Accept()
				if err != nil {
					return
				}
				go func() {
					defer c.Close()
					buf := make([]byte, 4096)
					if !greet {
						if k, err := c.Read(buf); err == nil {
							io.WriteString(c, answer(string(buf[:k])))
						}
						return
					}
					io.WriteString(c, answer(""))
					c.Read(buf)
				}()
			}
		}()
		return n.Addr()
	}
	web := serve(func(line string) string {
		body := "<title>at " + tell() + "</title>no such page"
		return "HTTP/1.1 404 gone " + tell() + "\r\nContent-Type: text/html; x=" + tell() + "\r\nETag: \"" + tell() + "\"\r\nContent-Length: " + fmt.Sprint(len(body)) + "\r\nConnection: close\r\n\r\n" + body
	}, false)
	other := serve(func(string) string { return "550 see " + strings.Repeat("far ", 110) + tell() + "\r\n" }, true)
	l.rules = append(l.rules, ":80:"+web.String(), "::"+other.String())
}
