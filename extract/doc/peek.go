package doc

import (
	"bytes"
	"slices"
	"strings"
)

// SniffSize is the number of bytes that a sniffer may look at.
const SniffSize = 4096

// Peek is what a sniffer sees of a document.
type Peek struct {
	Name string // last path element, lower case; "" for a part
	Head []byte // the first bytes, at most SniffSize
}

// Named says whether the name ends in one of the suffixes.
func (p Peek) Named(suffixes ...string) bool {
	return slices.ContainsFunc(suffixes, func(s string) bool { return strings.HasSuffix(p.Name, s) })
}

// Begins says whether the document begins with one of the words.
func (p Peek) Begins(words ...string) bool { return begins(p.Head, words) }

// TextBegins says whether the document begins with one of the words behind a
// byte order mark and blanks.
func (p Peek) TextBegins(words ...string) bool { return begins(p.Text(), words) }

// Text is the head of the document behind a byte order mark and blanks.
func (p Peek) Text() []byte { return bytes.TrimLeft(p.Head, "\ufeff \t\r\n") }

func begins(head []byte, words []string) bool {
	return slices.ContainsFunc(words, func(s string) bool { return bytes.HasPrefix(head, []byte(s)) })
}

// Image recognises what begins like a picture, a sound, a film or a program,
// which nobody reads for links.
func (p Peek) Image() bool {
	return p.Begins("ID3", "OggS", "fLaC", "\x00\x00\x01\x00", "\x00\x00\x01\xba", "\x00\x00\x01\xb3", "GIF8", "\x89PNG", "\xff\xd8\xff", "RIFF",
		"MM\x00*", "II*\x00", "FORM\x00", "\x7fELF", "MZ\x90", "\xca\xfe\xba\xbe")
}

// Binary recognises what is no text of any kind: strings inside are no links
// that a reader sees. UTF-16 has its zeros on one side of each pair only.
func (p Peek) Binary() bool {
	if p.Image() || p.Foreign() != "" {
		return true
	}
	if wideCharset(p.Head) != "" {
		return false
	}
	odd := 0
	for _, c := range p.Head {
		switch {
		case c == 0:
			odd++
		case c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != '\b' && (c < 0x1b || c > 0x1f):
			odd++
		}
	}
	return odd > len(p.Head)/16
}

// foreignKinds lists formats that are known and that nothing here reads, by their
// first bytes. Links may be inside.
var foreignKinds = []struct{ kind, magic string }{
	{"old Office", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"}, // Word, Excel, PowerPoint, Outlook before 2007
	{"Word 2", "\xdb\xa5\x2d\x00"},
	{"WordPerfect", "\xffWPC"},
	{"DVI", "\xf7\x02\x01\x83\x92\xc0\x1c\x3b"},
	{"DjVu", "AT&TFORM"},
	{"SQLite", "SQLite format 3\x00"},
	{"property list", "bplist00"},
	{"font", "\x00\x01\x00\x00\x00"}, {"font", "OTTO\x00"}, {"font", "wOFF"}, {"font", "wOF2"},
	{"7z archive", "7z\xbc\xaf\x27\x1c"},
	{"rar archive", "Rar!\x1a\x07"},
	{"StuffIt archive", "SIT!"},
	{"cabinet archive", "MSCF\x00\x00\x00\x00"},
	{"arj archive", "\x60\xea"},
}

// Foreign names the kind of a document that is known and not read; "" for every other.
func (p Peek) Foreign() string {
	for _, f := range foreignKinds {
		if p.Begins(f.magic) {
			return f.kind
		}
	}
	if len(p.Head) > 6 && string(p.Head[2:5]) == "-lh" && p.Head[6] == '-' {
		return "lha archive"
	}
	return ""
}
