package page

import (
	"bytes"
	"strings"

	"linkcheck/extract/doc"
	"linkcheck/extract/textscan"
	"linkcheck/internal/ascii"
)

// SniffGophermap recognises a menu by its file's name, or by lines that all have
// the shape of RFC 1436 section 3.
func SniffGophermap(p doc.Peek) bool {
	if p.Named("gophermap", "gophermap.sample") {
		return true
	}
	items, others := 0, 0
	for rest := p.Head; len(rest) > 0; {
		line, after, whole := bytes.Cut(rest, []byte{'\n'})
		rest = after
		line = bytes.TrimRight(line, "\r")
		switch {
		case !whole && len(after) == 0 && items > 0: // cut off by the peek
		case string(line) == ".":
			rest = nil
		case isItem(line):
			items++
		default:
			others++
		}
	}
	return items > 0 && others*5 <= items
}

// isItem says whether a port stands where an item of a menu has it.
func isItem(line []byte) bool {
	f := bytes.Split(line, []byte{'\t'})
	return len(f) > 3 && len(bytes.TrimSpace(f[3])) <= 5 && ascii.Digits(bytes.TrimSpace(f[3]))
}

// ReadGophermap reads a menu as a server sends it (RFC 1436 section 3.8) and as
// servers keep it on disk, where host and port may be missing: then it is this
// server's, which only Options.Base can name.
func ReadGophermap(d *doc.Document) error {
	lines := d.Lines()
	text := textscan.NewFeed(d, d.Yield)
	for line, start := range lines.All() {
		if !start {
			continue
		}
		item := doc.Chop(line)
		if string(item) == "." {
			break // the end of the menu; what follows is no part of it
		}
		gopherLine(d, text, item, lines.Number)
	}
	text.Flush()
	return lines.Err()
}

// gopherLine reads one line. Lines without a tab are text that servers make
// info lines of, but for those of gophernicus that command (=, !, #, -, :, ~, %).
func gopherLine(d *doc.Document, text *textscan.Feed, line []byte, number int) {
	tab := bytes.IndexByte(line, '\t')
	switch {
	case len(line) == 0:
	case line[0] == '#':
		if d.Options.Comments {
			textscan.Scan(d, line, number, 1, func(f doc.Found) bool { f.How = "comment"; return d.Yield(f) })
		}
	case tab < 0 && strings.IndexByte("=!-:~%", line[0]) >= 0 || tab > 0 && (line[0] == 'i' || line[0] == '3'):
	case tab < 0:
		text.Add(line, number, 1)
		text.Add([]byte{'\n'}, 0, 0)
	default:
		text.Flush()
		gopherItem(d, line, number)
	}
}

// gopherItem gives out the item of a line as the URL of rfc1738bis section 2.3.
func gopherItem(d *doc.Document, line []byte, number int) {
	f := append(strings.Split(doc.WithoutControls(string(line)), "\t"), "", "") // host and port may be missing
	if f[0] == "" {
		return
	}
	kind, title, selector := f[0][0], f[0][1:], f[1]
	host, port := strings.TrimSpace(f[2]), strings.TrimSpace(f[3])
	found := doc.Found{Raw: selector, Line: number, Column: len(f[0]) + 2, How: "gopher", Context: doc.OneLine(title), Title: doc.OneLine(title)}
	if i := strings.Index(strings.ToUpper(selector[:min(len(selector), 5)]), "URL:"); kind == 'h' && i >= 0 && i <= 1 {
		found.URI, found.Raw = selector[i+4:], selector[i+4:]
		found.Column += i + 4
		if found.URI != "" {
			d.Yield(found)
		}
		return
	}
	if host == "" || host == "+" || ascii.Digits(host) {
		if selector == "" {
			found.Raw, selector = title, title // gophernicus: a lone name is both
		}
		host, port, selector = baseHost(d.Base, d.Name, selector)
	}
	if host != "" {
		found.URI = gopherURL(kind, selector, host, port)
	}
	if found.URI != "" || found.Raw != "" {
		found.Leads = true
		d.Yield(found)
	}
}

// gopherURL writes an item as a URL; telnet sessions have schemes of their own,
// with the selector as the name to log in with (RFC 1436 section 3.8 types 8 and T).
func gopherURL(kind byte, selector, host, port string) string {
	scheme, usual, path := "gopher", "70", doc.EscapePath(string([]byte{kind})+selector)
	switch kind {
	case '8', 'T':
		scheme, usual, path = "telnet", "23", ""
		if kind == 'T' {
			scheme = "tn3270"
		}
		if selector != "" {
			host = doc.EscapePath(selector) + "@" + host
		}
	}
	if port != "" && port != usual && !(port == "0" && scheme != "gopher") {
		host += ":" + port
	}
	return scheme + "://" + host + "/" + path
}

// baseHost takes host and port of a gopher base, the address of the menu's folder or of the
// menu itself, whose name is given; a selector that is relative to the folder, as Bucktooth
// allows, is put behind it.
func baseHost(base, name, selector string) (host, port, absolute string) {
	rest, ok := strings.CutPrefix(base, "gopher://")
	if !ok {
		return "", "", selector
	}
	host, path, _ := strings.Cut(rest, "/")
	host, port, _ = strings.Cut(host, ":")
	if !strings.HasPrefix(selector, "/") && !strings.HasPrefix(selector, "URL:") && path != "" {
		folder := path[1:]
		if i := strings.LastIndexByte(folder, '/'); name != "" && strings.EqualFold(folder[i+1:], name) {
			folder = folder[:i+1]
		}
		if folder != "" && !strings.HasSuffix(folder, "/") {
			folder += "/"
		}
		selector = folder + selector
	}
	return host, port, selector
}
