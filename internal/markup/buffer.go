package markup

import "bytes"

// fill makes the byte at i available; false at the end of the page, and where the
// token would be longer than MaxToken.
func (z *Tokenizer) fill(i int) bool { return i < len(z.buf) || z.read(i) }

func (z *Tokenizer) read(i int) bool {
	for i >= len(z.buf) {
		if z.err != nil || len(z.buf)-z.from >= MaxToken {
			return false
		}
		if len(z.buf) == cap(z.buf) {
			z.buf = append(z.buf, 0)[:len(z.buf)]
		}
		n, err := z.r.Read(z.buf[len(z.buf):cap(z.buf)])
		z.buf = z.buf[:len(z.buf)+n]
		z.err = err
	}
	return true
}

// StartAt makes line and column those of the page's first byte, which are 1 and 1 else.
// It is called before Next.
func (z *Tokenizer) StartAt(line, col int) { z.line, z.col = line, col }

// Place gives the line of the token at hand and its column in bytes. Lines are counted
// where they are asked for, since most tokens say nothing that is shown.
func (z *Tokenizer) Place() (line, col int) {
	passed := z.buf[z.counted:z.from]
	z.counted = z.from
	if n := bytes.Count(passed, []byte{'\n'}); n > 0 {
		z.line += n
		z.col = 0
		passed = passed[bytes.LastIndexByte(passed, '\n'):]
	}
	z.col += len(passed)
	return z.line, z.col
}

// index gives where c stands at or behind i; -1 if it does not before the end of
// the page or of what a token may have.
func (z *Tokenizer) index(i int, c byte) int {
	for z.fill(i) {
		if n := bytes.IndexByte(z.buf[i:], c); n >= 0 {
			return i + n
		}
		i = len(z.buf)
	}
	return -1
}

// blanks goes over white space.
func (z *Tokenizer) blanks(i int) int {
	for z.fill(i) && blank(z.buf[i]) {
		i++
	}
	return i
}

// has says whether the bytes at i are the word, in any case.
func (z *Tokenizer) has(i int, word string) bool {
	return z.fill(i+len(word)-1) && bytes.EqualFold(z.buf[i:i+len(word)], []byte(word))
}

// after is the offset behind i; -1 stays.
func after(i int) int {
	if i < 0 {
		return i
	}
	return i + 1
}

// blank is white space as HTML has it.
func blank(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' }

func endsName(c byte) bool { return blank(c) || c == '/' || c == '>' }
