package page

import (
	"bytes"
	"slices"
	"strings"

	"linkcheck/extract/dates"
	"linkcheck/extract/doc"
	"linkcheck/internal/ascii"
	"linkcheck/internal/markup"
	"linkcheck/uri"
	"linkcheck/uri/secret"
)

const baseWindow = 32 << 10 // where <base> is looked for before the page is read

// setBase finds the first <base href>, which counts for what stands before it too.
func (p *page) setBase() {
	head, _ := p.d.In.Peek(baseWindow)
	if !hasTag(head, "base") {
		return
	}
	for z := markup.NewBytesTokenizer(head); z.Next(); {
		if z.Kind() != markup.StartTag || !hasTag(z.Raw(), "base") {
			continue
		}
		for tag, i := z.Raw(), len("<base"); i < len(tag) && tag[i] != '>'; {
			name, value, _, next := markup.NextAttr(tag, i)
			if i = next; len(value) > 0 && bytes.EqualFold(name, []byte("href")) {
				if b, cut := p.d.Cut(p.line, "base", doc.Resolve(p.d.Base, cleanRef(markup.UnescapeAttr(string(value))))); b != "" && !cut {
					p.d.Base = b
				}
				return
			}
		}
	}
}

// hasTag says whether the start tag of an element stands in b.
func hasTag(b []byte, name string) bool {
	for {
		i := bytes.IndexByte(b, '<')
		if i < 0 || len(b) < i+len(name)+2 {
			return false
		}
		b = b[i+1:]
		if c := b[len(name)]; bytes.EqualFold(b[:len(name)], []byte(name)) && (c == '/' || c != '\v' && ascii.Space(c)) {
			return true
		}
	}
}

// place sets line and column of the token at hand.
func (p *page) place() { p.line, p.col = p.z.Place() }

// locate gives line and column of an offset in the token at hand.
func (p *page) locate(off int) (int, int) { return p.at.At(min(off, len(p.token))) }

// ref gives out one reference; base is what it is relative to. It says whether what
// stands behind it in the token was read as markup.
func (p *page) ref(t tag, a attr, base string) (swallowed bool) {
	a, rest := p.cutUnclosed(a)
	p.reference(t, a, base)
	return rest > 0 && p.readSwallowed(rest)
}

// longValue is the length from which a value does not stay in memory for a part of it.
const longValue = 4 << 10

// apart gives a part of a value that does not keep the rest in memory: links wait in
// batches, and the value of an attribute may be a megabyte.
func apart(part, value string) string {
	if len(value) > longValue && len(part) < len(value)/2 {
		return strings.Clone(part)
	}
	return part
}

func (p *page) reference(t tag, a attr, base string) {
	ref := apart(cleanRef(a.value), a.value)
	scheme := doc.SchemeOf(ref)
	if ref == "" || ref[0] == '#' || unfollowed(scheme) {
		return
	}
	lead := ascii.Skip(a.raw, 0, htmlBlank)
	line, col := p.locate(a.off + lead)
	f := doc.Found{URI: ref, Raw: apart(trimEnd(a.raw[lead:], htmlBlank), a.raw), Scheme: scheme, Line: line, Column: col, How: a.name, Context: t.alt}
	if scheme == "" {
		f.URI = doc.Resolve(base, ref)
	}
	if a.name == "href" && t.copyOf != "" {
		f.CopyOf = t.copyOf
		dates.Give(&f, t.copied, dates.Robust)
	}
	f.Leads, f.NoFollow = t.leads(a)
	f.Torn = a.torn || p.torn(a, f.URI)
	if p.howOverride != "" {
		f.How = p.howOverride
	}
	p.pending = append(p.pending, f)
	if t.name != "a" && !p.inLink || len(p.pending) > maxPending {
		p.releasePending()
	}
}

// torn says whether a password begins in an attribute and goes on behind it, as one with a
// blank does where the value has no quotes: what stands in it is no reference then.
func (p *page) torn(a attr, ref string) bool {
	end := a.off + len(a.raw)
	if end > len(p.token) || !endsSecret(p.token[end:]) || !secret.CutAt(p.token[a.off:min(len(p.token), end+secret.Reach)], len(a.raw)) {
		return false
	}
	_, err := uri.Parse(ref)
	return err != nil
}

// endsSecret says whether a secret may end in a short text: what is long has to be looked at.
func endsSecret(text []byte) bool {
	const short = 32
	return len(text) > short || slices.ContainsFunc(text, secret.Ends)
}

// cutUnclosed cuts a value whose closing quote is missing at the end of its tag.
// What the value swallowed begins at the offset given; 0 for nothing. A ">" right
// before the closing quote belongs to the value.
func (p *page) cutUnclosed(a attr) (attr, int) {
	end := strings.IndexByte(a.raw, '>')
	if behind := a.off + len(a.raw); end+1 == len(a.raw) && behind < len(p.token) && (p.token[behind] == '"' || p.token[behind] == '\'') {
		return a, 0
	}
	if end <= 0 || end+1 < len(a.raw) && strings.IndexByte(a.raw[end:], '<') < 0 || strings.IndexByte(a.raw[:end], '<') >= 0 {
		return a, 0
	}
	a.raw = a.raw[:end]
	a.value = markup.UnescapeAttr(a.raw)
	return a, a.off + end + 1
}

// readSwallowed reads the rest of the token at hand, from off, as markup.
func (p *page) readSwallowed(off int) bool {
	line, col := p.locate(off)
	return p.nested(p.token[off:], line, col, p.howOverride)
}

const maxPending = 64

// unfollowed says whether references of a scheme name nothing to look up.
func unfollowed(scheme string) bool {
	switch scheme {
	case "javascript", "vbscript", "data", "about", "clsid":
		return true
	}
	return false
}

// trimEnd cuts off what stands at the end of s and is in the class.
func trimEnd(s string, class func(c byte) bool) string {
	for len(s) > 0 && class(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	return s
}

// cleanRef undoes what happened to a reference inside its attribute: blanks
// around it, line breaks and what indents the next line, NULs, a stray quote.
// Blanks that are left and octets that are not ASCII are escaped.
func cleanRef(s string) string {
	outside := func(c byte) bool { return c == 0 || htmlBlank(c) }
	s = strings.TrimRight(trimEnd(s[ascii.Skip(s, 0, outside):], outside), "\"")
	if ascii.Skip(s, 0, func(c byte) bool { return c > ' ' && c < 0x80 }) == len(s) {
		return s
	}
	blank := func(c byte) bool { return c == 0 || ascii.Space(c) }
	var b strings.Builder
	for s != "" {
		n := ascii.Skip(s, 0, func(c byte) bool { return !blank(c) })
		end := ascii.Skip(s, n, blank)
		b.WriteString(s[:n])
		front := b.String()
		scheme := strings.HasSuffix(front, ":") && len(doc.SchemeOf(front)) == len(front)-1
		if gap := s[n:end]; !strings.ContainsAny(gap, "\r\n\x00") && !strings.HasSuffix(front, "://") && !scheme {
			b.WriteString(strings.Repeat("%20", len(gap)))
		}
		s = s[end:]
	}
	return doc.EscapeOctets(b.String())
}
