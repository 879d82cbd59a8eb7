package z3950

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

const (
	maxQuery   = 4 << 10 // octets
	deepestPQF = 50      // operators inside one another
)

// operators are the Boolean ones, by their tags (Z39.50-1995 appendix 3, Operator).
var operators = map[string]int{"@and": 0, "@or": 1, "@not": 2}

// pqf is a query in prefix notation that is read.
type pqf struct{ rest string }

// parsePQF makes the RPN of a query in the prefix notation of YAZ, as far as it is
// @and, @or, @not, @attr with numbers, and terms. What is quoted is one term.
func parsePQF(query string) ([]byte, error) {
	if len(query) > maxQuery {
		return nil, fmt.Errorf("a query of more than %d octets", maxQuery)
	}
	p := &pqf{strings.TrimSpace(query)}
	rpn, err := p.structure(nil, 0)
	if err == nil && p.rest != "" {
		err = fmt.Errorf("behind the query stands %.40q", p.rest)
	}
	return rpn, err
}

// structure reads an operator with what it combines, or a term. Attributes before an
// operator hold for all that it combines.
func (p *pqf) structure(attributes []byte, depth int) ([]byte, error) {
	word, quoted, err := p.word()
	switch tag, operator := operators[word]; {
	case err != nil:
		return nil, err
	case depth > deepestPQF:
		return nil, errors.New("a query with too many operators")
	case quoted || !strings.HasPrefix(word, "@"):
		return cons(0, cons(102, cons(44, attributes), prim(45, []byte(word)...))), nil
	case operator:
		left, err := p.structure(attributes, depth+1)
		if err != nil {
			return nil, err
		}
		right, err := p.structure(attributes, depth+1)
		return cons(1, left, right, cons(46, prim(tag))), err
	case word == "@attr":
		one, err := p.attribute()
		if err != nil {
			return nil, err
		}
		return p.structure(slices.Concat(attributes, one), depth+1)
	}
	return nil, fmt.Errorf("%.40q is none of @and, @or, @not and @attr", word)
}

// attribute reads "type=value".
func (p *pqf) attribute() ([]byte, error) {
	word, _, err := p.word()
	if err != nil {
		return nil, err
	}
	kind, value, _ := strings.Cut(word, "=")
	k, err := strconv.ParseUint(kind, 10, 16)
	v, err2 := strconv.ParseUint(value, 10, 16)
	if err != nil || err2 != nil {
		return nil, fmt.Errorf("%.40q is no attribute such as 1=4", word)
	}
	return attribute(int(k), int(v)), nil
}

// word is the next word; in quotes a backslash makes the next octet plain.
func (p *pqf) word() (word string, quoted bool, err error) {
	p.rest = strings.TrimLeft(p.rest, " \t\r\n")
	if p.rest == "" {
		return "", false, errors.New("a query that ends too early")
	}
	if p.rest[0] != '"' {
		end := strings.IndexAny(p.rest+" ", " \t\r\n")
		word, p.rest = p.rest[:end], strings.TrimLeft(p.rest[end:], " \t\r\n")
		return word, false, nil
	}
	var b strings.Builder
	for i := 1; i < len(p.rest); i++ {
		switch c := p.rest[i]; {
		case c == '"':
			p.rest = strings.TrimLeft(p.rest[i+1:], " \t\r\n")
			return b.String(), true, nil
		case c == '\\' && i+1 < len(p.rest):
			i++
			b.WriteByte(p.rest[i])
		default:
			b.WriteByte(c)
		}
	}
	return "", false, errors.New("a quote that is not closed")
}
