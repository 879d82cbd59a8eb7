// Package escape makes untrusted text fit for a terminal, a log, or a file that is shown
// on one: documents, their names and the replies of servers must not move the cursor,
// begin a line or turn the direction of what is around them.
//
// [Writer] stands around standard output, standard error and every report that is text,
// so that nothing goes past it. It cannot know which line ends are the program's own, so
// whoever prints a line prints it by [Printf], and whoever builds one calls [Line].
package escape

import (
	"encoding/binary"
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode/utf8"
)

// Active reports whether a character acts on a terminal instead of being shown: C0, DEL
// and C1 (ECMA-48 section 5), the marks that set the direction of text (UAX 9 section 2),
// and the two that end a line (U+2028, U+2029). What joins letters or emoji is left alone.
func Active(r rune) bool {
	switch {
	case r < ' ', r >= 0x7f && r < 0xa0, r == '\u061c', r == '\u200e', r == '\u200f':
		return true
	case r < '\u2028':
		return false
	}
	return r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
}

// first gives the length of the character that s begins with, and whether it is shown as
// it is. An octet that is no UTF-8 is not: some terminals take 0x80 to 0x9F for C1.
func first(s string) (r rune, n int, shown bool) {
	r, n = utf8.DecodeRuneInString(s)
	return r, n, !Active(r) && (r != utf8.RuneError || n > 1)
}

// Line gives s as one line of valid UTF-8 without active characters: they are written
// as \n, \r, \t, or as JSON has them, \u001b; an octet that is no UTF-8 as \xff.
func Line(s string) string {
	return escaped(s, func(r rune) string {
		switch r {
		case '\n':
			return `\n`
		case '\r':
			return `\r`
		case '\t':
			return `\t`
		}
		return ""
	})
}

// escaped writes the active characters of s as own says, or if that gives "", by number.
func escaped(s string, own func(rune) string) string {
	var b strings.Builder
	from := 0 // of what is to be copied as it is
	for i := 0; i < len(s); {
		if b := s[i]; b >= ' ' && b < 0x7f { // as nearly all are
			i++
			continue
		}
		r, n, shown := first(s[i:])
		if !shown {
			b.WriteString(s[from:i])
			switch word := own(r); {
			case word != "":
				b.WriteString(word)
			case r == utf8.RuneError:
				fmt.Fprintf(&b, `\x%02x`, s[i])
			default:
				fmt.Fprintf(&b, `\u%04x`, r)
			}
			from = i + n
		}
		i += n
	}
	if from == 0 {
		return s
	}
	b.WriteString(s[from:])
	return b.String()
}

// Printf writes as fmt.Fprintf does, with every argument as one line: what format says is
// the program's own, what the arguments say may be a stranger's.
func Printf(w io.Writer, format string, args ...any) (int, error) {
	for i := range args {
		args[i] = argument{args[i]}
	}
	return fmt.Fprintf(w, format, args...)
}

// argument formats as its value does, and then as Line.
type argument struct{ value any }

// Format implements fmt.Formatter.
func (a argument) Format(f fmt.State, verb rune) {
	_, _ = io.WriteString(f, Line(fmt.Sprintf(fmt.FormatString(f, verb), a.value))) // fmt's own state keeps what is written
}

// Writer passes text on and writes its active characters but LF, TAB and CR LF as JSON
// does: within JSON, where they stand in strings only, the value stays what it is. It may
// be used by many goroutines.
type Writer struct {
	to io.Writer

	mu   sync.Mutex
	rest []byte // the beginning of a character, or a CR, whose end has not come yet
}

// NewWriter gives a Writer to w.
func NewWriter(w io.Writer) *Writer { return &Writer{to: w} }

// Unwrap gives what the Writer writes to, for what is not text and for what is meant to
// act on a terminal: colour, a line that rewrites itself.
func (w *Writer) Unwrap() io.Writer { return w.to }

// Write implements io.Writer. A character may be cut between two calls.
func (w *Writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	text := p
	if len(w.rest) > 0 {
		text = append(w.rest, p...)
		w.rest = nil
	}
	whole := len(text) - unfinished(text)
	w.rest = append(w.rest, text[whole:]...)
	if text = text[:whole]; !plain(text) {
		text = stream(string(text))
	}
	if _, err := w.to.Write(text); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Flush writes what was left of a cut character: nothing more comes.
func (w *Writer) Flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.rest) == 0 {
		return nil
	}
	text := stream(string(w.rest))
	w.rest = nil
	_, err := w.to.Write(text)
	return err
}

// unfinished is the length of the cut character at the end of text.
func unfinished(text []byte) int {
	n := len(text)
	if n > 0 && text[n-1] == '\r' {
		return 1
	}
	for k := 1; k <= min(n, utf8.UTFMax-1); k++ {
		if b := text[n-k]; utf8.RuneStart(b) {
			if b >= utf8.RuneSelf && !utf8.FullRune(text[n-k:]) {
				return k
			}
			return 0
		}
	}
	return 0
}

// stream escapes text that holds whole lines. CR is kept before LF only (RFC 4180 ends
// the rows of CSV so).
func stream(s string) []byte {
	parts := strings.Split(s, "\r\n")
	for i := range parts {
		parts[i] = escaped(parts[i], func(r rune) string {
			if r == '\n' || r == '\t' {
				return string(r)
			}
			return ""
		})
	}
	return []byte(strings.Join(parts, "\r\n"))
}

// plain reports whether text is passed on as it is, as nearly all text is: valid UTF-8 without
// active characters but LF and TAB.
func plain(text []byte) bool {
	for i := 0; i < len(text); {
		if i+8 <= len(text) && asciiOnly(binary.LittleEndian.Uint64(text[i:])) {
			i += 8
			continue
		}
		b := text[i]
		switch {
		case b < ' ' && b != '\n' && b != '\t', b == 0x7f:
			return false
		case b < utf8.RuneSelf:
			i++
			continue
		}
		r, n := utf8.DecodeRune(text[i:])
		if n == 1 || Active(r) {
			return false
		}
		i += n
	}
	return true
}

// asciiOnly says that eight octets are shown ASCII each: none has its high bit, nor gets it by what
// carries from 0x7f, and none loses 0x20 below its own.
func asciiOnly(octets uint64) bool {
	const each, high = 0x0101010101010101, 0x8080808080808080
	return (octets|(octets+each)|(octets-0x20*each))&high == 0
}
