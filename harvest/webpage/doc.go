// Package webpage reads what web servers and the pages of a site say of other pages:
// listings of folders, sitemaps, the head of a page, and the archives of mailing lists. It
// is pure.
//
// The files in reading order:
//   - listing.go: pages that web servers make of folders
//   - sitemap.go: sitemaps of all forms
//   - head.go: what a page says of itself
//   - said.go: whether what a page says was said before
//   - mailarchive.go: pages of an archive that show what others have
package webpage
