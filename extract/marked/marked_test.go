package marked_test

import (
	"slices"
	"testing"

	"linkcheck/extract/doc"
	"linkcheck/extract/extracttest"
)

type testCase struct {
	section, text string
	want          []string // line:column how uri
}

func run(t *testing.T, file string, o doc.Options, cases []testCase) {
	t.Helper()
	for _, c := range cases {
		if got := extracttest.Rows(file, c.text, o); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q:\n got %q\nwant %q", c.section, c.text, got, c.want)
		}
	}
}

func TestTeX(t *testing.T) {
	run(t, "a.tex", doc.Options{}, []testCase{
		{"url 1", `\url{http://h.example/a_b}`, []string{"1:6 markup http://h.example/a_b"}},
		{"url 1, blanks are ignored", "\\url{http://h.example/a/\n  b}", []string{"1:6 markup http://h.example/a/b"}},
		{"url 1, other delimiters", `\url|http://h.example/a|`, []string{"1:6 markup http://h.example/a"}},
		{"hyperref 4, href", `\href{http://h.example/\~{}a\#b}{http://h.example/}`, []string{`1:7 markup http://h.example/~a#b`}},
		{"hyperref 4, href with options", `\href[page=2]{a.pdf}{text}`, []string{"1:15 markup (a.pdf)"}},
		{"hyperref 4, href without a text", `\href{http://h.example/a}`, []string{"1:7 markup http://h.example/a"}},
		{"LaTeX2HTML", `\htmladdnormallink{text}{ftp://h.example/a}`, []string{"1:26 markup ftp://h.example/a"}},
		{"escapes in text", `\texttt{http://h.example/\~{}a\_b\%20\&c\#d}`, []string{"1:9 bare http://h.example/~a_b%20&c#d"}},
		{"tilde of mathematics", `{\tt http://h.example/$\sim$a/}`, []string{"1:6 bare http://h.example/~a/"}},
		{"places where lines break", `http://h.example/a\-b/\allowbreak c\discretionary{}{}{}d`, []string{"1:1 bare http://h.example/ab/cd"}},
		{"a tie is a blank", `http://h.example/a~and http://h.example/~b`, []string{"1:1 bare http://h.example/a", "1:24 bare http://h.example/~b"}},
		{"blanks end the name of a command", `http://h.example/\textasciitilde a/`, []string{"1:1 bare http://h.example/~a/"}},
		{"line end", `http://h.example/a\\ b`, []string{"1:1 bare http://h.example/a"}},
		{"comment", "a % http://h.example/a\nhttp://h.example/50\\%", []string{"2:1 bare http://h.example/50%"}},
		{"verbatim", "\\begin{verbatim}\nhttp://h.example/\n\n\\end{verbatim}\nhttp://h.example/a", []string{"5:1 bare http://h.example/a"}},
		{"definitions", `\newcommand{\a}[1]{\url{http://h.example/#1}} \def\b#1{http://h.example/#1} http://h.example/c`, []string{"1:77 bare http://h.example/c"}},
		{"mail address", `\url{a@h.example} \href{mailto:a@h.example}{b}`, []string{"1:25 markup mailto:a@h.example"}},
		{"url 1, path", `\path{/usr/a} \path{http://h.example/a_b}, c`, []string{"1:21 bare http://h.example/a_b"}},
		{"an unknown macro", `\url{http://h.example/\version/a}`, nil},
		{"never closed", `\url{http://h.example/a`, []string{"1:6 bare http://h.example/a"}},
	})
	if got := extracttest.Rows("paper", "% made by hand\n\\documentclass{a}\n\\url{http://h.example/}", doc.Options{}); len(got) != 1 {
		t.Errorf("not recognised: %q", got)
	}
}

func TestTexinfo(t *testing.T) {
	run(t, "a.texi", doc.Options{}, []testCase{
		{"12.1 uref", "@uref{http://h.example/a,b} @url{mailto:a@@h.example}", []string{"1:7 markup http://h.example/a", "1:34 markup mailto:a@h.example"}},
		{"12.1 uref over a line end", "@uref{http://h.example/a,\nb} c", []string{"1:7 markup http://h.example/a"}},
		{"10.1 characters", "http://h.example/a@@b@comma{}c", []string{"1:1 bare http://h.example/a@b,c"}},
		{"10.2 places where words break", "http://h.example/a@/b@-c", []string{"1:1 bare http://h.example/abc"}},
		{"2.2 comment", "a @c http://h.example/a\n@c http://h.example/b", []string{"1:6 bare http://h.example/a"}},
		{"2.2 ignore", "@ignore\nhttp://h.example/a\n@end ignore\n@samp{http://h.example/b}", []string{"4:7 bare http://h.example/b"}},
		{"9.1 image", "@image{http://h.example/a,,,b,png}", nil},
		{"never closed", "@url{http://h.example/a", []string{"1:6 bare http://h.example/a"}},
	})
	if got := extracttest.Rows("manual", "\\input texinfo\n@url{http://h.example/,a}", doc.Options{}); len(got) != 1 {
		t.Errorf("not recognised: %q", got)
	}
}

func TestManual(t *testing.T) {
	const title = ".TH A 1\n"
	run(t, "a.1", doc.Options{}, []testCase{
		{"groff_man UR", title + ".UR http://h.example/a\\-b\ntext\n.UE .", []string{"2:5 markup http://h.example/a-b"}},
		{"groff_man UR for MT", title + ".UR a.b@h.example\nA\n.UE\n.UR a@h.example/\nB\n.UE\n.UR mailto:a@h.example\n.UR @x/a@h.example\n.UR a@b",
			[]string{"5:5 markup (a@h.example/)", "8:5 markup mailto:a@h.example", "9:5 markup (@x/a@h.example)"}},
		{"mdoc Lk", ".Dd May\n.Lk http://h.example/a \"a b\" .\n.%U http://h.example/b", []string{"2:5 markup http://h.example/a", "3:5 markup http://h.example/b"}},
		{"man I", title + ".IR http://h.example/a .", []string{"2:5 bare http://h.example/a"}},
		{"groff 5.19 escapes", title + `<http://h.example/\:a\-b\(tic>, \fBhttp://h.example/\fP \%http://h.example/\[u7E]d\&.`,
			[]string{"2:2 bracket http://h.example/a-b~c", "2:36 bare http://h.example/", "2:59 bare http://h.example/~d"}},
		{"groff 5.1.7 a line that goes on", title + "http://h.example/a\\c\nb.html", []string{"2:1 bare http://h.example/ab.html"}},
		{"another line", title + "http://h.example/a/\nb.html", []string{"2:1 bare http://h.example/a/"}},
		{"groff 5.1.6 comments", ".\\\" http://h.example/a\n" + title + "a \\\" http://h.example/b", nil},
		{"no manual", ".a http://h.example/a\\-b", []string{"1:4 bare http://h.example/a"}},
	})
}

func TestWikitext(t *testing.T) {
	run(t, "a.wiki", doc.Options{}, []testCase{
		{"Help:Links", "[http://h.example/a text] [[Page|http]]", []string{"1:2 markup http://h.example/a"}},
		{"Help:Links, the text is not searched", "[http://h.example/a http://h.example/b]", []string{"1:2 markup http://h.example/a"}},
		{"Help:Links, same scheme", "[//h.example/a b] [//no host]", []string{"1:2 markup (//h.example/a)"}},
		{"Help:Templates", "{{cite web|url=http://h.example/a.|title=b}}", []string{"1:16 markup http://h.example/a."}},
		{"Help:Images, in a template", "{{a|b=[[File:c.jpg|link=http://h.example/a]]}}", []string{"1:25 markup http://h.example/a"}},
		{"Help:Templates, nested", "{{a | b = {{c | http://h.example/a }} | d=http://h.example/b}}", []string{"1:17 markup http://h.example/a", "1:43 markup http://h.example/b"}},
		{"Help:Tables", "{|\n|http://h.example/a||http://h.example/b\n|}", []string{"2:2 bare http://h.example/a", "2:22 bare http://h.example/b"}},
		{"Help:Formatting", "''http://h.example/a''<br>http://h.example/b<ref>http://h.example/c</ref>",
			[]string{"1:3 bare http://h.example/a", "1:27 bare http://h.example/b", "1:50 bare http://h.example/c"}},
		{"Help:Formatting, nowiki", "<nowiki>[http://h.example/a b]</nowiki>http://h.example/c", []string{"1:40 bare http://h.example/c"}},
		{"comment", "a<!-- http://h.example/a\n\nb --> http://h.example/c", []string{"3:7 bare http://h.example/c"}},
		{"Help:Magic words", "{{a|url=http://h.example/a{{!}}b?c{{=}}d}}", []string{"1:9 markup http://h.example/a|b?c=d"}},
		{"Help:Links, a blank by its name", "[http://h.example/a&nbsp;b c] {{a|url=http://h.example/d&nbsp;e}}", []string{"1:2 markup http://h.example/a", "1:39 url-prefix http://h.example/d"}},
		{"character references", "[http://h.example/?a&amp;b c] http://h.example/?d&amp;e", []string{"1:2 markup http://h.example/?a&b", "1:31 bare http://h.example/?d&e"}},
	})
}

func TestAsciiDoc(t *testing.T) {
	run(t, "a.adoc", doc.Options{}, []testCase{
		{"a bracket in a label", "http://h.example/a[A [4\\]] http://h.example/b[B [4]]", []string{"1:1 markup http://h.example/a", "1:28 markup http://h.example/b"}},
		{"literal monospace", "+http://h.example/a/+ and +http://h.example/b+, http://h.example/c++ +\nx http://h.example/?q=+d+", []string{"1:2 bare http://h.example/a/", "1:28 bare http://h.example/b", "1:49 bare http://h.example/c++", "2:3 bare http://h.example/?q=+d+"}},
		{"literal monospace that ends in a brace", "`+http://h.example/a?x={b}+`", []string{"1:3 bare http://h.example/a?x={b}"}},
		{"footnotes", "http://h.example/a.footnote:[Also http://h.example/b.]", []string{"1:1 bare http://h.example/a", "1:35 bare http://h.example/b"}},
		{"two line titles", "The title\n---------\nhttp://h.example/a[A]\n\n.Listing\n-----\nhttp://h.example/b[B]\n-----\nhttp://h.example/c[C]",
			[]string{"3:1 markup http://h.example/a", "7:1 bare http://h.example/b[B]", "9:1 markup http://h.example/c"}},
		{"URL macro", "https://h.example/a[text\nof two lines]", []string{"1:1 markup https://h.example/a"}},
		{"Link macro", "link:a.html[b] link:++https://h.example/a[b]++[c]", []string{"1:6 markup (a.html)", "1:23 markup https://h.example/a[b]"}},
		{"Mailto macro", "mailto:a@h.example[b]", []string{"1:1 markup mailto:a@h.example"}},
		{"Autolinks", "https://h.example/a, <https://h.example/b>", []string{"1:1 bare https://h.example/a", "1:23 bracket https://h.example/b"}},
		{"Document attributes", ":u: https://h.example/a\n\n{u}/b[c] link:{u}/d[e] {U}",
			[]string{"1:5 bare https://h.example/a", "3:1 markup https://h.example/a/b", "3:15 markup https://h.example/a/d", "3:24 bare https://h.example/a"}},
		{"Document attributes with a label", ":u: link:https://h.example/a[b c]\n\nThe {u} is", []string{"1:10 markup https://h.example/a"}},
		{"Document attributes in others", ":u: https://h.example/a\n:v: {u}/b\n\nlink:{v}/c[d]",
			[]string{"1:5 bare https://h.example/a", "2:5 bare https://h.example/a/b", "4:6 markup https://h.example/a/b/c"}},
		{"literal monospace in monospace", "`+https://h.example/a+`", []string{"1:3 bare https://h.example/a"}},
		{"Images, quoted", ":u: https://h.example/a\n\nimage:{u}.png[b, link=\"{u}/c\"] image:{u}.png[b,link=none]",
			[]string{"1:5 bare https://h.example/a", "3:7 markup https://h.example/a.png", "3:24 markup https://h.example/a/c", "3:38 markup https://h.example/a.png"}},
		{"Images", "image::https://h.example/a.png[b, link=https://h.example/c]", []string{"1:8 markup https://h.example/a.png", "1:40 markup https://h.example/c"}},
		{"Comments", "// https://h.example/a\n////\nhttps://h.example/b\n////\nhttps://h.example/c", []string{"5:1 bare https://h.example/c"}},
		{"Listing blocks", "----\nhttps://h.example/a[b]\n\n----", []string{"2:1 bare https://h.example/a[b]"}},
	})
	run(t, "a.adoc", doc.Options{NoCode: true}, []testCase{
		{"Listing blocks", "----\nhttps://h.example/a\n----\nhttps://h.example/b", []string{"4:1 bare https://h.example/b"}},
	})
}

func TestRST(t *testing.T) {
	run(t, "a.rst", doc.Options{}, []testCase{
		{"Embedded URIs", "`a <http://h.example/a>`_ `b <http://h.example/\n  b>`__ `c <d_>`_ `e <f.html>`_",
			[]string{"1:5 markup http://h.example/a", "1:31 markup http://h.example/b", "2:23 markup (f.html)"}},
		{"Interpreted text", ":doc:`a <b.html>`", nil},
		{"External targets", ".. _a: http://h.example/a\n.. _`b: c`: http://h.example/b\n.. _d: a_\n.. _e:\n", []string{"1:8 markup http://h.example/a", "2:13 markup http://h.example/b"}},
		{"External targets, long", ".. _a: http://h.example/a/\n   b.html\nc", []string{"1:8 markup http://h.example/a/b.html"}},
		{"Anonymous targets", ".. __: http://h.example/a\n__ http://h.example/b", []string{"1:8 markup http://h.example/a", "2:4 markup http://h.example/b"}},
		{"Escaping", `http://h.example/a\_b`, []string{"1:1 bare http://h.example/a_b"}},
		{"Grid Tables, under a title", "Title http://h.test/z\n---\n+---+---+\n|`a | b |\n|<c:|http://h.test/d|\n+---+---+\n|http://h.test/e/|\n+---+---+\nhttp://h.test/f",
			[]string{"1:7 bare http://h.test/z", "5:6 bare http://h.test/d", "7:2 bare http://h.test/e/", "9:1 bare http://h.test/f"}},
		{"Grid Tables", "+------+------------------+------------------+\n| é  a | `b <http://h.    | http://h.test/c  |\n|      |   test/a>`_      | http://h.test/d  |\n+======+==================+==================+\n| spans, http://h.test/e  | `f`_             |\n|                         +------------------+\n| `g <http://h.test/      | http://h.test/h  |\n| g>`__                   |                  |\n+------+------------------+------------------+\n",
			[]string{"2:15 markup http://h.test/a", "2:30 bare http://h.test/c", "3:29 bare http://h.test/d", "5:10 bare http://h.test/e", "7:7 markup http://h.test/g", "7:29 bare http://h.test/h"}},
		{"Grid Tables, indented", "  +-----------+---+\n  |`a <http://|x  |\n  |h.test/a>`_|y  |\n  +-----------+---+", []string{"2:8 markup http://h.test/a"}},
		{"no grid", "+--+\n| http://h.example/a\nhttp://h.example/b |", []string{"2:3 bare http://h.example/a", "3:1 bare http://h.example/b"}},
		{"Inline literals", "``http://h.example/a\\_b``", []string{`1:3 bare http://h.example/a`}},
	})
}

func TestPhones(t *testing.T) {
	run(t, "a.md", doc.Options{}, []testCase{{"RFC 3966", "[a](tel:+4712345678) [b](sms:+4712345678), tel:+4712345678", []string{"1:5 markup tel:+4712345678", "1:26 markup sms:+4712345678"}}})
}

func TestTagsBeginIt(t *testing.T) {
	run(t, "readme.md", doc.Options{}, []testCase{
		{"a heading of HTML", "<h1 align=center>A</h1>\n\n[a](b.md)", []string{"3:5 markup (b.md)"}},
		{"a whole page", "<!DOCTYPE html><a href='a.html'>[a](b.md)</a>", []string{"1:25 href (a.html)"}},
	})
}

func TestMarkdown(t *testing.T) {
	run(t, "a.md", doc.Options{}, []testCase{
		{"6.3", `[a](http://h.example/b "c") [d](<http://h.example/e f>) [g]() [h](#i) [j](k.md)`,
			[]string{"1:5 markup http://h.example/b", "1:34 markup http://h.example/e%20f", "1:75 markup (k.md)"}},
		{"6.3, parentheses", `[a](http://h.example/b_(c)) [d](http://h.example/e\))`, []string{"1:5 markup http://h.example/b_(c)", "1:33 markup http://h.example/e)"}},
		{"6.3, the text is not searched", "[http://h.example/a](http://h.example/b)", []string{"1:22 markup http://h.example/b"}},
		{"6.4", "[![a](http://h.example/b.png)](http://h.example/c)", []string{"1:7 markup http://h.example/b.png", "1:32 markup http://h.example/c"}},
		{"4.7", "[a]: http://h.example/b 'c'\n[d]: <e.md>\n[f]: a word\n[^1]: http://h.example/g", []string{"1:6 markup http://h.example/b", "2:7 markup (e.md)", "4:7 bare http://h.example/g"}},
		{"6.5", "<http://h.example/a> <a@h.example> <mailto:a@h.example>", []string{"1:2 bracket http://h.example/a", "1:37 bracket mailto:a@h.example"}},
		{"2.4, 2.5", `[a](http://h.example/b\_c?d&amp;e) http://h.example/f\_g?h&amp;i`, []string{"1:5 markup http://h.example/b_c?d&e", "1:36 bare http://h.example/f_g?h&i"}},
		{"2.5, without a semicolon", "[a](http://h.example/b?c&copy=d) http://h.example/e?f&lt=g", []string{"1:5 markup http://h.example/b?c&copy=d", "1:34 bare http://h.example/e?f&lt=g"}},
		{"tags of templates", "{{% a %}}http://h.example/b{{% /a %}} http://h.example/c{% d %} {{< e src=\"http://h.example/f\" >}}",
			[]string{"1:10 bare http://h.example/b", "1:39 bare http://h.example/c", "1:76 bracket http://h.example/f"}},
		{"6.1", "`[a](http://h.example/b)` ``[c](d.md) ` ``", []string{"1:6 bare http://h.example/b"}},
		{"4.5", "```\n[a](http://h.example/b)\n\n~~~\n```\n[c](d.md)", []string{"2:5 bare http://h.example/b", "6:5 markup (d.md)"}},
		{"4.4", "a\n\n    [b](c.md)\n\n- d\n\n    [e](f.md)", []string{"7:9 markup (f.md)"}},
		{"6.6", `<a href="b.html">c</a> <img src='http://h.example/d'>`, []string{"1:10 href (b.html)", "1:34 src http://h.example/d"}},
		{"comments", "<!-- http://h.example/a\n\n--> http://h.example/b", []string{"3:5 bare http://h.example/b"}},
		{"ignored", "[a](http://h.example/b) http://h.example/c <!-- linkcheck-ignore -->\nhttp://h.example/d", []string{"2:1 bare http://h.example/d"}},
	})
	run(t, "a.md", doc.Options{NoCode: true}, []testCase{
		{"4.5, 4.4, 6.1", "```\nhttp://h.example/b\n```\n`http://h.example/c`\n\n    http://h.example/d\n\nhttp://h.example/e", []string{"8:1 bare http://h.example/e"}},
	})
	run(t, "a.md", doc.Options{Comments: true}, []testCase{
		{"comments", "<!-- http://h.example/a -->", []string{"1:6 comment http://h.example/a"}},
	})
}

func FuzzDocument(f *testing.F) {
	for _, s := range []string{
		`\url{http://h.example/\~{}a} \href[b]{c}{d} $\sim$ \begin{verbatim}`, "{{a|url=http://h.example/}} [//h.example b] <!-- c", "[a]",
		":u: http://h.example/\n\n{u}[b] link:++c++[d]\n----\n", "+-+--+\n|a|`b|\n| |<http://h.example/>`_|\n+-+--+", "`a <http://h.example/\n>`_\n.. _b: c\n   d\n``e", "link:+++[]0", "@url{a@@b,c} @c d\n@ignore\n", ".TH a\n.UR http://h.example/\\:\\[ti]\\fBa\\c\n.b", "[![a](b)](c \"d\")\n[e]: <f>\n```\n    g `h`",
	} {
		for language := range languages {
			f.Add(uint8(language), []byte(s))
		}
	}
	f.Fuzz(func(t *testing.T, language uint8, data []byte) {
		extracttest.Laws(t, "a", data, doc.Options{Input: languages[int(language)%len(languages)], Base: "http://h.example/"})
	})
}

var languages = []string{"latex", "wikitext", "asciidoc", "rst", "markdown", "texinfo", "manual"}
