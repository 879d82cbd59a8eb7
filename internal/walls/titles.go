package walls

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// titleSet are the titles, in lower case, of one kind of page.
type titleSet struct {
	plain map[string]bool // as they are, without what surrounds them
	bare  map[string]bool // by their words alone
	most  int             // octets of the longest

	first, last shapes // of plain, by the octets with which they begin, and end
}

// shapes are the lengths of texts by one octet of each: most that is sought in a set of
// texts has not the shape of any.
type shapes [256]uint64

func bitOf(length int) uint64 { return 1 << min(length, 63) }

func (s *shapes) add(octet byte, length int) { s[octet] |= bitOf(length) }

func (s *shapes) has(octet byte, length int) bool { return s[octet]&bitOf(length) != 0 }

func newTitleSet(list []string) titleSet {
	t := titleSet{plain: map[string]bool{}, bare: map[string]bool{}}
	for _, title := range list {
		plain := trimmed(strings.ReplaceAll(title, "-", " "))
		t.plain[plain] = true
		words, _ := failureWords(nil, title)
		t.bare[string(words)] = true
		t.most = max(t.most, len(title))
		if plain != "" {
			t.first.add(plain[0], len(plain))
			t.last.add(plain[len(plain)-1], len(plain))
		}
	}
	return t
}

// titleParts gives the parts of a title in lower case: the page, its section, its site.
func titleParts(title string) (parts []string) {
	title = strings.ReplaceAll(title, " - ", " | ") // other hyphens join words
	title = strings.ReplaceAll(title, "-", " ")
	add := func(part string) {
		if part = trimmed(part); part != "" {
			parts = append(parts, part)
		}
	}
	begin := 0
	for i, end := 0, 0; i < len(title); i = end {
		r, n := utf8.DecodeRuneInString(title[i:])
		if end = i + n; separates(title[:i], r, title[end:]) {
			add(title[begin:i])
			begin = end
		}
	}
	add(title[begin:])
	return parts
}

// separates says whether a character stands between two parts, after and before others.
func separates(before string, r rune, after string) bool {
	switch r {
	case '|', '｜', '»', '«', '→':
		return true
	case ':':
		return strings.HasSuffix(before, " ")
	case '–', '—', '·', '•', '/', '>', '<', '~':
		return strings.HasSuffix(before, " ") && strings.HasPrefix(after, " ")
	}
	return false
}

// trimmed is a text without the blanks and the punctuation around it.
func trimmed(s string) string {
	return strings.TrimFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsPunct(r) && r != '\'' || r == '|' })
}

// whole says whether a part of a title is one of the set.
func (t *titleSet) whole(parts []string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return t.first.has(part[0], len(part)) && t.plain[part] })
}

// edge says whether a part of a title begins or ends with one of the set. Where words
// are written without blanks, a part that is a little longer counts.
func (t *titleSet) edge(parts []string) bool {
	return slices.ContainsFunc(parts, func(part string) bool {
		for i, r := range part {
			if i > t.most || t.first[part[0]] == 0 {
				break
			}
			if i > 0 && parted(r) && t.first.has(part[0], i) && t.plain[part[:i]] {
				return true
			}
		}
		end := part[len(part)-1]
		for i := len(part); i > 0 && len(part)-i <= t.most && t.last[end] != 0; {
			r, n := utf8.DecodeLastRuneInString(part[:i])
			if parted(r) && t.last.has(end, len(part)-i) && t.plain[part[i:]] {
				return true
			}
			i -= n
		}
		return t.first.has(part[0], len(part)) && t.plain[part]
	})
}

// parted says whether a word ends before r, or after it.
func parted(r rune) bool { return r >= firstUnspaced || !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// firstUnspaced is where the scripts begin that put no blanks between words: CJK.
const firstUnspaced = '\u2e80'

// failure says whether a part of a title is nothing but the number of an error, or
// a sentence of the set beside which at most such a number stands. What a colon parts
// is parted here too.
func (t *titleSet) failure(parts []string) (number, phrase bool) {
	var buf [100]byte
	for _, part := range parts {
		for part := range strings.FieldsFuncSeq(part, func(r rune) bool { return r == ':' || r == '：' }) {
			words, numbered := failureWords(buf[:0], part)
			number = number || numbered && len(words) == 0
			phrase = phrase || len(words) > 0 && t.bare[string(words)]
		}
	}
	return number, phrase
}

// fillers are words around what an error page says.
var fillers = map[string]bool{"error": true, "http": true, "status": true, "code": true, "oops": true, "ooops": true, "whoops": true, "sorry": true,
	"fehler": true, "erreur": true, "errore": true, "erro": true, "fout": true, "fel": true, "feil": true, "fejl": true, "virhe": true,
	"błąd": true, "chyba": true, "ошибка": true, "помилка": true, "σφάλμα": true, "hata": true, "エラー": true, "오류": true, "错误": true}

var fillerShapes = func() (s shapes) {
	for word := range fillers {
		s.add(word[0], len(word))
	}
	return s
}()

// apart says whether a character stands between words.
func apart(r rune) bool {
	if r < utf8.RuneSelf {
		c := r | 0x20
		return (c < 'a' || c > 'z') && (r < '0' || r > '9') && r != '\''
	}
	return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) && r != '’'
}

// failureWords appends to buf a part of a title without the number of an error and
// what is said around it. The second result says whether the number is there.
func failureWords(buf []byte, part string) (words []byte, numbered bool) {
	for word := range strings.FieldsFuncSeq(part, apart) {
		switch {
		case isNumber(word):
			numbered = numbered || word == "404" || word == "410"
		case !(fillerShapes.has(word[0], len(word)) && fillers[word]) && (len(buf) > 0 || word != "the"):
			if len(buf) > 0 {
				buf = append(buf, ' ')
			}
			buf = append(buf, strings.ReplaceAll(word, "’", "'")...)
		}
	}
	return buf, numbered
}

// isNumber says whether a word is nothing but digits.
func isNumber(word string) bool {
	for i := range len(word) {
		if word[i] < '0' || word[i] > '9' {
			return false
		}
	}
	return true
}
