package extract

import "bytes"

// sniffBookmarks recognises the bookmark file of Netscape and all who came after.
func sniffBookmarks(p peek) bool {
	return bytes.HasPrefix(bytes.TrimLeft(p.head, "\xef\xbb\xbf \t\r\n"), []byte("<!DOCTYPE NETSCAPE-Bookmark"))
}

// sniffShortcut recognises files of NAME=VALUE lines that browsers and desktops
// keep links in.
func sniffShortcut(p peek) bool {
	head := bytes.TrimLeft(p.head, "\xef\xbb\xbf \t\r\n")
	for _, s := range []string{"Opera Hotlist version", "[InternetShortcut]", "[DEFAULT]\r\nBASEURL=", "[Desktop Entry]"} {
		if bytes.HasPrefix(head, []byte(s)) {
			return true
		}
	}
	return false
}

// readShortcut reads each line by itself: no link goes on in the next.
func readShortcut(d *doc) error {
	lines := newRawLines(d.in)
	for !d.out.stopped {
		line, _, err := lines.next()
		if len(line) == 0 {
			return eofIsNil(err)
		}
		if ref, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte("URL=")); ok && relative(ref) {
			d.found(Found{URI: d.resolve(string(ref)), Raw: string(ref), Line: lines.number, Column: bytes.Index(line, ref) + 1, How: howPrefix, Context: oneLine(string(clip(line, contextSize)))})
			continue
		}
		f := newFeed(d.found)
		f.add(line, lines.number, 1)
		f.flush()
	}
	return nil
}

// relative says whether b is one word without a scheme, where a reference has to be.
func relative(b []byte) bool {
	return len(b) > 0 && schemeOf(string(b)) == "" && len(bytes.Fields(b)) == 1
}
