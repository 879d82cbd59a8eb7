// Package marked reads text with marks for what it means: LaTeX, wikitext, AsciiDoc,
// reStructuredText, Texinfo, pages of the manual and Markdown. What the marks say is a link is given out so; all
// other text is searched as running text, its escapes undone.
//
// The files in reading order:
//
//   - language.go: the languages, by the names of their files
//   - reader.go: a document, block by block
//   - tex.go: LaTeX
//   - texcommand.go: single commands of it, and their arguments
//   - wikitext.go: wikitext
//   - asciidoc.go: AsciiDoc
//   - rst.go: reStructuredText
//   - rsttable.go: its tables, cell by cell
//   - texinfo.go: Texinfo
//   - roff.go: pages of the manual
//   - markdown.go: Markdown
//   - destination.go: where a link of Markdown leads
//   - tags.go: tags, comments and character references among the marks
//   - walker.go: a block, given out in pieces of text and links
package marked
