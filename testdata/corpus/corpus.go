// Package corpus carries the documents that the program ships: those of the
// demo, with the truth about the links in them.
package corpus

import "embed"

// Demo holds the documents of `linkcheck demo`. demo/truth.tsv lists every link
// that a careful reader finds in them, with its line or record.
//
//go:embed demo
var Demo embed.FS
