// Package textscan finds references in running text: plain text, and the text of
// messages, pages and records. Scanning looks for the few bytes without which there
// is no reference, a colon, "www." or "//", and judges what stands around them.
//
// The files in reading order:
//
//   - text.go: the reader of plain text
//   - overstrike.go: bold and underlined letters of printers
//   - frontpage.go: number, title and date of RFCs and drafts
//   - feed.go: text that arrives in pieces, each with its line and column
//   - scan.go: goes through text from one candidate to the next
//   - wrapped.go: references that a bracket, quotes or "URL:" delimit
//   - bare.go: references that nothing delimits
//   - slip.go: addresses whose scheme is mistyped
//   - hostpath.go: host:/path and www.host, without a scheme
//   - prose.go: "anonymous ftp to HOST in /dir"
//   - cells.go: a reference that goes on in the lines of its cell or column
//   - grid.go: where the cells of a row begin and end
//   - print.go: columns of print
//   - join.go: whether a reference goes on in the next line
//   - evidence.go: what speaks for that, and what against it
//   - quoting.go: quoted-printable that was not decoded
//   - spelling.go: what must follow a scheme's colon; strings that are one reference and nothing else
//   - wrapper.go: what stands right before a reference
//   - bounds.go: where a reference that nothing delimits ends
//   - words.go: hosts, file names and words as they stand in text
//   - lines.go: line ends, quote marks and page breaks of text
//   - tried.go: what a candidate costs
//   - cursor.go: the lines and columns of offsets in a text
package textscan
