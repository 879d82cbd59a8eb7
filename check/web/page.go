package web

import (
	"iter"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/charset"

	"linkcheck/check"
	"linkcheck/check/likeness"
	"linkcheck/internal/markup"
)

const (
	maxTitle = 300 // octets kept
	longWord = 24  // octets from which what stands between two blanks counts as several words
)

// page is what a reader sees of a page.
type page struct {
	head
	text  uint64 // the SimHash of the visible words
	words int    // of the text, about: where words are not parted by blanks, as many as they may be
	look  likeness.Look
}

// head is what a page says beside its text.
type head struct {
	title   string
	refresh string // what the first meta element says that sends the reader elsewhere
}

// page reads the text of an answer, once; it is empty for what is no text.
func (a *answer) page() *page {
	if a.text == nil {
		p, m := new(page), makers.Get().(*maker)
		defer makers.Put(m)
		m.look.Reset()
		m.text = simhash{}
		p.head = a.eachWord(wordSink{endBlock: m.look.EndBlock, word: func(w string, h likeness.Hash, linked bool) {
			m.text.add(h.All)
			m.look.Add(w, h, linked)
			p.words += 1 + len(w)/longWord
		}})
		p.text = m.text.sum()
		m.look.EndBlock()
		m.look.AddText(p.title, true)
		if p.look = m.look.Look(); p.look == nil && len(a.body) > 0 && !a.html() {
			p.look = likeness.LookAtFile(a.body)
		}
		a.text = p
	}
	return a.text
}

// maker makes what is kept of a text.
type maker struct {
	look likeness.Maker
	text simhash
}

// makers are used again, with what they hold.
var makers = sync.Pool{New: func() any { return new(maker) }}

// wordSink takes the visible words of a page in their order, each as likeness.Words
// gives it, and hears where a stretch of text ends.
type wordSink struct {
	word     func(word string, h likeness.Hash, linked bool)
	endBlock func()
}

// wordsTo takes words alone.
func wordsTo(word func(string)) wordSink {
	return wordSink{word: func(w string, _ likeness.Hash, _ bool) { word(w) }, endBlock: func() {}}
}

// eachWord gives the visible words of an answer; the title of a page is none of them.
func (a *answer) eachWord(to wordSink) head {
	switch kind := a.mediaType(); {
	case a.html():
		return readPage(a.utf8(), to)
	case strings.HasPrefix(kind, "text/"):
		for w, h := range likeness.Words(a.utf8()) {
			to.word(w, h, false)
		}
	}
	return head{}
}

// readPage reads an HTML page of any size and nesting, as a browser without
// scripts shows it.
func readPage(text string, to wordSink) (h head) {
	var place outline
	words := func(raw string, references bool) {
		for w, h := range likeness.Words(raw) {
			if !references || !h.Ampersand() {
				to.word(w, h, place.linked())
				continue
			}
			for w, h := range likeness.Words(html.UnescapeString(w)) { // a reference may stand for white space
				to.word(w, h, place.linked())
			}
		}
	}
	at := 0
	for z, name := range tokens(text) {
		raw := text[at : at+len(z.Raw())]
		at += len(raw)
		switch z.Kind() {
		case markup.Text:
			switch z.Element() {
			case "script", "style":
			case "title":
				if h.title == "" {
					h.title = html.UnescapeString(raw)
				}
			case "":
				before, open := strings.CutSuffix(raw, "</") // at the end of a page: a word of its own
				if words(before, true); open {
					words("</", true)
				}
			case "textarea":
				words(raw, true)
			default: // no reference stands in raw text (HTML section 13.1.2)
				words(raw, false)
			}
		case markup.StartTag, markup.CutTag:
			if place.start(name, z.Raw()) {
				to.endBlock()
			}
			if h.refresh == "" && string(name) == "meta" {
				h.refresh = refreshOf(z.Raw())
			}
		case markup.EndTag:
			if place.end(name) {
				to.endBlock()
			}
		}
	}
	h.title = strings.Clone(shorten(check.CleanReply(h.title), maxTitle)) // a part of the text would keep all of it
	return h
}

// tokens takes a page apart, and gives with a tag its name in lower case, if that is
// short; the text of all elements that a browser takes for raw is raw.
func tokens(text string) iter.Seq2[*markup.Tokenizer, []byte] {
	return func(yield func(*markup.Tokenizer, []byte) bool) {
		s := sources.Get().(*source)
		defer sources.Put(s)
		if s.copied = append(s.copied[:0], text...); cap(s.copied) > mostCopied {
			defer func() { s.copied = nil }()
		}
		for z := markup.NewBytesTokenizer(s.copied); z.Next(); {
			var name []byte
			switch z.Kind() {
			case markup.StartTag, markup.CutTag:
				name = markup.TagName(&s.name, z.Raw())
			case markup.EndTag:
				name = markup.TagName(&s.name, z.Raw()[1:])
			}
			if !yield(z, name) {
				return
			}
			if z.Kind() == markup.StartTag {
				switch string(name) {
				case "iframe", "noembed", "noframes", "noscript", "title":
					z.RawText(string(name))
				}
			}
		}
	}
}

// source holds the octets of a page that is taken apart, and the name of its tag at hand.
type source struct {
	copied []byte
	name   [markup.NameSize]byte
}

// sources are used again, but for those of large pages.
var sources = sync.Pool{New: func() any { return new(source) }}

const mostCopied = 64 << 10 // octets

// bodiless says whether an element can stand in a page without a body, or holds raw text.
func bodiless(name []byte) bool {
	switch string(name) {
	case "base", "body", "frame", "frameset", "head", "html", "iframe", "link", "meta", "noembed", "noframes", "noscript", "script", "style", "title":
		return true
	}
	return false
}

// utf8 decodes the body by its declared charset, or by what its first octets say.
// What is plain ASCII needs no decoding, unless it switches charsets by escapes.
func (a *answer) utf8() string {
	kind := a.header.Get("Content-Type")
	if strings.Contains(strings.ToLower(kind), "utf-8") && utf8.ValidString(a.body) || ascii(a.body) {
		return a.body
	}
	enc, name, _ := charset.DetermineEncoding([]byte(a.body[:min(len(a.body), 1024)]), kind)
	if name == "utf-8" {
		return a.body
	}
	text, _ := enc.NewDecoder().String(a.body) // what can be decoded is
	return text
}

// ascii says whether there is nothing but ASCII, without the escapes of ISO 2022.
func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf || s[i] == 0x1b {
			return false
		}
	}
	return true
}

// shorten cuts valid UTF-8 to n octets at most, between characters.
func shorten(s string, n int) string { return strings.ToValidUTF8(s[:min(len(s), n)], "") }

// anchors gives the places of a whole page that fragments name. A page that was cut, or that
// is all head or frames, proves nothing: nil.
func (a *answer) anchors() map[string]bool {
	if !a.html() || a.cut || a.broken != nil {
		return nil
	}
	names, body := map[string]bool{}, false
	for z, name := range tokens(a.utf8()) {
		if z.Kind() != markup.StartTag {
			continue
		}
		body = body || !bodiless(name)
		for _, name := range anchorNames(z.Raw()) {
			names[name] = true
		}
	}
	if !body {
		return nil
	}
	return names
}

// pages counts the pages of a whole PDF; 0: they are not known.
func (p *Prober) pages(a *answer) int {
	const headerWithin = 1024 // octets in which the header of a PDF begins (ISO 32000-1 annex H.3, note 13)
	if p.opt.Pages == nil || a.cut || a.broken != nil || !strings.Contains(a.body[:min(len(a.body), headerWithin)], "%PDF-") {
		return 0
	}
	n, _ := p.opt.Pages([]byte(a.body))
	return n
}

// anchorNames gives the names by which fragments point to an element: its id, and
// name beside an id or on an "a" element.
func anchorNames(tag []byte) (names []string) {
	var buf [markup.NameSize]byte
	anchor := string(markup.TagName(&buf, tag)) == "a"
	for key, value := range markup.Attributes(tag) {
		switch key := string(markup.FoldName(&buf, key)); key {
		case "id", "name":
			names = append(names, markup.UnescapeAttr(string(value)))
			anchor = anchor || key == "id"
		}
	}
	if !anchor {
		return nil
	}
	return names
}
