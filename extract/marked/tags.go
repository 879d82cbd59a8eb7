package marked

import (
	"bytes"
	"regexp"

	"golang.org/x/net/html"

	"linkcheck/extract/doc"
	"linkcheck/extract/textscan"
	"linkcheck/internal/ascii"
	"linkcheck/internal/markup"
)

// inComment passes over the rest of a comment that the block begins in, and says where
// to go on.
func (w *walker) inComment() int {
	if !w.comment {
		return 0
	}
	return w.endComment(0, 0)
}

// endComment passes over a comment of HTML that begins at i; it is looked for its end from
// behind on.
func (w *walker) endComment(i, behind int) int {
	end := w.find(behind, "-->")
	w.comment = end < 0
	if end < 0 {
		end = len(w.block)
	} else {
		end += len("-->")
	}
	w.hide(i, end)
	return end
}

// hide passes over a comment; where comments are asked for, its links are given.
func (w *walker) hide(i, end int) {
	w.skip(i, end)
	if w.d.Options.Comments {
		w.text.Flush()
		line, column := w.cursor.At(i)
		textscan.Scan(w.d, w.block[i:end], line, column, func(f doc.Found) bool { f.How = "comment"; return w.found(f) })
	}
}

// reference gives out what the character reference at i stands for, and says where to go on.
func (w *walker) reference(i int) int {
	n := markup.ReferenceEnd(string(w.block[i:min(len(w.block), i+maxReference)]))
	if ref := string(w.block[i : i+n]); unescape(ref) != ref {
		w.put(unescape(ref), i, i+n)
	}
	return i + max(n, 1)
}

// unescape undoes character references. These languages know none without a semicolon, as
// pages do (CommonMark section 2.5): "&copy=1" is a value of a query.
func unescape(s string) string { return references.ReplaceAllStringFunc(s, html.UnescapeString) }

var references = regexp.MustCompile(`&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});`)

const maxReference = 40 // bytes of a character reference

// tagEnd is where the tag ends that begins at i, 0 where there is none.
func (w *walker) tagEnd(i int) int {
	b := w.block[i:min(len(w.block), i+maxReach)]
	name := 1
	if len(b) > 1 && b[1] == '/' {
		name = 2
	}
	n := ascii.Skip(b, name, ascii.Alnum)
	if n == name || n == len(b) || n < len(b) && b[n] != '>' && b[n] != '/' && !ascii.Space(b[n]) {
		return 0
	}
	if end := bytes.IndexByte(b, '>'); end > 0 {
		return i + end + 1
	}
	return 0
}

// tag gives out the links of the tag of HTML that stands at i to end.
func (w *walker) tag(i, end int) {
	if bytes.IndexByte(w.block[i:end], '=') < 0 {
		w.put(" ", i, end)
		return
	}
	w.skip(i, end)
	w.text.Flush()
	line, column := w.cursor.At(i)
	w.d.Fragment(w.block[i:end], func(f doc.Found) {
		if f.Line == 1 {
			f.Column += column - 1
		}
		f.Line += line - 1
		w.found(f)
	}).Nest("html")
}
