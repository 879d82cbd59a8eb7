// Package office reads what office programs and typesetters of books write: Office Open XML
// (ECMA-376: DOCX, XLSX, PPTX), OpenDocument (ISO 26300: ODT, ODS, ODP), EPUB and RTF.
//
// A document is read as its reader sees it: links where they stand, and addresses in
// visible text, the pieces of a paragraph joined. What a program keeps beside that (layouts,
// deleted and hidden text, properties, embedded files) is not read.
//
// The files in reading order:
//
//   - office.go: which kind of document a zip file is
//   - slides.go: presentations
//   - sheet.go: sheets of cells
//   - columns.go: what the columns of a sheet hold, and the links of its rows
//   - strings.go: the strings that cells share, and the ranges that are links
//   - story.go: text of Office Open XML: paragraphs, runs, fields, shapes
//   - inside.go: what stands in a run, and which relations are links
//   - odf.go: OpenDocument
//   - epub.go: EPUB, and what a page of a book shows
//   - rtf.go: RTF
//   - rtfword.go: what a control word of RTF means
//   - flow.go: a paragraph that is put together, and its links in order
//   - field.go: HYPERLINK fields and formulas
//   - parts.go: the parts of a package, and their relations
package office
