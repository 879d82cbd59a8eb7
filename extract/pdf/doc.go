// Package pdf reads PDF (ISO 32000) as its reader sees it: what can be clicked, and addresses
// in the text of pages, as a viewer shows it.
//
// The files in reading order:
//
//   - pdf.go: Read, and memory that the next document uses
//   - pages.go: the page tree
//   - search.go: the links of a page in order
//   - addresses.go: addresses in the lines of a block
//   - join.go: links in several annotations, contents in several streams
//   - annotation.go: what can be clicked, and what text stands under it
//   - lines.go: the text of a page in lines of columns and cells
//   - rows.go: what stands at one height, and which gaps part it
//   - blocks.go: lines that follow on one another, and how far they go
//   - content.go: contents and forms, operator by operator
//   - textstate.go: where glyphs stand
//   - layout.go: glyphs that stand close to one another
//   - font.go, composite.go: what codes stand for, and how wide glyphs are
//   - cmap.go: tables of codes and characters
//   - glyphnames.go: names of glyphs, widths of standard fonts, characters as addresses have them
//   - rebuild.go: objects looked for in the file, where cross-references are damaged
//   - xref.go: cross-references, which say where objects are
//   - crypt.go, cbc.go: encryption
//   - packed.go: object streams, the entries of cross-references
//   - filter.go: streams as they were before they were packed
//   - predictor.go: predictors, LZW
//   - load.go: objects, wherever they are
//   - parse.go: objects of tokens, and their kinds
//   - lexer.go: tokens of octets
package pdf
