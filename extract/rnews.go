package extract

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"io"
	"strconv"

	"github.com/klauspost/compress/gzip"
)

var (
	errBatchLength = errors.New("article of a batch is not as long as its line says: read up to the next")
	errBatchCoding = errors.New("news batch in a coding that is not read here")
)

// sniffRnews recognises a batch of news articles.
func sniffRnews(p peek) bool {
	line, _, _ := bytes.Cut(p.head, newline)
	word, ok := bytes.CutPrefix(line, []byte("#! "))
	return ok && (bytes.HasPrefix(word, []byte("rnews")) || len(word) < 12 && bytes.HasSuffix(word, []byte("unbatch")))
}

// readRnews reads a batch: "#! rnews LENGTH" and an article, again and again
// (RFC 1036 section 4.3). An article ends by its length, or, where that is
// wrong, at the next such line.
func readRnews(d *doc) error {
	head, _ := d.in.Peek(12)
	if !bytes.HasPrefix(head, []byte("#! rnews")) {
		return readPackedBatch(d)
	}
	lines, m := newRawLines(d.in), newMessage(d)
	var end int64 // of the article at hand
	for first := true; !d.out.stopped; first = false {
		line, start, err := lines.next()
		if len(line) == 0 {
			m.end(true)
			return eofIsNil(err)
		}
		if start && lines.read > end && bytes.HasPrefix(line, []byte("#! rnews ")) {
			n, bad := strconv.ParseInt(string(bytes.TrimSpace(line[9:])), 10, 64)
			before := lines.read - int64(len(line))
			m.end(false)
			m.reset()
			if !first && before != end || bad != nil {
				d.damage(lines.number, errBatchLength)
			}
			end = lines.read + max(n, 0)
			if !batchAhead(lines.in, n) {
				end = 0
			}
			continue
		}
		m.line(line, lines.number, start)
	}
	return nil
}

// batchAhead says whether the length of an article leads to the next batch line
// or to the end, as far as can be seen from here.
func batchAhead(in *bufio.Reader, n int64) bool {
	if n < 0 || n > readerSize-16 {
		return n > 0
	}
	ahead, err := in.Peek(int(n) + 9)
	if int64(len(ahead)) < n {
		return false
	}
	rest := ahead[n:]
	return bytes.HasPrefix(rest, []byte("#! rnews ")) || err != nil && blankLine(rest)
}

// readPackedBatch reads a batch behind a line that names its packer. Lines are
// those of the unpacked batch.
func readPackedBatch(d *doc) error {
	line, err := d.in.ReadSlice('\n')
	if err != nil {
		return cmp.Or(eofIsNil(err), errBatchCoding)
	}
	in := &counted{r: d.in}
	var z io.Reader
	switch {
	case bytes.HasPrefix(line, []byte("#! gunbatch")):
		z, err = gzip.NewReader(in)
	case bytes.HasPrefix(line, []byte("#! cunbatch")):
		z, err = newUnlzw(in)
	default:
		err = errBatchCoding
	}
	if err != nil {
		return err
	}
	p := d.part(&unpacked{r: z, in: in, limits: d.limits}, func(*Found) {})
	p.sniffAndRead()
	return nil
}
