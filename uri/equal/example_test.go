package equal_test

import (
	"fmt"

	"linkcheck/uri"
	"linkcheck/uri/equal"
)

func ExampleRules_Compare() {
	var rules equal.Rules
	for _, b := range []string{"http://www.example.org/", "https://www.example.org/", "http://www.example.org/b"} {
		c := rules.Compare("HTTP://www.example.org:80", b)
		fmt.Println(c.Equality, c.Level, c.Reasons)
	}
	// Output:
	// dup scheme [scheme-case port-default path-empty]
	// maybe heuristic [scheme-case port-default path-empty http-https]
	// not - []
}

func ExampleRules_Explain() {
	u, err := uri.Parse("info:lccn/85-2")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, step := range (equal.Rules{}).Explain(u) {
		fmt.Println(step.Level, step.Code, step.Section)
	}
	// Output:
	// registry lccn-hyphen reg:lccn
	// registry lccn-zero-fill reg:lccn
}

func ExampleRules_Describe() {
	d := equal.Rules{}.Describe("<URL:ftp://ftp.example.org/pub/>")
	fmt.Println(d.Valid, d.Keys.Scheme)
	fmt.Println(string(d.Components))
	// Output:
	// yes ftp://ftp.example.org/pub/
	// {"cwd":["pub"],"host":"ftp.example.org","name":"","password":null,"port":21,"type":null,"user":null}
}

func ExampleRules_Group() {
	for _, g := range (equal.Rules{}).Group([]string{"telnet://h.example", "telnet://h.example/", "telnet://other.example/"}) {
		fmt.Println(g.Level, g.Equality, g.Preferred, g.Spellings)
	}
	// Output: scheme dup telnet://h.example/ [telnet://h.example telnet://h.example/]
}
