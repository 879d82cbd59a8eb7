package pdf

import (
	"strconv"
	"strings"
	"sync"
)

// latinNames are glyphs by their names (Adobe Glyph List), each with its character in
// hexadecimal, without those that are called by their letter.
const latinNames = `space 20 exclam 21 quotedbl 22 numbersign 23 dollar 24 percent 25 ampersand 26 quotesingle 27 parenleft 28 parenright 29 asterisk 2a plus 2b comma 2c
hyphen 2d period 2e slash 2f zero 30 one 31 two 32 three 33 four 34 five 35 six 36 seven 37 eight 38 nine 39 colon 3a semicolon 3b less 3c equal 3d
greater 3e question 3f at 40 bracketleft 5b backslash 5c bracketright 5d asciicircum 5e underscore 5f grave 60 braceleft 7b bar 7c braceright 7d
asciitilde 7e nbspace a0 exclamdown a1 cent a2 sterling a3 currency a4 yen a5 brokenbar a6 section a7 dieresis a8 copyright a9 ordfeminine aa
guillemotleft ab logicalnot ac sfthyphen ad softhyphen ad registered ae macron af degree b0 plusminus b1 twosuperior b2 threesuperior b3 acute b4 mu
b5 paragraph b6 middot b7 periodcentered b7 cedilla b8 onesuperior b9 ordmasculine ba guillemotright bb onequarter bc onehalf bd threequarters be
questiondown bf Agrave c0 Aacute c1 Acircumflex c2 Atilde c3 Adieresis c4 Aring c5 AE c6 Ccedilla c7 Egrave c8 Eacute c9 Ecircumflex ca Edieresis cb
Igrave cc Iacute cd Icircumflex ce Idieresis cf Eth d0 Ntilde d1 Ograve d2 Oacute d3 Ocircumflex d4 Otilde d5 Odieresis d6 multiply d7 Oslash d8
Ugrave d9 Uacute da Ucircumflex db Udieresis dc Yacute dd Thorn de germandbls df agrave e0 aacute e1 acircumflex e2 atilde e3 adieresis e4 aring e5 ae
e6 ccedilla e7 egrave e8 eacute e9 ecircumflex ea edieresis eb igrave ec iacute ed icircumflex ee idieresis ef eth f0 ntilde f1 ograve f2 oacute f3
ocircumflex f4 otilde f5 odieresis f6 divide f7 oslash f8 ugrave f9 uacute fa ucircumflex fb udieresis fc yacute fd thorn fe ydieresis ff Amacron 100
amacron 101 Abreve 102 abreve 103 Aogonek 104 aogonek 105 Cacute 106 cacute 107 Ccircumflex 108 ccircumflex 109 Cdotaccent 10a cdotaccent 10b Ccaron
10c ccaron 10d Dcaron 10e dcaron 10f Dcroat 110 dcroat 111 Emacron 112 emacron 113 Ebreve 114 ebreve 115 Edotaccent 116 edotaccent 117 Eogonek 118
eogonek 119 Ecaron 11a ecaron 11b Gcircumflex 11c gcircumflex 11d Gbreve 11e gbreve 11f Gdotaccent 120 gdotaccent 121 Gcommaaccent 122 gcommaaccent
123 Hcircumflex 124 hcircumflex 125 Hbar 126 hbar 127 Itilde 128 itilde 129 Imacron 12a imacron 12b Ibreve 12c ibreve 12d Iogonek 12e iogonek 12f
Idotaccent 130 dotlessi 131 IJ 132 ij 133 Jcircumflex 134 jcircumflex 135 Kcommaaccent 136 kcommaaccent 137 kgreenlandic 138 Lacute 139 lacute 13a
Lcommaaccent 13b lcommaaccent 13c Lcaron 13d lcaron 13e Ldot 13f ldot 140 Lslash 141 lslash 142 Nacute 143 nacute 144 Ncommaaccent 145 ncommaaccent
146 Ncaron 147 ncaron 148 napostrophe 149 Eng 14a eng 14b Omacron 14c omacron 14d Obreve 14e obreve 14f Ohungarumlaut 150 ohungarumlaut 151 OE 152 oe
153 Racute 154 racute 155 Rcommaaccent 156 rcommaaccent 157 Rcaron 158 rcaron 159 Sacute 15a sacute 15b Scircumflex 15c scircumflex 15d Scedilla 15e
scedilla 15f Scaron 160 scaron 161 Tcommaaccent 162 tcommaaccent 163 Tcaron 164 tcaron 165 Tbar 166 tbar 167 Utilde 168 utilde 169 Umacron 16a umacron
16b Ubreve 16c ubreve 16d Uring 16e uring 16f Uhungarumlaut 170 uhungarumlaut 171 Uogonek 172 uogonek 173 Wcircumflex 174 wcircumflex 175 Ycircumflex
176 ycircumflex 177 Ydieresis 178 Zacute 179 zacute 17a Zdotaccent 17b zdotaccent 17c Zcaron 17d zcaron 17e longs 17f circumflex 2c6 caron 2c7 breve
2d8 dotaccent 2d9 ring 2da ogonek 2db tilde 2dc hungarumlaut 2dd hyphentwo 2010 nbhyphen 2011 figuredash 2012 endash 2013 emdash 2014 horizontalbar
2015 underscoredbl 2017 quoteleft 2018 quoteright 2019 quotesinglbase 201a quotereversed 201b quotedblleft 201c quotedblright 201d quotedblbase 201e
dagger 2020 daggerdbl 2021 bullet 2022 ellipsis 2026 perthousand 2030 minute 2032 second 2033 guilsinglleft 2039 guilsinglright 203a fraction 2044
zerosuperior 2070 foursuperior 2074 fivesuperior 2075 sixsuperior 2076 sevensuperior 2077 eightsuperior 2078 ninesuperior 2079 Euro 20ac trademark
2122 minus 2212 similar 223c tildeoperator 223c ff fb00 fi fb01 fl fb02 ffi fb03 ffl fb04 longst fb05 st fb06`

// glyphs gives the characters of latinNames.
var glyphs = sync.OnceValue(func() map[string]rune {
	all := map[string]rune{}
	words := strings.Fields(latinNames)
	for i := 0; i+1 < len(words); i += 2 {
		n, _ := strconv.ParseUint(words[i+1], 16, 32)
		all[words[i]] = rune(n)
	}
	return all
})

// standardUpper are the characters of StandardEncoding from 160 on; 0 for none (ISO 32000-1
// annex D.2). Below they are those of ASCII, but for the quotation marks.
const standardUpper = "\x00\u00a1\u00a2\u00a3\u2044\u00a5\u0192\u00a7\u00a4\u0027\u201c\u00ab\u2039\u203a\ufb01\ufb02\x00\u2013\u2020\u2021\u00b7\x00\u00b6\u2022\u201a\u201e\u201d\u00bb\u2026\u2030\x00\u00bf\x00\u0060\u00b4\u02c6\u02dc\u00af\u02d8\u02d9\u00a8\x00\u02da\u00b8\x00\u02dd\u02db\u02c7\u2014\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\u00c6\x00\u00aa\x00\x00\x00\x00\u0141\u00d8\u0152\u00ba\x00\x00\x00\x00\x00\u00e6\x00\x00\x00\u0131\x00\x00\u0142\u00f8\u0153\u00df\x00\x00\x00\x00"

// standardWidths are the widths of the characters 32 to 126 of the fonts that every viewer
// has, in thousandths (ISO 32000-1 section 9.6.2.2).
var standardWidths = map[string]string{
	"Helvetica":        "278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 278 584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500 334 260 334 584",
	"Helvetica-Bold":   "278 333 474 556 556 889 722 238 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 333 333 584 584 584 611 975 722 722 722 722 667 611 778 722 278 556 722 611 833 722 778 667 778 722 667 611 722 667 944 667 667 611 333 278 333 584 556 333 556 611 556 611 556 333 611 611 278 278 556 278 889 611 611 611 611 389 556 333 611 556 778 556 556 500 389 280 389 584",
	"Times-Roman":      "250 333 408 500 500 833 778 180 333 333 500 564 250 333 250 278 500 500 500 500 500 500 500 500 500 500 278 278 564 564 564 444 921 722 667 667 722 611 556 722 722 333 389 722 611 889 722 722 556 722 667 556 611 722 722 944 722 722 611 333 278 333 469 500 333 444 500 444 500 444 333 500 500 278 278 500 278 778 500 500 500 500 333 389 278 500 500 722 500 500 444 480 200 480 541",
	"Times-Bold":       "250 333 555 500 500 1000 833 278 333 333 500 570 250 333 250 278 500 500 500 500 500 500 500 500 500 500 333 333 570 570 570 500 930 722 667 722 722 667 611 778 778 389 500 778 667 944 722 778 611 778 722 556 667 722 722 1000 722 722 667 333 278 333 581 500 333 500 556 444 556 444 333 500 556 278 333 556 278 833 556 500 556 556 444 389 333 556 500 722 500 500 444 394 220 394 520",
	"Times-Italic":     "250 333 420 500 500 833 778 214 333 333 500 675 250 333 250 278 500 500 500 500 500 500 500 500 500 500 333 333 675 675 675 500 920 611 611 667 722 611 611 722 722 333 444 667 556 833 667 722 611 722 611 500 556 722 611 833 611 556 556 389 278 389 422 500 333 500 500 444 500 444 278 500 500 278 278 444 278 722 500 500 500 500 389 389 278 500 444 667 444 444 389 400 275 400 541",
	"Times-BoldItalic": "250 389 555 500 500 833 778 278 333 333 500 570 250 333 250 278 500 500 500 500 500 500 500 500 500 500 333 333 570 570 570 500 832 667 667 667 722 667 667 722 778 389 500 667 611 889 722 722 611 722 667 556 611 722 667 889 667 611 611 333 278 333 570 500 333 500 500 444 500 444 333 500 556 278 278 500 278 778 556 500 500 500 389 389 278 556 444 667 500 444 389 348 220 348 570",
}

// plainText is text as it stands in addresses: ligatures are letters, hyphens and blanks are
// those of ASCII, what does not show is nothing.
func plainText(s string) string {
	if len(s) == 1 && s[0] >= ' ' {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case r >= 0xfb00 && r <= 0xfb06:
			b.WriteString([]string{"ff", "fi", "fl", "ffi", "ffl", "st", "st"}[r-0xfb00])
		case r >= 0x200b && r <= 0x200f, r == 0x2060, r == 0xfeff, r < ' ' && r != '\t':
		case r == '\t', r == 0xa0, r >= 0x2000 && r <= 0x200a, r == 0x202f, r == 0x3000:
			b.WriteByte(' ')
		case r == 0x2010, r == 0xad:
			b.WriteByte(softHyphen)
		case r == 0x2011, r == 0x2212: // a minus is what PostScript calls the hyphen of typewriters
			b.WriteByte('-')
		case r == 0x2dc, r == 0x223c: // an accent and an operator that look so
			b.WriteByte('~')
		case r > 0xf020 && r < 0xf07f: // of symbolic fonts
			b.WriteRune(r - 0xf000)
		case r == 0xb2, r == 0xb3, r == 0xb9, r == 0x2070, r >= 0x2074 && r <= 0x2079:
			b.WriteByte(' ') // the number of a note
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
