package imap

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"linkcheck/check"
	"linkcheck/check/wire"
)

const (
	maxResponse = 64 << 10                           // octets of one, without its literals
	maxNumbers  = 11*wire.LongestList + wire.MaxLine // octets of a list of numbers
	minSecret   = 4                                  // octets of a password that is looked for in what the server says
)

// response is what a server says in one line, and the literals in it, RFC 3501 section 7.
type response struct {
	line    string // as it came, or what there is of it
	tag     string // "*": to no command; "+": it waits for more
	word    string // in capitals: OK, NO, BAD, BYE, PREAUTH, or what data it is
	number  uint32 // before the word
	code    string // of a status: what stands in brackets, in capitals
	text    string // what follows; "" stands for a literal
	literal bool   // that of a message was in it
}

// read reads one response, and keeps what it says of the server and of the mailbox.
func (s *session) read() (response, error) {
	line, err := s.line()
	r := parse(s.hidden(line))
	if err != nil {
		return r, s.fail(err)
	}
	for r.hasLiterals() {
		before, n, ok := literalOf(r.text)
		if !ok {
			break
		}
		if err = s.literal(&r, before, n); err == nil {
			line, err = s.line()
		}
		if err != nil {
			return r, s.fail(err)
		}
		if r.text = before + `""` + line; len(r.text) > maxResponse {
			return r, s.fail(wire.ErrLineTooLong)
		}
	}
	s.note(&r)
	return r, nil
}

// line reads a line without its end. A list of numbers may be longer than others.
func (s *session) line() (string, error) {
	var all []byte
	most := maxResponse
	for {
		part, err := s.in.ReadSlice('\n')
		if all == nil && strings.HasPrefix(string(part[:min(len(part), 9)]), "* SEARCH ") {
			most = maxNumbers
		}
		all = append(all, part...)
		switch {
		case len(all) > most:
			return string(all[:min(len(all), wire.MaxLine)]), wire.ErrLineTooLong
		case err == bufio.ErrBufferFull:
			continue
		case err == io.EOF && len(all) > 0:
			err = io.ErrUnexpectedEOF
		}
		return strings.TrimSuffix(strings.TrimSuffix(string(all), "\n"), "\r"), err
	}
}

// hidden is a line without the password, which a server may repeat.
func (s *session) hidden(line string) string {
	for _, secret := range s.secrets {
		if len(secret) >= minSecret {
			line = strings.ReplaceAll(line, secret, "***")
		}
	}
	return line
}

// parse takes a line apart.
func parse(line string) response {
	r := response{line: line}
	var rest string
	if r.tag, rest, _ = strings.Cut(line, " "); r.tag == "+" {
		r.text = rest
		return r
	}
	word, text, _ := strings.Cut(rest, " ")
	if n, err := strconv.ParseUint(word, 10, 32); err == nil && r.tag == "*" {
		r.number = uint32(n)
		word, text, _ = strings.Cut(text, " ")
	}
	r.word, r.text = strings.ToUpper(word), text
	if inner, ok := strings.CutPrefix(text, "["); ok && !r.hasLiterals() {
		if code, text, ok := strings.Cut(inner, "]"); ok {
			r.code, r.text = strings.ToUpper(code), strings.TrimPrefix(text, " ")
		}
	}
	return r
}

// hasLiterals says whether a response may have some: the text of a status has none.
func (r *response) hasLiterals() bool {
	switch r.word {
	case "OK", "NO", "BAD", "BYE", "PREAUTH":
		return false
	}
	return r.tag == "*"
}

// literalOf finds the beginning of a literal at the end of a line, RFC 3501 section 4.3.
func literalOf(text string) (before string, octets int64, ok bool) {
	inner, ok := strings.CutSuffix(text, "}")
	at := strings.LastIndexByte(inner, '{')
	if !ok || at < 0 {
		return "", 0, false
	}
	n, err := strconv.ParseUint(inner[at+1:], 10, 62)
	return strings.TrimSuffix(inner[:at], "~"), int64(n), err == nil // "~" of RFC 3516 section 4.4
}

// literal reads one: that of a message is handed on, others are passed over.
func (s *session) literal(r *response, before string, octets int64) error {
	in := &io.LimitedReader{R: s.in, N: octets}
	if r.word == "FETCH" && s.body != nil && strings.HasSuffix(strings.ToUpper(before), "BODY[] ") {
		r.literal = true
		if err := s.body(in); err != nil {
			return err
		}
	} else if _, err := io.Copy(io.Discard, in); err != nil {
		return err
	}
	if in.N > 0 {
		return io.ErrUnexpectedEOF
	}
	return nil
}

// note keeps what a response says beside the answer.
func (s *session) note(r *response) {
	name, list, _ := strings.Cut(r.code, " ")
	switch {
	case r.word == "CAPABILITY":
		s.capabilities = strings.Fields(strings.ToUpper(r.text))
	case name == "CAPABILITY":
		s.capabilities = strings.Fields(list)
	case r.word == "EXISTS":
		s.exists = r.number
	case r.word == "EXPUNGE":
		s.exists -= min(s.exists, 1)
	}
}

// itemsOf reads the items of a FETCH response by their names, RFC 3501 section 7.4.2: quoted
// strings as what they say, lists as they stand.
func itemsOf(text string) (map[string]string, bool) {
	rest, ok := strings.CutPrefix(text, "(")
	items := map[string]string{}
	for ok {
		end := strings.IndexAny(rest, " [")
		if end >= 0 && rest[end] == '[' {
			if end = strings.IndexByte(rest, ']'); end >= 0 && end+1 < len(rest) {
				end += strings.IndexByte(rest[end:], ' ')
			}
		}
		if end <= 0 {
			return nil, false
		}
		name := strings.ToUpper(rest[:end])
		if rest[end] != ' ' {
			return nil, false
		}
		var value string
		if value, rest, ok = valueOf(rest[end+1:]); !ok {
			return nil, false
		}
		if items[name] = value; rest == ")" {
			return items, true
		}
		rest, ok = strings.CutPrefix(rest, " ")
	}
	return nil, false
}

// valueOf reads one value, and gives what follows.
func valueOf(s string) (value, rest string, ok bool) {
	if strings.HasPrefix(s, `"`) {
		return stringOf(s)
	}
	if !strings.HasPrefix(s, "(") {
		end := strings.IndexAny(s, " )")
		if end <= 0 {
			return "", s, false
		}
		return s[:end], s[end:], true
	}
	for depth, at := 0, 0; at < len(s); at++ {
		switch s[at] {
		case '(':
			depth++
		case ')':
			depth--
		case '"':
			_, after, ok := stringOf(s[at:])
			if !ok {
				return "", s, false
			}
			at = len(s) - len(after) - 1
		}
		if depth == 0 {
			return s[:at+1], s[at+1:], true
		}
	}
	return "", s, false
}

// stringOf reads a quoted string.
func stringOf(s string) (value, rest string, ok bool) {
	var b strings.Builder
	for at := 1; at < len(s); at++ {
		switch c := s[at]; {
		case c == '"':
			return b.String(), s[at+1:], true
		case c == '\\' && at+1 < len(s):
			at++
			b.WriteByte(s[at])
		default:
			b.WriteByte(c)
		}
	}
	return "", s, false
}

// garbled is the error of a response that is none to what was asked.
func (r *response) garbled() error {
	return wire.Garbled(fmt.Sprintf("not an answer in IMAP: %.100q", r.line))
}

// error is that of a session that ends with a response.
func (r *response) error() error {
	res := r.judge(false)
	return check.ResultError(res.Outcome, res.Reason, res.Reply)
}
