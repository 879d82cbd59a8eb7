package markup

import "bytes"

// RawText makes the next token the raw text of an element, if it has some: what
// stands before its end tag, whatever it looks like. It is called at the start tag,
// with a name in lower case, for elements whose text a browser takes so and this
// tokenizer does not: title, noscript, noframes, noembed, iframe.
func (z *Tokenizer) RawText(element string) { z.nextElement = element }

// rawTextElement gives the name of a start tag, in lower case, if its element
// always holds raw text; "" for others.
func rawTextElement(tag []byte) string {
	switch tag[1] | 0x20 {
	case 's', 'x', 'p', 't':
	default:
		return ""
	}
	var buf [NameSize]byte
	switch name := TagName(&buf, tag); string(name) {
	case "script", "style", "xmp", "plaintext", "textarea":
		return string(name)
	}
	return ""
}

// rawText gives where the raw text that begins at i ends: at the end tag of its
// element, or with the page.
func (z *Tokenizer) rawText(i int) int {
	switch z.element {
	case "plaintext":
		for z.fill(len(z.buf)) {
		}
		return len(z.buf)
	case "script":
		return z.script(i)
	}
	for {
		at := z.index(i, '<')
		if at < 0 {
			return len(z.buf)
		}
		if z.endTag(at, z.element) {
			return at
		}
		i = at + 1
	}
}

// endTag says whether the end tag of an element begins at i.
func (z *Tokenizer) endTag(i int, name string) bool {
	return z.has(i, "</") && z.has(i+2, name) && z.nameEnds(i+2+len(name))
}

// nameEnds says whether the name of a tag ends before i.
func (z *Tokenizer) nameEnds(i int) bool { return z.fill(i) && endsName(z.buf[i]) }

// script gives where a script ends. In a comment, and in a script inside one, its
// end tag does not count: HTML section 13.2.5.27 "script data double escaped state".
func (z *Tokenizer) script(i int) int {
	const plain, escaped, double = 0, 1, 2
	state, dashes := plain, 0 // dashes of the comment before i
	for z.fill(i) {
		if state == plain {
			if i = z.index(i, '<'); i < 0 {
				break
			}
			if z.endTag(i, "script") {
				return i
			}
			if i++; z.has(i, "!--") {
				state, dashes, i = escaped, 2, i+3
			}
			continue
		}
		c := z.buf[i]
		switch {
		case c == '-':
			dashes++
			i++
			continue
		case c == '>' && dashes >= 2:
			state = plain
		case c == '<' && state == escaped && z.endTag(i, "script"):
			return i
		case c == '<' && state == double && z.endTag(i, "script"):
			state, i = escaped, i+len("</script")
		case c == '<' && state == escaped && z.has(i+1, "script") && z.nameEnds(i+len("<script")):
			state, i = double, i+len("<script")
		case c != '<':
			i += max(0, bytes.IndexAny(z.buf[i+1:], "<->"))
		}
		dashes = 0
		i++
	}
	return len(z.buf)
}
