package archive

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"

	"linkcheck/extract/doc"
)

var (
	errNoLength  = errors.New("record without a length: read up to the next record")
	errGarbage   = errors.New("bytes between records that are no record: passed over")
	errCutRecord = errors.New("record is cut short")
)

// SniffWARC recognises WARC (ISO 28500) and ARC files.
func SniffWARC(p doc.Peek) bool {
	return p.Begins("WARC/", "filedesc://")
}

// archive is the stream of a WARC or ARC file. It is read here and by no library,
// since a record that is broken or has a wrong length must not cost the next one,
// and links are given out with the line and the offset they have in the file.
type archive struct {
	d      *doc.Document
	in     *bufio.Reader
	line   int                   // of the next byte, in the uncompressed file
	off    int64                 // of the next byte, in the uncompressed file
	stored func(off int64) int64 // from an offset in the uncompressed file to one in the file as it is stored
	lost   bool                  // passing over bytes that are no record: damage is told once
	body   *bufio.Reader         // reads one record after the other, so that all share its buffer
}

// ReadWARC reads a file of records, WARC and ARC alike.
func ReadWARC(d *doc.Document) error {
	return readRecords(d, d.In, func(off int64) int64 { return off })
}

// readRecords reads the records of in, which is the uncompressed file. stored gives for
// an offset in it the offset in the file of d from which that byte can be had.
func readRecords(d *doc.Document, in *bufio.Reader, stored func(off int64) int64) error {
	a := &archive{d: d, in: in, line: 1, body: bufio.NewReaderSize(nil, doc.ReaderSize), stored: stored}
	for !d.Stopped() {
		at, lineNumber := a.off, a.line
		line, err := a.readLine()
		if errors.Is(err, errMember) { // the error names the offset; the next read begins the next member
			d.Damage(lineNumber, err)
			continue
		}
		if len(line) == 0 {
			return doc.IgnoreEOF(err)
		}
		switch {
		case bytes.HasPrefix(line, []byte("WARC/")):
			a.lost = false
			err = a.warcRecord(at, lineNumber)
		case doc.BlankLine(line):
		default:
			if r, ok := arcHeader(line); ok {
				a.lost = false
				err = a.arcRecord(r, at)
			} else if !a.lost {
				a.lost = true
				a.damage(lineNumber, a.stored(at), errGarbage)
			}
		}
		if err != nil && err != io.EOF && !errors.Is(err, errMember) {
			return err
		}
	}
	return nil
}

// readLine takes one line; what is longer than the buffer comes in pieces.
func (a *archive) readLine() ([]byte, error) {
	line, err := a.in.ReadSlice('\n')
	a.off += int64(len(line))
	if err == nil {
		a.line++
	}
	if err == bufio.ErrBufferFull || len(line) > 0 && err == io.EOF {
		err = nil
	}
	return line, err
}

// warcRecord reads the header that follows a version line, then the block. Some writers
// put the target in angle brackets, or leave blanks in it.
func (a *archive) warcRecord(at int64, lineNumber int) error {
	r := record{length: -1, offset: a.stored(at)}
	err := headerFields(a.readLine, func(name, value string) {
		switch name {
		case "warc-type":
			r.kind = strings.ToLower(value)
		case "warc-target-uri":
			r.target = doc.WithoutControls(strings.ReplaceAll(strings.Trim(value, "<>"), " ", "%20"))
		case "warc-record-id":
			r.id = strings.Trim(value, "<>")
		case "warc-date":
			r.date = value
		case "content-type":
			r.media = value
		case "content-length":
			if n, err := strconv.ParseInt(value, 10, 64); err == nil && n >= 0 {
				r.length = n
			}
		}
	})
	if err != nil {
		a.damage(lineNumber, r.offset, errCutRecord)
		return err
	}
	return a.block(r, lineNumber)
}

// arcRecord reads the block that follows the header line of an ARC record, which does
// not say what kind of record it is: the target's scheme does. What was fetched by HTTP
// begins with the server's header; the file's own description and answers of DNS hold
// no links and are passed over, as a warcinfo record is; all else is a document.
func (a *archive) arcRecord(r record, at int64) error {
	r.offset = a.stored(at)
	switch doc.SchemeOf(r.target) {
	case "http", "https":
		r.media = "application/http"
	case "filedesc", "dns", "warcinfo":
		r.kind = "warcinfo"
	default:
		r.kind = "resource"
	}
	return a.block(r, a.line-1)
}
