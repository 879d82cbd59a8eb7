package prospero

import (
	"strings"
	"testing"
)

// The attribute that says where an object is really fetched is shown, else the first.
func TestLocator(t *testing.T) {
	const size, local = "ATTRIBUTE OBJECT INTRINSIC SIZE ASCII '7 bytes'\n", "ATTRIBUTE OBJECT INTRINSIC ACCESS-METHOD SEQUENCE LOCAL '' '' '' ''\n"
	const aftp, short = "ATTRIBUTE OBJECT INTRINSIC ACCESS-METHOD SEQUENCE AFTP INTERNET-D h ASCII /f BINARY\n", "ATTRIBUTE OBJECT INTRINSIC ACCESS-METHOD SEQUENCE\n"
	for text, want := range map[string]string{
		"": "", "SUCCESS\n": "", size: size, size + aftp: aftp, aftp + size: aftp, local + aftp: aftp, local + size: local, short + aftp: aftp,
		"ATTRIBUTE OBJECT INTRINSIC ACCESS-METHOD SEQUENCE WAIS\n" + size: "ATTRIBUTE OBJECT INTRINSIC ACCESS-METHOD SEQUENCE WAIS\n",
		size + "ATTRIBUTE OBJECT INTRINSIC ACCESS-METHOD SEQUENCE WAIS\n": "ATTRIBUTE OBJECT INTRINSIC ACCESS-METHOD SEQUENCE WAIS\n",
	} {
		joined := strings.Join(tokens(strings.TrimSuffix(want, "\n")), " ")
		if got := locator(text); got != joined {
			t.Errorf("%q: %q, want %q", text, got, joined)
		}
	}
}
