package extract

import (
	"io"
	"strings"

	"golang.org/x/text/encoding/charmap"
)

// charsetReader decodes by the name of a charset; one nobody knows is read as
// windows-1252, which every byte fits.
func charsetReader(name string, r io.Reader) (io.Reader, error) {
	switch e := lookupCharset(name); {
	case e != nil:
		return e.NewDecoder().Reader(r), nil
	case strings.EqualFold(name, "utf-8"):
		return r, nil
	}
	return charmap.Windows1252.NewDecoder().Reader(r), nil
}

// toUTF8 decodes b by the name of a charset; b itself where nobody knows the name.
func toUTF8(b []byte, name string) []byte {
	e := lookupCharset(name)
	if e == nil {
		return b
	}
	out, err := e.NewDecoder().Bytes(b)
	if err != nil {
		return b
	}
	return out
}
