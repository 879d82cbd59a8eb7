package mail

import (
	"bytes"

	"linkcheck/extract/doc"
	"linkcheck/extract/textscan"
)

// flow joins the lines of format=flowed text to the paragraphs that their author
// wrote (RFC 3676 section 4).
type flow struct {
	on, delsp bool
	depth     int  // of quoting, of the line before
	open      bool // the line before ended in a soft break: this one continues it
}

// line takes a piece of text; start says that it begins a line.
func (f *flow) line(out *textscan.Feed, text []byte, number, column int, start bool) {
	if f.on && start {
		rest := bytes.TrimLeft(text, ">")
		depth := len(text) - len(rest)
		rest = bytes.TrimPrefix(rest, []byte(" ")) // space-stuffing
		if depth != f.depth || f.open && isSignature(rest) {
			out.Add([]byte{'\n'}, 0, 0) // no line goes on over a change of quoting or into a signature
			f.open = false
		}
		f.depth = depth
		if column > 0 {
			column += len(text) - len(rest)
		}
		text = rest
	}
	if f.on && bytes.HasSuffix(text, []byte{'\n'}) {
		line := doc.Chop(text)
		f.open = bytes.HasSuffix(line, []byte{' '}) && !isSignature(line)
		if f.open {
			text = line
		}
		if f.open && f.delsp {
			text = line[:len(line)-1]
		}
	}
	out.Add(text, number, column)
}

// end ends the last paragraph.
func (f *flow) end(out *textscan.Feed) {
	if f.open {
		out.Add([]byte{'\n'}, 0, 0)
	}
	*f = flow{}
}

func isSignature(line []byte) bool { return string(doc.Chop(line)) == "-- " }
