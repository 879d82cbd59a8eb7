package uri_test

import (
	"fmt"

	"linkcheck/uri"
)

func ExampleParse() {
	u, err := uri.Parse("gopher://gopher.example.org/00/About%20us")
	if err != nil {
		fmt.Println(err)
		return
	}
	g := u.(*uri.Gopher)
	at, _ := g.Endpoint()
	fmt.Println(at.Host, at.Port)
	fmt.Printf("type %c, selector %q\n", g.Type, g.Selector)
	fmt.Println(uri.SchemeKey(u))

	_, err = uri.Parse("ftp://ftp.example.org/a%0D%0AQUIT")
	fmt.Println(err)
	// Output:
	// gopher.example.org 70
	// type 0, selector "0/About us"
	// gopher://gopher.example.org/00/About%20us
	// ftp: ftp-path-crlf
}

// An archive holds what the specifications do not allow. What is harmless is read,
// and says why it is lax.
func ExampleURI() {
	for _, s := range []string{"ftp://host.example/a;b", "news://news.example/comp.os", "telnet://host.example/"} {
		u, err := uri.Parse(s)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(u, u.Validity(), u.Code())
	}
	// Output:
	// ftp://host.example/a;b lax ftp-raw-semicolon
	// news://news.example/comp.os ext 5538-server
	// telnet://host.example/ yes
}

func ExampleResolve() {
	fmt.Println(uri.Resolve("http://www.example.org/a/b.html", "../c.html#d"))
	fmt.Println(uri.Resolve("gopher://gopher.example.org/1/a", "b"))
	// Output:
	// http://www.example.org/c.html#d <nil>
	//  gopher: relative-refused
}
