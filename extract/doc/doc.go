// Package doc is the document that is being read: what every reader of a format
// needs, and nothing that only one of them does. It knows no format.
//
// A reader is a func(*Document) error. It reads d.In, gives out links by d.Yield
// and damage of one stretch by d.Damage; both say false when the caller wants no
// more. The error it returns becomes one *Damage of the whole document. What has a
// format of its own is never read by another reader directly:
//
//   - A member of a container is d.Member(name, r).Read(): sniffed as a file is,
//     its path joined to those around it by "!".
//   - A part of the same file, such as a MIME part or the body of a WARC record, is
//     d.Part(r, adjust). Its findings pass through adjust, which sets the record and
//     the locator and maps lines back to those of the file. Then p.Read(), or
//     p.Nest("html") where the format is known.
//
// The files in reading order:
//
//   - document.go: a document, its members and parts, and Nest, the way back to the list of formats
//   - found.go: what is given out (Found, Damage, Foreign) and how documents are read (Options)
//   - plain.go: strings that are given out as they are, and those that are not
//   - names.go: the names by which links ask for messages and parts
//   - media.go: media types, and what data looks like that has none
//   - peek.go: what a sniffer sees of a document
//   - charset.go: which charset a document is in, and its text in UTF-8
//   - guess.go: which charset it is in where it does not say so
//   - lines.go: a document line by line
//   - locations.go: where decoded text stands in the file
//   - memory.go: what the next document of a source uses again
//   - text.go: lines and columns, one-line contexts, escapes, and what is cut of them
package doc
