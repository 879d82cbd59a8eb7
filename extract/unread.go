package extract

import (
	"errors"

	"linkcheck/extract/doc"
)

// The readers of documents that are not read.

// readNothing is for documents that hold no links.
func readNothing(*doc.Document) error { return nil }

// readForeign names the format of a document that nothing here reads.
func readForeign(d *doc.Document) error {
	head, _ := d.In.Peek(doc.SniffSize)
	return &doc.Foreign{Kind: doc.Peek{Head: head}.Foreign()}
}

// readBinary says that a file was passed over: it may be a document that was spoiled.
func readBinary(*doc.Document) error { return errBinary }

var errBinary = errors.New("binary data of no known kind: passed over")
