package extract_test

import (
	"fmt"
	"strings"

	"linkcheck/extract"
)

// A reference that is broken over a line end is put together; what only looks like
// one is passed over.
func ExampleDocument_text() {
	text := "Further reading: <URL:ftp://ds.in\n      ternic.net/rfc>, or ftp.uu.net:/doc/README.\nNote: 10:30 is no reference.\n"
	for found, err := range extract.Document("note.txt", strings.NewReader(text), extract.Options{}) {
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(found.Location(), found.How, found.URI)
	}
	// Output:
	// note.txt:1:23 url-prefix ftp://ds.internic.net/rfc
	// note.txt:2:27 hostpath ftp://ftp.uu.net/doc/README
}

// Relative references are resolved against the base of the page, or that of the
// options.
func ExampleDocument_html() {
	page := `<title>A page</title>
<a href="sub/next.html">next</a> <img src=/pics/i.gif>`
	options := extract.Options{Base: "http://host.example/dir/"}
	for found, err := range extract.Document("page.html", strings.NewReader(page), options) {
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Printf("%s %s %q in %q\n", found.How, found.URI, found.Context, found.Title)
	}
	// Output:
	// href http://host.example/dir/sub/next.html "next" in "A page"
	// src http://host.example/pics/i.gif "" in "A page"
}

// Damage stands between findings: what follows it is read all the same.
func ExampleDamage() {
	mail := "From: a@host.example\nSubject: parts\nContent-Type: multipart/mixed\n\nsee http://host.example/\n"
	for found, err := range extract.Document("1.eml", strings.NewReader(mail), extract.Options{}) {
		if err != nil {
			fmt.Println("damage:", err)
			continue
		}
		fmt.Println(found.Location(), found.Locator, found.URI)
	}
	// Output:
	// damage: 1.eml:1: multipart without a boundary: read as text
	// 1.eml:5:5 part 1 http://host.example/
}

// NameOf tells which message a link asks for that names no server.
func ExampleNameOf() {
	fmt.Println(extract.NameOf("news:1@host.example"))
	fmt.Println(extract.NameOf("mid:1@host.example/logo@host.example"))
	fmt.Printf("%q\n", extract.NameOf("http://host.example/"))
	// Output:
	// mid:1@host.example
	// mid:1@host.example logo@host.example
	// ""
}
