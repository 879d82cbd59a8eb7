package doc

import (
	"bytes"
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"

	"linkcheck/internal/ascii"
)

// A candidate is a charset that documents are in which do not name it, and the
// characters beyond ASCII that texts in it use most.
type candidate struct {
	charset  encoding.Encoding
	frequent string
}

// The characters that tell one language from another: its small letters, or the
// commonest characters of running text.
const (
	western  = "éèàùâêîôûçëïüäößñáíóúåæøãõìòÉÀÄÖÜÅØÇœ‘’“”–—…«»°§©®·\u00a0"
	eastern  = "ąęłśżźćńóáíéěščřžýůťďňúőűöüăâîşţôľĺŁŚŻŠČŘŽ"
	turkish  = "ğışİŞçöüâîûÇÖÜ"
	cyrillic = "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфёъ"
	greek    = "αεηιοτνσρςκπλμυόίάέήωώύθγδχφβξζψ"
	hebrew   = "אבגדהוזחטיךכלםמןנסעףפץצקרשת"
	arabic   = "ابتثجحخدذرزسشصضطظعغفقكلمنهويىةءآأإئؤ"

	kana    = "あいうえおかがきくけこごさしじすせそただちっつてでとどなにぬねのはばひびふべほまみむめもやよらりるれろわをんアイウカキクグコサシジスタテトドナニフプマムメラリルレロンー、。・「」"
	hangul  = "이다는에의을가하고한지로기도를은사인아서시어자대있리나것수해일그정전들만스제상부라보원장주적과으및자료도관학국"
	chinese = "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年，。、：《》"
	taiwan  = "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年，。、：「」"
)

// Those that are tried, in this order: of two that fit alike the first is taken.
var (
	ofPairs = []candidate{
		{japanese.ShiftJIS, kana},
		{japanese.EUCJP, kana},
		{korean.EUCKR, hangul},
		{simplifiedchinese.GB18030, chinese},
		{traditionalchinese.Big5, taiwan},
	}
	latin = []candidate{
		{charmap.Windows1252, western},
		{charmap.Windows1254, turkish},
		{charmap.ISO8859_2, eastern},
		{charmap.Windows1250, eastern},
	}
	otherScripts = []candidate{
		{charmap.ISO8859_8, hebrew},
		{charmap.Windows1251, cyrillic},
		{charmap.KOI8R, cyrillic},
		{charmap.ISO8859_5, cyrillic},
		{charmap.ISO8859_7, greek},
		{charmap.Windows1253, greek},
		{charmap.ISO8859_6, arabic},
		{charmap.Windows1256, arabic},
	}
)

const (
	pairsHead = 1024 // bytes that are read as pairs
	minPairs  = 10   // characters beyond ASCII; with more a charset of two octets is believed
	minPaired = 10   // percent of them that are frequent
	minOctets = 6    // octets beyond ASCII, fewer of which tell nothing
	minSingle = 60   // percent of all characters beyond ASCII, for a charset of one octet
)

// guessOctets judges a text that is not in UTF-8 by its first bytes. What fits
// nothing well is read as windows-1252, since a charset of two octets wrongly
// guessed eats what follows a letter.
func guessOctets(head []byte) encoding.Encoding {
	if bytes.Contains(head, []byte("\x1b$B")) || bytes.Contains(head, []byte("\x1b$@")) {
		return japanese.ISO2022JP
	}
	if e, _ := best(ofPairs, minPaired, func(c candidate) int { return c.paired(head[:min(len(head), pairsHead)]) }); e != nil {
		return e
	}
	all, beside, apart := countOctets(head)
	if all < minOctets {
		return charmap.Windows1252
	}
	guessed, percent := best(latin, minSingle, func(c candidate) int { return c.single(beside, all) })
	if other, _ := best(otherScripts, percent+1, func(c candidate) int { return c.single(apart, all) }); other != nil {
		return other
	}
	return cmp.Or(guessed, encoding.Encoding(charmap.Windows1252))
}

// best gives the candidate that fits best, if any fits as well as least, and how well it fits.
func best(of []candidate, least int, fit func(candidate) int) (e encoding.Encoding, percent int) {
	percent = least - 1
	for _, c := range of {
		if n := fit(c); n > percent {
			e, percent = c.charset, n
		}
	}
	return e, percent
}

// paired gives the percentage of characters beyond ASCII that are frequent ones,
// nothing where an octet fits into no character. The head may end within one.
func (c candidate) paired(head []byte) int {
	text, err := c.charset.NewDecoder().Bytes(head)
	if err != nil {
		return 0
	}
	all, frequent := 0, 0
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		text = text[size:]
		switch {
		case r < utf8.RuneSelf:
			continue
		case r == utf8.RuneError && len(text) > 0:
			return 0
		case strings.ContainsRune(c.frequent, r):
			frequent++
		}
		all++
	}
	if all <= minPairs {
		return 0
	}
	return 100 * frequent / all
}

// countOctets counts the octets beyond ASCII: all, and by their value those that
// stand beside a letter of ASCII, as they do in words of Latin scripts, and the others.
func countOctets(head []byte) (all int, beside, apart [256]int) {
	letter := func(i int) bool { return i >= 0 && i < len(head) && ascii.Letter(head[i]) }
	for i, b := range head {
		switch {
		case b < utf8.RuneSelf:
			continue
		case letter(i-1) || letter(i+1):
			beside[b]++
		default:
			apart[b]++
		}
		all++
	}
	return all, beside, apart
}

// single gives the percentage of octets beyond ASCII that are frequent letters, less
// those that the charset has no character for.
func (c candidate) single(count [256]int, all int) int {
	table, ok := c.charset.(*charmap.Charmap)
	if !ok {
		return 0
	}
	frequent := 0
	for b := utf8.RuneSelf; b < len(count); b++ {
		switch r := table.DecodeByte(byte(b)); {
		case r == utf8.RuneError || unicode.IsControl(r):
			frequent -= count[b]
		case strings.ContainsRune(c.frequent, r):
			frequent += count[b]
		}
	}
	return 100 * frequent / all
}
