package likeness

import (
	"iter"
	"unicode"
	"unicode/utf8"
)

// Hash is what is known of a word from one look at its octets.
type Hash struct {
	All     uint64 // FNV-1a of them
	letters uint64 // of those that are letters of ASCII, in lower case
	has     class
}

// class is a set of classes of octets.
type class uint8

const (
	letter class = 1 << iota // of ASCII
	digit
	foreign // of what is not ASCII
	blank
	ampersand
)

// Ampersand says whether one stands in the word, so that it may hold references.
func (h Hash) Ampersand() bool { return h.has&ampersand != 0 }

// classes gives the class of each octet; 0 for other signs.
var classes = func() (of [256]class) {
	for c := range of {
		switch {
		case c >= utf8.RuneSelf:
			of[c] = foreign
		case 'A' <= c && c <= 'Z', 'a' <= c && c <= 'z':
			of[c] = letter
		case '0' <= c && c <= '9':
			of[c] = digit
		case c == ' ', '\t' <= c && c <= '\r':
			of[c] = blank
		case c == '&':
			of[c] = ampersand
		}
	}
	return of
}()

const (
	offset64 = 14695981039346656037 // of FNV-1a
	prime64  = 1099511628211
)

// Words gives the words of a text, those of [strings.Fields], each hashed.
func Words(text string) iter.Seq2[string, Hash] {
	return func(yield func(string, Hash) bool) {
		for i := 0; i < len(text); {
			switch classes[text[i]] {
			case blank:
				i++
				continue
			case foreign:
				if r, n := utf8.DecodeRuneInString(text[i:]); unicode.IsSpace(r) {
					i += n
					continue
				}
			}
			hash, end := hashWord(text, i)
			if !yield(text[i:end], hash) {
				return
			}
			i = end
		}
	}
}

// hashWord hashes the word that begins at i, and says where it ends.
func hashWord(text string, i int) (h Hash, end int) {
	h.All, h.letters = offset64, offset64
	for ; i < len(text); i++ {
		c := text[i]
		switch k := classes[c]; k {
		case letter:
			h.letters = (h.letters ^ uint64(c|0x20)) * prime64
			h.has |= letter
		case blank:
			return h, i
		case foreign:
			r, n := utf8.DecodeRuneInString(text[i:])
			if unicode.IsSpace(r) {
				return h, i
			}
			for ; n > 1; n-- {
				h.All = (h.All ^ uint64(text[i])) * prime64
				i++
			}
			c = text[i]
			h.has |= foreign
		default:
			h.has |= k
		}
		h.All = (h.All ^ uint64(c)) * prime64
	}
	return h, i
}
