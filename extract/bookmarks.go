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
		f := newFeed(d.found)
		f.add(line, lines.number, 1)
		f.flush()
	}
	return nil
}
