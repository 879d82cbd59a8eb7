// Package walls knows what stands before a page, or in its place: login pages, walls
// against programs, pages of domain sellers, error pages that pass for a success, pages
// that a script makes, and pages whose text is not open to the reader. It judges what
// it is given and asks nobody. What it looks for is data: walls.toml and access.toml,
// to which an operator adds files of the same form.
//
// The files, in reading order:
//
//	walls.go    Rules, Page, and the questions that can be asked of a page
//	login.go    login pages, by address, title and form
//	titles.go   the parts of a title
//	access.go   whether the text of a page is open
//	rules.go    the lists, read from TOML, and hosts in a list
//	finder.go   many texts sought in a page at once
package walls
