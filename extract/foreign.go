package extract

import "bytes"

// Foreign is the error of a document in a format that is known and that nothing
// here reads. It is whole, as far as anybody can say: that its links are not seen
// is a limit of ours and no fault of the source.
type Foreign struct{ Kind string }

func (f *Foreign) Error() string { return "not read: " + f.Kind }

// foreignKinds lists such formats by their first octets. Links may be inside.
var foreignKinds = []struct{ kind, magic string }{
	{"PDF", "%PDF-"},
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

// foreignKind names the kind of such a document; "" for everything else.
func foreignKind(head []byte) string {
	for _, f := range foreignKinds {
		if bytes.HasPrefix(head, []byte(f.magic)) {
			return f.kind
		}
	}
	if len(head) > 6 && string(head[2:5]) == "-lh" && head[6] == '-' {
		return "lha archive"
	}
	return ""
}

func sniffForeign(p peek) bool { return foreignKind(p.head) != "" }

func readForeign(d *doc) error {
	head, _ := d.in.Peek(sniffSize)
	return &Foreign{foreignKind(head)}
}
