package xmltoken_test

import (
	"bufio"
	"bytes"
	"io"
	"strings"
	"testing"

	"linkcheck/extract/doc"
	"linkcheck/extract/xmltoken"
)

// FuzzTokens: the tokens put together are what was read, each begins where the one before it
// ended, and no name has a blank.
func FuzzTokens(f *testing.F) {
	for _, seed := range []string{
		"<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b 'c'>]>\n<a b='1>2' c = \"d\ne\" f=g><!-- <h> -->i &amp; j<k/><![CDATA[<l>]]></a>",
		"a << b <<<c> < d & <e f='", "<a b></a ><_/><\xc3\xa9/></>", "<!-- a", "<![CDATA[ a ]]", "<!DOCTYPE a [",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data string) {
		tokens, read := xmltoken.New(bufio.NewReaderSize(strings.NewReader(data), 16)), 0 // so that tokens are longer than the buffer
		for tokens.Next() {
			if line, col := doc.Advance([]byte(data[:read]), 1, 1); line != tokens.Line || col != tokens.Col {
				t.Fatalf("%q at %d:%d, want %d:%d", tokens.Raw, tokens.Line, tokens.Col, line, col)
			}
			if !strings.HasPrefix(data[read:], string(tokens.Raw)) || len(tokens.Raw) == 0 {
				t.Fatalf("%q is not next in %q", tokens.Raw, data[read:])
			}
			read += len(tokens.Raw)
			if tokens.Kind != xmltoken.Start && tokens.Kind != xmltoken.End {
				continue
			}
			if strings.ContainsAny(tokens.Name, " \t\r\n>/") {
				t.Errorf("name %q", tokens.Name)
			}
			tokens.Attrs(func(name string, value []byte, off int) {
				if !bytes.HasPrefix(tokens.Raw[off:], value) || strings.ContainsAny(name, " \t\r\n=>") {
					t.Errorf("attribute %q of %q: %q at %d", name, tokens.Raw, value, off)
				}
			})
		}
		if read != len(data) || tokens.Err != io.EOF && tokens.Err != xmltoken.ErrCut {
			t.Errorf("%d of %d octets read: %v", read, len(data), tokens.Err)
		}
	})
}
