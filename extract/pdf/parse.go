package pdf

import (
	"bytes"
	"slices"
)

const (
	maxNesting = 64      // arrays and dictionaries inside one another
	maxValues  = 1 << 19 // of an object
)

// parser makes objects of tokens. What it gives shares no memory with the octets.
type parser struct {
	lexer
	short  bool // the octets ended within an object, and go on
	values int  // that were read
}

// object gives the next object. A keyword that is none ends what is around it: word is that
// keyword, or "]" or ">>" where nothing was opened, and "" at the end of the octets.
func (p *parser) object(depth int) (v value, word string, ok bool) {
	if p.values++; p.values > maxValues {
		return nil, "", false
	}
	switch t := p.next(); t.kind {
	case tokenNumber:
		return p.reference(t.num), "", true
	case '/':
		return name(t.text), "", true
	case '(':
		return str(slices.Clone(t.text)), "", true
	case '[':
		return p.array(depth + 1), "", true
	case tokenOpen:
		return p.dict(depth + 1), "", true
	case ']':
		return nil, "]", false
	case tokenClose:
		return nil, ">>", false
	case tokenCut:
		p.short = true
	case tokenKeyword:
		switch w := string(t.text); w {
		case "true", "false":
			return w == "true", "", true
		case "null":
			return nil, "", true
		default:
			return nil, w, false
		}
	}
	return nil, "", false
}

// reference is the number f, or the reference "f g R" (ISO 32000-1 section 7.3.10).
func (p *parser) reference(f float64) value {
	if f < 0 || f > maxObject || f != float64(uint32(f)) {
		return f
	}
	back := p.pos
	if g := p.next(); g.kind == tokenNumber && g.num >= 0 && g.num <= 65535 {
		if r := p.next(); r.kind == tokenKeyword && string(r.text) == "R" {
			return ref{uint32(f), uint16(g.num)}
		} else if r.kind == tokenCut {
			p.short = true
		}
	} else if g.kind == tokenCut {
		p.short = true
	}
	p.pos = back
	return f
}

func (p *parser) array(depth int) array {
	a := array{}
	for depth < maxNesting {
		back := p.pos
		v, word, ok := p.object(depth)
		if ok {
			a = append(a, v)
			continue
		}
		if word != "]" && ends(word) {
			p.pos = back
		}
		if word == "]" || ends(word) || p.short {
			break
		}
	}
	return a
}

func (p *parser) dict(depth int) dict {
	d := dict{}
	for depth < maxNesting {
		back := p.pos
		k, word, ok := p.object(depth)
		if !ok {
			if word != ">>" && ends(word) {
				p.pos = back
			}
			if word == ">>" || ends(word) || p.short {
				break
			}
			continue
		}
		key, isName := k.(name)
		if !isName {
			continue // a value without a name, or too many
		}
		back = p.pos
		v, word, ok := p.object(depth)
		if !ok {
			p.pos = back
			if p.short || ends(word) {
				break
			}
			if word != ">>" && word != "]" {
				p.next()
			}
			continue
		}
		if _, twice := d[key]; !twice {
			d[key] = v
		}
	}
	return d
}

// ends says whether a keyword ends every object that is open.
func ends(word string) bool {
	switch word {
	case "", "obj", "endobj", "stream", "endstream", "xref", "trailer", "startxref":
		return true
	}
	return false
}

// header reads "5 0 obj" (section 7.3.10).
func (p *parser) header() (ref, bool) {
	n, g, o := p.next(), p.next(), p.next()
	if n.kind == tokenCut || g.kind == tokenCut || o.kind == tokenCut {
		p.short = true
	}
	if n.kind != tokenNumber || g.kind != tokenNumber || o.kind != tokenKeyword || !bytes.HasPrefix(o.text, []byte("obj")) {
		return ref{}, false
	}
	p.pos -= len(o.text) - 3 // "obj" and a word without a blank between
	if n.num < 0 || n.num > maxObject || g.num < 0 || g.num > 65535 {
		return ref{}, false
	}
	return ref{uint32(n.num), uint16(g.num)}, true
}

// The kinds of objects (ISO 32000-1 section 7.3): nil, bool, float64 for every number, name,
// str, array, dict, ref, *stream.
type (
	value any
	name  string
	str   []byte
	array []value
	dict  map[name]value
	ref   struct {
		num uint32
		gen uint16
	}
)

// stream is a dictionary and the octets behind it, which stand in the file.
type stream struct {
	dict dict
	at   int64 // of its first octet
	size int64
	ref  ref
}

// integer is v as a whole number; 0 for what is none.
func integer(v value) int {
	f, _ := v.(float64)
	if !(f >= -1<<53 && f <= 1<<53) {
		return 0
	}
	return int(f)
}

func number(v value, otherwise float64) float64 {
	if f, ok := v.(float64); ok {
		return f
	}
	return otherwise
}

// sizeOf is about how many octets of memory v takes.
func sizeOf(v value) int {
	n := 32
	switch v := v.(type) {
	case name:
		n += len(v)
	case str:
		n += len(v)
	case array:
		for _, x := range v {
			n += sizeOf(x)
		}
	case dict:
		for k, x := range v {
			n += 2*len(k) + 32 + sizeOf(x)
		}
	case *stream:
		n += sizeOf(v.dict)
	}
	return n
}
