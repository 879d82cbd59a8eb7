package marked

import (
	"bytes"

	"linkcheck/extract/doc"
)

// language is how one of them is read.
type language struct {
	walk   func(w *walker)                  // through the block at hand
	fenced func(line, before []byte) *fence // what begins at a line, behind another of its block, and is no markup; nil: nothing
}

// fence is a stretch of lines that is no markup.
type fence struct {
	ends   func(line []byte) bool
	hidden bool // nobody sees what is inside
}

// SniffTeX recognises LaTeX by its name or by the command that it begins with, behind
// comments.
func SniffTeX(p doc.Peek) bool {
	if p.Named(".tex", ".latex", ".ltx") {
		return !p.Binary()
	}
	head := p.Text()
	for len(head) > 0 && head[0] == '%' {
		_, head, _ = bytes.Cut(head, []byte{'\n'})
		head = bytes.TrimLeft(head, " \t\r\n")
	}
	return doc.Peek{Head: head}.Begins(`\documentclass`, `\documentstyle`)
}

// SniffWikitext recognises wikitext by its name.
func SniffWikitext(p doc.Peek) bool { return named(p, ".wiki", ".wikitext", ".mediawiki", ".mw") }

// SniffAsciiDoc recognises AsciiDoc by its name.
func SniffAsciiDoc(p doc.Peek) bool { return named(p, ".adoc", ".asciidoc") }

// SniffRST recognises reStructuredText by its name.
func SniffRST(p doc.Peek) bool { return named(p, ".rst", ".rest") }

// SniffMarkdown recognises Markdown by its name.
func SniffMarkdown(p doc.Peek) bool { return named(p, ".md", ".markdown", ".mkd", ".mdown") }

// named says whether a document has one of some names. Tags may begin it (many a README
// begins with <h1> or <p>), but not those of a whole page.
func named(p doc.Peek, names ...string) bool {
	return p.Named(names...) && !p.Binary() && !doc.Peek{Head: bytes.ToLower(p.Head)}.TextBegins("<?xml", "<!doctype", "<html", "<head")
}

// ReadTeX reads LaTeX.
func ReadTeX(d *doc.Document) error { return read(d, language{walkTeX, texFence}) }

// ReadWikitext reads the text of a wiki page.
func ReadWikitext(d *doc.Document) error { return read(d, language{walkWikitext, nil}) }

// ReadAsciiDoc reads AsciiDoc.
func ReadAsciiDoc(d *doc.Document) error { return read(d, language{walkAsciiDoc, asciiDocFence}) }

// ReadRST reads reStructuredText.
func ReadRST(d *doc.Document) error { return read(d, language{walkRST, nil}) }

// ReadMarkdown reads Markdown.
func ReadMarkdown(d *doc.Document) error { return read(d, language{walkMarkdown, markdownFence}) }
