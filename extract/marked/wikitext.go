package marked

import (
	"bytes"
	"regexp"
	"strings"

	"linkcheck/extract/textscan"
	"linkcheck/internal/ascii"
)

// walkWikitext goes through a block of wikitext (MediaWiki, Help:Links and
// Help:Templates). What stands in <nowiki> and its kin is left out.
func walkWikitext(w *walker) {
	b := w.block
	for i := w.inComment(); i < len(b); {
		if i = w.until(i, "<[{}|'&"); i == len(b) {
			return
		}
		next := i + 1
		switch c := b[i]; {
		case c == '<':
			next = w.wikiTag(i)
		case c == '[':
			next = w.external(i)
		case w.has(i, "{{"):
			w.templates++
			next = w.parameter(i, i+2)
		case w.has(i, "}}"):
			w.templates = max(0, w.templates-1)
			next = i + 2
			w.put(" ", i, next)
		case c == '|' && w.templates > 0:
			next = w.parameter(i, i+1)
		case c == '|':
			w.put(" ", i, next)
		case w.has(i, "''"):
			next = ascii.Skip(b, i, func(c byte) bool { return c == '\'' })
			w.put(" ", i, next)
		case c == '&':
			next = w.reference(i)
		}
		i = next
	}
}

// wikiTag passes over what begins with "<" at i, as far as it is no text.
func (w *walker) wikiTag(i int) int {
	if w.has(i, "<!--") {
		return w.endComment(i, i)
	}
	end := w.tagEnd(i)
	if end == 0 {
		return i + 1
	}
	name := ascii.Lower(w.block[i+1 : ascii.Skip(w.block, i+1, ascii.Letter)])
	switch name {
	case "nowiki", "pre", "syntaxhighlight", "source", "math":
		if w.block[end-2] == '/' {
			break
		}
		if end = w.find(end, "</"+name); end < 0 {
			end = len(w.block)
		}
	}
	w.put(" ", i, end)
	return end
}

// external gives out the link in single brackets at i: "[url text]".
func (w *walker) external(i int) int {
	if w.has(i, "[[") {
		w.put(" ", i, i+2)
		return i + 2
	}
	close := w.closing(i)
	if close < 0 {
		return i + 1
	}
	end := w.run(i+1, " \t\n]<>\"")
	if ends := endOfLink.FindIndex(w.block[i+1 : end]); ends != nil {
		end = i + 1 + ends[0]
	}
	ref := unescape(string(w.block[i+1 : end]))
	if !textscan.IsURI(ref) && (!strings.HasPrefix(ref, "//") || !textscan.DottedHost(ref[2:])) || bytes.IndexByte(w.block[i:close], '\n') >= 0 {
		return i + 1
	}
	w.skip(i, close+1)
	w.link(ref, i+1, end, w.block[end:close])
	return close + 1
}

// parameter gives out the value of a parameter of a template that begins at from, behind
// the mark at i: whole, where it is a URI and nothing else.
func (w *walker) parameter(i, from int) int {
	w.put(" ", i, from)
	to := w.until(from, "|{}[<")
	for w.has(to, "{{!}}") || w.has(to, "{{=}}") {
		to = w.until(to+len("{{!}}"), "|{}[<")
	}
	if n := bytes.Index(w.block[from:to], []byte("]]")); n >= 0 { // the end of a picture
		to = from + n
	}
	if name, _, ok := bytes.Cut(w.block[from:to], []byte{'='}); ok && bytes.IndexByte(name, ':') < 0 {
		from += len(name) + 1
	}
	from = ascii.Skip(w.block[:to], from, ascii.Space)
	value := bytes.TrimRight(w.block[from:to], " \t\r\n")
	if ref := unescape(magicWords.Replace(string(value))); to < len(w.block) && textscan.IsURI(ref) && !endOfLink.Match(value) {
		w.skip(from, from+len(value))
		w.link(ref, from, from+len(value), nil)
		return from + len(value)
	}
	return from
}

// endOfLink are the character references that end an address, as the characters do (MediaWiki,
// Help:Links).
var endOfLink = regexp.MustCompile(`(?i)&(?:lt|gt|nbsp|#0*(?:60|62|160)|#x0*(?:3c|3e|a0));`)

// magicWords stand for the characters that would end a parameter (MediaWiki, Help:Magic words).
var magicWords = strings.NewReplacer("{{!}}", "|", "{{=}}", "=")
