package ftp

import (
	"testing"

	"linkcheck/check/checktest"
	"linkcheck/uri"
)

func parse(s string) uri.URI {
	u, err := uri.Parse(s)
	if err != nil {
		panic(err)
	}
	return u
}

func TestSuite(t *testing.T) {
	checktest.Run(t, checktest.Case{
		New:      New,
		URL:      "ftp://anonymous:secret@{at}/pub/f",
		Speaks:   "ftp",
		Greeting: "220 ready\r\n",
		Reply:    "230 in\r\n",
		Lying:    []string{"220-hello\r\n", "230-a\r\n331 b\r\n", "999 x\r\n", "229 (|||99999999|)\r\n"},
		Never:    []string{"secret"},
		Control:  []uri.URI{&uri.FTP{Dirs: []string{"a\r\nDELE b"}}, &uri.FTP{Name: "a\x00"}, &uri.FTP{User: &uri.User{Name: "a\nb"}}},
	})
}
