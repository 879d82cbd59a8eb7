package extract

import "bytes"

// rawText gives where the raw text that begins at i ends: at the end tag of its
// element, or with the page.
func (z *pageTokens) rawText(i int) int {
	switch z.text {
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
		if z.endTag(at, z.text) {
			return at
		}
		i = at + 1
	}
}

// endTag says whether the end tag of an element begins at i.
func (z *pageTokens) endTag(i int, name string) bool {
	return z.has(i, "</") && z.has(i+2, name) && z.delimited(i+2+len(name))
}

// delimited says whether the name of a tag ends before i.
func (z *pageTokens) delimited(i int) bool {
	return z.fill(i) && (htmlSpace(z.buf[i]) || z.buf[i] == '/' || z.buf[i] == '>')
}

// script gives where a script ends. In a comment, and in a script inside one, its
// end tag does not count ("script data double escaped state").
func (z *pageTokens) script(i int) int {
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
		case c == '<' && state == escaped && z.has(i+1, "script") && z.delimited(i+len("<script")):
			state, i = double, i+len("<script")
		case c != '<':
			i += max(0, bytes.IndexAny(z.buf[i+1:], "<->"))
		}
		dashes = 0
		i++
	}
	return len(z.buf)
}
