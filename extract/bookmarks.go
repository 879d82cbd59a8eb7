package extract

import "bytes"

// SniffBookmarks recognises the bookmark file of Netscape and all who came after.
func SniffBookmarks(p Peek) bool {
	return p.TextBegins("<!DOCTYPE NETSCAPE-Bookmark")
}

// SniffShortcut recognises files of NAME=VALUE lines that browsers and desktops
// keep links in.
func SniffShortcut(p Peek) bool {
	return p.TextBegins("Opera Hotlist version", "[InternetShortcut]", "[DEFAULT]\r\nBASEURL=", "[Desktop Entry]")
}

// ReadShortcut reads each line by itself: no link goes on in the next.
func ReadShortcut(d *Document_) error {
	lines := d.Lines()
	for line := range lines.All() {
		if ref, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte("URL=")); ok && IsRelative(ref) {
			d.Yield(Found{URI: d.Resolve(string(ref)), Raw: string(ref), Line: lines.Number, Column: bytes.Index(line, ref) + 1, How: HowPrefix, Context: OneLine(string(Clip(line, ContextSize)))})
			continue
		}
		f := NewFeed(d.Yield)
		f.Add(line, lines.Number, 1)
		f.Flush()
	}
	return lines.Err()
}
