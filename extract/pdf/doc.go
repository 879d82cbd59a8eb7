// Package pdf reads PDF (ISO 32000) as its reader sees it: what can be clicked, and addresses
// in the text of pages, as a viewer shows it.
//
// The files in reading order:
//
//   - pdf.go: the door
//   - pages.go: the page tree
//   - annotation.go: what can be clicked
//   - xref.go: cross-references, which say where objects are
//   - rebuild.go: objects looked for in the file, where these are damaged
//   - load.go: objects, wherever they are
//   - packed.go: object streams
//   - table.go: the entries of cross-references
//   - filter.go: streams as they were before they were packed
//   - predictor.go: predictors, LZW
//   - crypt.go: encryption
//   - parse.go: objects of tokens
//   - lexer.go: tokens of octets
//   - value.go: the kinds of objects
package pdf
