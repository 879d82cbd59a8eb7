package extract

import "errors"

// The readers of documents that are not read.

// readNothing is for documents that hold no links.
func readNothing(*Document_) error { return nil }

// readForeign names the format of a document that nothing here reads.
func readForeign(d *Document_) error {
	head, _ := d.In.Peek(SniffSize)
	return &Foreign{Kind: Peek{Head: head}.Foreign()}
}

// readBinary says that a file was passed over: it may be a document that was spoiled.
func readBinary(*Document_) error { return errBinary }

var errBinary = errors.New("binary data of no known kind: passed over")
