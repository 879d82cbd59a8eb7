package secret

import (
	"io"
	"strings"
	"unicode"
)

// The words of a password that a Writer looks for.
const (
	minWord = 4  // octets of a word that counts
	begin   = 16 // octets from which on a word is known again where it is cut
)

// NewWriter writes to w without the words of the passwords that stand in some addresses:
// what repeats a part of one may be torn where no masker knows it again. A word is what
// letters and digits make, of at least four octets; it must not be torn by two writes.
func NewWriter(w io.Writer, addresses []string) io.Writer {
	var words []string
	for _, s := range addresses {
		var found []Span
		if holdsEnd(s) {
			f := finder{s: []byte(s), whole: true}
			found = f.all()
		}
		for _, secret := range append(found, values([]byte(s), true)...) {
			for _, word := range strings.FieldsFunc(s[secret.From:secret.To], func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
				if len(word) >= minWord {
					words = append(words, word)
				}
			}
		}
	}
	if words == nil {
		return w
	}
	return &writer{w, words}
}

type writer struct {
	to    io.Writer
	words []string
}

// Write implements io.Writer.
func (w *writer) Write(p []byte) (int, error) {
	text := string(p)
	for _, word := range w.words {
		text = without(text, word)
	}
	if _, err := io.WriteString(w.to, text); err != nil {
		return 0, err
	}
	return len(p), nil
}

// without hides a word in a text, and what is left of it where it is cut.
func without(text, word string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(text, word[:min(len(word), begin)])
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		b.WriteString(mark)
		for i := begin; i < len(word) && rest != "" && rest[0] == word[i]; i++ {
			rest = rest[1:]
		}
		text = rest
	}
}
