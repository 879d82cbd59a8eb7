package page

import (
	"bytes"

	"linkcheck/extract/doc"
	"linkcheck/extract/textscan"
)

// SniffBookmarks recognises the bookmark file of Netscape and all who came after.
func SniffBookmarks(p doc.Peek) bool {
	return p.TextBegins("<!DOCTYPE NETSCAPE-Bookmark")
}

// SniffShortcut recognises files of NAME=VALUE lines that browsers and desktops
// keep links in.
func SniffShortcut(p doc.Peek) bool {
	return p.TextBegins("Opera Hotlist version", "[InternetShortcut]", "[DEFAULT]\r\nBASEURL=", "[Desktop Entry]")
}

// ReadShortcut reads each line by itself: no link goes on in the next.
func ReadShortcut(d *doc.Document) error {
	lines := d.Lines()
	for line := range lines.All() {
		if ref, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte("URL=")); ok && textscan.IsRelative(ref) {
			d.Yield(doc.Found{URI: doc.Resolve(d.Base, string(ref)), Raw: string(ref), Line: lines.Number, Column: bytes.Index(line, ref) + 1, How: textscan.HowPrefix, Context: doc.Shown(line, doc.ContextSize)})
			continue
		}
		textscan.Scan(d, line, lines.Number, 1, d.Yield)
	}
	return lines.Err()
}
