package secret_test

import (
	"fmt"

	"linkcheck/uri/secret"
)

func ExampleMask() {
	fmt.Println(secret.Mask("ftp://ann:secret@ftp.example.org/pub"))
	fmt.Println(secret.Mask("http://a.example/?url=ftp%3A%2F%2Fann%3Ap%40ss%40ftp.example.org"))
	// Output:
	// ftp://ann:***@ftp.example.org/pub
	// http://a.example/?url=ftp%3A%2F%2Fann%3A***%40ftp.example.org
}

func ExampleMaskText() {
	fmt.Println(secret.MaskText("ask bob@example.org about http://a.example:80/ or ftp://ann:pass word@b.example"))
	// Output: ask bob@example.org about http://a.example:80/ or ftp://ann:***@b.example
}
