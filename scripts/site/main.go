// Command site makes the site of documentation of files and folders of Markdown:
//
//	go run ./scripts/site bin/site docs SECURITY.md CONTRIBUTING.md CHANGELOG.md bin/reference
//
// What linkcheck man --reference wrote is one of them, so the reference is that of the
// program of the day. The site is plain files, without scripts; any web server will do.
package main

import (
	"fmt"
	"os"

	"linkcheck/scripts/site/pages"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: site FOLDER SOURCE...")
		os.Exit(2)
	}
	n, err := pages.Build(os.Args[1], os.Args[2:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
	fmt.Printf("site: %d pages in %s\n", n, os.Args[1])
}
