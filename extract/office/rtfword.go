package office

import (
	"io"
	"strconv"

	"golang.org/x/text/encoding/charmap"

	"linkcheck/extract/doc"
)

// silent are destinations whose text a reader does not see.
var silent = map[string]bool{
	"fonttbl": true, "colortbl": true, "stylesheet": true, "info": true, "pict": true, "objdata": true, "objclass": true, "objname": true, "objalias": true, "objsect": true, "nonshppict": true, "sn": true, "sv": true, "sp": true,
	"annotation": true, "atnid": true, "atnauthor": true, "listtable": true, "revtbl": true, "filetbl": true, "xe": true, "tc": true, "rxe": true, "fldtype": true,
	"datafield": true, "themedata": true, "generator": true, "template": true, "hlfr": true, "bkmkstart": true, "bkmkend": true, "private": true,
}

// stories are destinations whose text stands apart from the text around, and what people
// call them.
var stories = map[string]string{
	"footnote": "note", "header": "header", "headerl": "header", "headerr": "header", "headerf": "header",
	"footer": "footer", "footerl": "footer", "footerr": "footer", "footerf": "footer", "shptxt": "text box", "textbox": "text box",
}

// signs are characters that have a word.
var signs = map[string]rune{
	"tab": '\t', "line": '\n', "lbr": '\n', "emdash": '—', "endash": '–', "lquote": '‘', "rquote": '’', "ldblquote": '“', "rdblquote": '”', "bullet": '•',
	"emspace": ' ', "enspace": ' ', "qmspace": ' ', "softline": '\n',
}

// word does what a control word says.
func (r *rtf) word(name string, n int, numbered bool, col int) error {
	star := r.star
	r.star = false
	g := r.group()
	if c, ok := signs[name]; ok {
		r.char(c, col)
		return nil
	}
	if place, ok := stories[name]; ok {
		if !g.mute {
			if g.place, g.pushed = place, true; place == "note" {
				r.notes++
				g.place += " " + strconv.Itoa(r.notes)
			}
			r.paragraph()
		}
		return nil
	}
	on := !numbered || n != 0
	switch name {
	case "par", "sect", "cell", "nestcell", "page", "column":
		if !g.mute {
			r.flow.end()
			r.paragraph()
		}
	case "u":
		r.unicode(n, col)
	case "uc":
		g.uc = min(max(n, 0), 100)
	case "bin":
		_, err := io.CopyN(io.Discard, r.in, int64(max(n, 0)))
		return err
	case "ftnalt": // the footnote is an endnote
		if g.place == "note "+strconv.Itoa(r.notes) {
			r.notes--
			r.endnotes++
			g.place = "endnote " + strconv.Itoa(r.endnotes)
			r.flow.end()
			r.paragraph()
		}
	case "v", "deleted":
		g.hidden = on
	case "plain":
		g.hidden = false
	case "ansicpg":
		if c, ok := doc.LookupCharset("windows-" + strconv.Itoa(n)).(*charmap.Charmap); ok {
			r.charset = c
		}
	case "mac":
		r.charset = charmap.Macintosh
	case "pc", "pca":
		r.charset = charmap.CodePage850
	default:
		r.destination(name, star, col)
	}
	return nil
}

// destination begins what the text of a group is for. One that nobody knows is passed
// over where its writer says that it may be.
func (r *rtf) destination(name string, star bool, col int) {
	g := r.group()
	switch name {
	case "field":
		g.word = name
		if r.fields = append(r.fields, rtfField{}); len(r.fields) > maxFields {
			r.fields = r.fields[1:]
		}
	case "fldinst":
		g.code = true
	case "fldrslt":
		g.code = false
		if n := len(r.fields); n > 0 && !r.fields[n-1].result {
			f := &r.fields[n-1]
			f.result = true
			g.link = !g.mute && r.link(fieldLink(string(f.code)), howField, "", r.line, col)
		}
	case "hl":
		g.word = name
	case "hlsrc":
		g.into = &r.src
	case "hlloc":
		g.into = &r.loc
	case "shpinst", "shp", "shppict", "picprop", "shpgrp", "shprslt":
		g.mute = g.mute || name == "shprslt" // the same for programs that know no shapes
	default:
		g.mute = g.mute || silent[name] || star
	}
}

// symbol does what a backslash and one character say.
func (r *rtf) symbol(c byte, col int) error {
	switch c {
	case '\\', '{', '}':
		r.char(rune(c), col)
	case '_': // a hyphen that does not break
		r.char('-', col)
	case '~':
		r.char('\u00a0', col)
	case '-': // a hyphen that is not seen
	case '*':
		r.star = true
	case '\n', '\r': // as \par
		if c == '\n' {
			r.line, r.col = r.line+1, 1
		}
		return r.word("par", 0, false, col)
	case '\'':
		var hex [2]byte
		if _, err := io.ReadFull(r.in, hex[:]); err != nil {
			return io.EOF
		}
		r.col += 2
		if n, err := strconv.ParseUint(string(hex[:]), 16, 8); err == nil {
			r.char(r.charset.DecodeByte(byte(n)), col)
		}
	}
	return nil
}
