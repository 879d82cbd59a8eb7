package mail

import (
	"bytes"
	"cmp"
	"errors"
	"strconv"

	"linkcheck/extract/doc"
)

var (
	errBatchLength = errors.New("article of a batch is not as long as its line says: read up to the next")
	errBatchCoding = errors.New("news batch in a coding that is not read here")
)

// SniffRnews recognises a batch of news articles.
func SniffRnews(p doc.Peek) bool {
	line, _, _ := bytes.Cut(p.Head, []byte{'\n'})
	word, ok := bytes.CutPrefix(line, []byte("#! "))
	return ok && (bytes.HasPrefix(word, []byte("rnews")) || len(word) < 12 && bytes.HasSuffix(word, []byte("unbatch")))
}

// ReadRnews reads a batch: "#! rnews LENGTH" and an article, again and again
// (RFC 1036 section 4.3). An article ends by its length, or, where that is
// wrong, at the next such line.
func ReadRnews(d *doc.Document) error {
	head, _ := d.In.Peek(12)
	if !bytes.HasPrefix(head, []byte("#! rnews")) {
		return readPackedBatch(d)
	}
	lines, m := d.Lines(), newMessage(d)
	var end int64 // of the article at hand
	for line, start := range lines.All() {
		if start && lines.End > end && bytes.HasPrefix(line, []byte("#! rnews ")) {
			n, bad := strconv.ParseInt(string(bytes.TrimSpace(line[9:])), 10, 64)
			before := lines.End - int64(len(line))
			m.end(false)
			m.reset()
			if before > 0 && before != end || bad != nil {
				d.Damage(lines.Number, errBatchLength)
			}
			end = lines.End + max(n, 0)
			if !batchAhead(d, n) {
				end = 0
			}
			continue
		}
		m.line(line, lines.Number, start)
	}
	m.end(true)
	return lines.Err()
}

// batchAhead says whether the length of an article leads to the next batch line
// or to the end, as far as can be seen from here.
func batchAhead(d *doc.Document, n int64) bool {
	if n < 0 || n > doc.ReaderSize-16 {
		return n > 0
	}
	d.Tried(int(n) / peekTried)
	ahead, err := d.In.Peek(int(n) + 9)
	if int64(len(ahead)) < n {
		return false
	}
	rest := ahead[n:]
	return bytes.HasPrefix(rest, []byte("#! rnews ")) || err != nil && doc.BlankLine(rest)
}

// readPackedBatch reads a batch behind a line that names the program it was packed
// with. Lines are those of the unpacked batch.
func readPackedBatch(d *doc.Document) error {
	line, err := d.In.ReadSlice('\n')
	if err != nil {
		return cmp.Or(doc.IgnoreEOF(err), errBatchCoding)
	}
	d.Name = "" // it says nothing of what was packed
	switch {
	case bytes.HasPrefix(line, []byte("#! gunbatch")):
		return d.Nest("gzip")
	case bytes.HasPrefix(line, []byte("#! cunbatch")):
		return d.Nest("compress")
	}
	return errBatchCoding
}
