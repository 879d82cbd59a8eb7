package textscan

import (
	"bytes"
	"unicode/utf8"

	"linkcheck/internal/ascii"
)

// barAt is the length of the bar at line[i], of ASCII, Unicode or the code pages of DOS; 0 for none.
func barAt(line []byte, i int) int {
	if i >= len(line) {
		return 0
	}
	switch r, n := utf8.DecodeRune(line[i:]); {
	case r == '|', r == '│', r == '┃', r == '║', r == utf8.RuneError && (line[i] == 0xb3 || line[i] == 0xba):
		return n
	}
	return 0
}

// barColumns gives the columns in which a line has bars.
func barColumns(line []byte) (bars []int) {
	column := 0
	for i := 0; i < len(line); {
		if barAt(line, i) > 0 {
			bars = append(bars, column)
		}
		_, n := utf8.DecodeRune(line[i:])
		column = advance(column, line[i])
		i += n
	}
	return bars
}

const tabWidth = 8

// advance is the column behind a letter that begins with c.
func advance(column int, c byte) int {
	if c == '\t' {
		return column - column%tabWidth + tabWidth
	}
	return column + 1
}

// columnOf is the column of print, from 0, of line[i].
func columnOf(line []byte, i int) (column int) {
	for pos := 0; pos < i; {
		_, n := utf8.DecodeRune(line[pos:])
		column = advance(column, line[pos])
		pos += n
	}
	return column
}

// offsetOf is where a column of print begins in a line, at most its length.
func offsetOf(line []byte, column int) int {
	if head := line[:max(0, min(column, len(line)))]; ascii.Only(head) && bytes.IndexByte(head, '\t') < 0 {
		return len(head) // the usual case, and the fast test
	}
	pos := 0
	for at := 0; pos < len(line); {
		_, n := utf8.DecodeRune(line[pos:])
		if at = advance(at, line[pos]); at > column {
			break
		}
		pos += n
	}
	return pos
}

// blankAt says whether nothing stands in a column of a line.
func blankAt(line []byte, column int) bool {
	i := offsetOf(line, column)
	return i >= len(line) || ascii.Blank(line[i])
}

// chop is a line without what ends it.
func chop(line []byte) []byte { return bytes.TrimRight(line, "\r\n") }
