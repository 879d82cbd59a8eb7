package textscan

import (
	"bytes"
	"encoding/binary"
	"strings"

	"linkcheck/internal/ascii"
)

const maxPageBreak = 60 // lines, of which a page has so many, between the text of one page and that of the next

const maxLine = 2 << 10 // bytes of a line that are looked at

// lineEnd is the offset of the newline at or after i, or of the end of what is
// looked at.
func lineEnd(text []byte, i int) int {
	limit := min(len(text), i+maxLine)
	if n := bytes.IndexByte(text[i:limit], '\n'); n >= 0 {
		return i + n
	}
	return limit
}

// lineStart is the offset behind the newline before i, or of the beginning of what
// is looked at.
func lineStart(text []byte, i int) int {
	limit := max(0, i-maxLine)
	return limit + lastNewline(text[limit:i]) + 1
}

// lastNewline is bytes.LastIndexByte for a newline, eight bytes at a time.
func lastNewline(b []byte) int {
	const ones = 0x0101010101010101
	for ; len(b) >= 8; b = b[:len(b)-8] {
		zeros := binary.LittleEndian.Uint64(b[len(b)-8:]) ^ '\n'*ones
		if (zeros-ones)&^zeros&(ones<<7) != 0 {
			break
		}
	}
	return bytes.LastIndexByte(b, '\n')
}

// lineAfter gives where the text goes on behind the line end at eol: the first
// byte of the next line behind its indent and quote marks. A page break with its
// footer and header is skipped; paged says so. Behind the end of a paragraph text
// does not go on.
func lineAfter(text []byte, eol int, quote []byte) (next int, paged, ok bool) {
	next = eol + 1
	if next >= len(text) || text[eol] != '\n' {
		return 0, false, false
	}
	end := lineEnd(text, next)
	if line := text[next:end]; len(bytes.TrimSpace(trimQuote(line, quote))) == 0 || isFooter(line) || bytes.IndexByte(line, '\f') >= 0 {
		if next, ok = skipPageBreak(text, next); !ok {
			return 0, false, false
		}
		paged = true
		end = lineEnd(text, next)
	}
	return end - len(trimQuote(text[next:end], quote)), paged, true
}

// trimQuote cuts the quote mark that the line before has too, and blanks, off the
// front of a line.
func trimQuote(line, quote []byte) []byte {
	if len(quote) == 0 && len(line) > 1 && line[0] == '!' && ascii.Blank(line[1]) {
		quote = line[:1] // of a diff: a changed line behind one that was not
	}
	line = bytes.TrimLeft(line, " \t")
	if n := quoteDepth(quote); n > 0 && len(quote) > 1 {
		return trimMarks(line, n)
	}
	if len(quote) > 0 {
		line = bytes.TrimPrefix(line, quote)
	}
	return bytes.TrimLeft(line, " \t")
}

// quoteDepth counts the marks of quoting at the front of a line.
func quoteDepth(line []byte) (n int) {
	for _, c := range line {
		if c == '>' {
			n++
		} else if !ascii.Blank(c) {
			break
		}
	}
	return n
}

// trimMarks cuts up to n marks of quoting off the front of a line, however they
// are spaced: mailers that wrap quoted lines leave some out (">> a" in one line,
// "> > b" or "> b" in the next).
func trimMarks(line []byte, n int) []byte {
	for ; n > 0 && len(line) > 0 && line[0] == '>'; n-- {
		line = bytes.TrimLeft(line[1:], " \t")
	}
	return line
}

// skipPageBreak steps from the blank lines at a page's foot to the first text of
// the next page.
func skipPageBreak(text []byte, i int) (int, bool) {
	broken, header := false, false
	for range maxPageBreak {
		if i >= len(text) {
			return 0, false
		}
		end := lineEnd(text, i)
		line := text[i:end]
		if n := bytes.LastIndexByte(line, '\f'); n >= 0 {
			broken, header = true, false
			i, line = i+n+1, line[n+1:]
		}
		switch body := bytes.TrimSpace(line); {
		case len(body) == 0:
		case isFooter(line):
			broken, header = true, false
		case !broken:
			return 0, false
		case !header && isHeader(text, end):
			header = true
		default:
			return i, true
		}
		i = end + 1
	}
	return 0, false
}

// isFooter recognises the last line of a page of an RFC or draft.
func isFooter(line []byte) bool {
	line = bytes.TrimRight(line, " \t\r\f")
	if len(line) < 8 || line[len(line)-1] != ']' {
		return false
	}
	i := bytes.LastIndexByte(line, '[')
	return i >= 0 && bytes.HasPrefix(bytes.ToLower(line[i:]), []byte("[page"))
}

// isHeader says whether the line that ends at end is a page header: a blank
// line stands below it.
func isHeader(text []byte, end int) bool {
	return end+1 >= len(text) || len(bytes.TrimSpace(text[end+1:lineEnd(text, end+1)])) == 0
}

// quoteMark gives the marks that mail and news put before a quoted line, and
// comment and change marks, without blanks: "", ">", "> >", "#", "//", "<" of diff.
func quoteMark(text []byte, start int) []byte {
	line := text[lineStart(text, start):start]
	if len(line) > 1 && line[0] == '<' && ascii.Blank(line[1]) {
		return line[:1]
	}
	if i := bytes.LastIndex(line, []byte("//")); i >= 0 && i+2 < len(line) && ascii.Blank(line[i+2]) {
		if from := len(bytes.TrimRight(line[:i], "/")); from == 0 || ascii.Blank(line[from-1]) {
			return line[from : i+2]
		}
	}
	i := ascii.Skip(line, 0, func(c byte) bool { return ascii.Blank(c) || strings.IndexByte(">|:#!;%", c) >= 0 })
	return bytes.Trim(line[:i], " \t")
}

// leavesComment says whether the line behind eol is none of the comment to which quote belongs:
// in sources, what follows the last line of one is a program.
func leavesComment(text []byte, eol int, quote []byte) bool {
	return len(quote) > 0 && bytes.IndexByte([]byte("#;%/"), quote[0]) >= 0 &&
		!bytes.HasPrefix(bytes.TrimLeft(text[eol+1:lineEnd(text, eol+1)], " \t"), quote[:1])
}

// diffMark is quoteMark for references that a delimiter ends: those cannot be
// entries of a list, so "+" and "-" are marks of a diff.
func diffMark(text []byte, start int) []byte {
	quote := quoteMark(text, start)
	line := text[lineStart(text, start):start]
	if len(quote) == 0 && len(line) > 1 && (line[0] == '+' || line[0] == '-') && ascii.Blank(line[1]) {
		return line[:1]
	}
	return quote
}
