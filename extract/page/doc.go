// Package page reads what browsers show: HTML pages, the pages of mail archives,
// bookmarks and gopher menus.
//
// The files in reading order:
//
//   - mailpage.go: pages that Hypermail and MHonArc made of messages
//   - html.go: pages, token by token
//   - links.go: the links of a tag
//   - leads.go: where a reader would go on, and what a page says of itself
//   - lists.go: attributes that hold several references
//   - inside.go: what stands in style sheets, in scripts of data and in what a page tells of itself
//   - reference.go: one reference, cleaned, and the base it is relative to
//   - charset.go: the charset that a page declares
//   - pending.go: links that wait for their text
//   - bookmarks.go: bookmark files and shortcuts
//   - gophermap.go: gopher menus
package page
