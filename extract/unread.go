package extract

import (
	"errors"

	"linkcheck/extract/doc"
)

// readNothing is for documents that hold no links.
func readNothing(*doc.Document) error { return nil }

// readForeign names the format of a document that nothing here reads.
func readForeign(d *doc.Document) error {
	head, _ := d.In.Peek(doc.SniffSize)
	return &doc.Foreign{Kind: doc.Peek{Head: head}.Foreign()}
}

// readBinary reports that a file was passed over: it may be a damaged document.
func readBinary(*doc.Document) error { return errBinary }

var errBinary = errors.New("binary data of no known kind: passed over")
