package secret

import "testing"

func TestMask(t *testing.T) {
	for _, c := range [][2]string{
		{"ftp://u:secret@h.dom/f", "ftp://u:***@h.dom/f"},
		{"ftp://u:@h.dom/f", "ftp://u:@h.dom/f"},
		{"ftp://u:@p@h.dom/f", "ftp://u:***@h.dom/f"},
		{"ftp://u@h.dom/f", "ftp://u@h.dom/f"},
		{"ftp://u:a:b@c@h.dom/f", "ftp://u:***@h.dom/f"},
		{"ftp://u:se/cret@h.dom/f", "ftp://u:***@h.dom/f"},
		{"ftp://u:se cret@h.dom/f", "ftp://u:***@h.dom/f"},
		{"//u:p@h/", "//u:***@h/"},
		{"http://h.dom:80/a@b", "http://h.dom:80/a@b"},
		{"http://[::1]:80/a@b", "http://[::1]:80/a@b"},
		{"http://p.dom/ftp://u:p@h/", "http://p.dom/ftp://u:***@h/"},
		{"mailto:a@b.c", "mailto:a@b.c"},
		{"bad ftp://u:p@h", "bad ftp://u:***@h"},
		{"news:a@b.c", "news:a@b.c"},
		{"ftp:u:p@h/x", "ftp:u:***@h/x"},
		{"http:/u:p@h/x", "http:/u:***@h/x"},
		{`http:\\u:p@h`, `http:\\u:***@h`},
		{`x:u:p@h`, `x:u:***@h`},
		{`x:/u:p@h`, `x:/u:***@h`},
		{`x:///u:p@h`, `x:///u:***@h`},
		{`jar:http://u:p@h/a.jar!/x`, `jar:http://u:***@h/a.jar!/x`},
		{`http%3A%2F%2Fu%3Ap%40h`, `http%3A%2F%2Fu%3A***%40h`},
		{`http%253A%252F%252Fu%253Ap%2540h`, `http%253A%252F%252Fu%253A***%2540h`},
		{`http://a/?url=ftp%3A%2F%2Fu%3Ap%40h`, `http://a/?url=ftp%3A%2F%2Fu%3A***%40h`},
		{`http:\/\/u:p@h`, `http:\/\/u:***@h`},
		{`http://u&#58;p&#x40;h`, `http://u&#58;***&#x40;h`},
		{`https://medium.com/@user`, `https://medium.com/@user`},
		{`https://host:8080/x@y`, `https://host:8080/x@y`},
		{`file:///C:/x@y`, `file:///C:/x@y`},
		{`http://CORP\ann:p@h`, `http://CORP\ann:***@h`},
		{`http://u:1234@h`, `http://u:***@h`},
		{`git@host:path/x@y`, `git@host:path/x@y`},
		{`http://ann@corp.example:p@h/`, `http://ann@corp.example:***@h/`},
	} {
		if got := Mask(c[0]); got != c[1] {
			t.Errorf("%s: %s; want %s", c[0], got, c[1])
		}
	}
}

func TestMaskText(t *testing.T) {
	for _, c := range [][2]string{
		{"see http://a.example/ or mail bob@example.org", "see http://a.example/ or mail bob@example.org"},
		{"see http://a.example:80/ or mail bob@example.org", "see http://a.example:80/ or mail bob@example.org"},
		{"http://u:p q@h", "http://u:***@h"},
		{"> http://u:p\n> q@h", "> http://u:***@h"},
		{"note:to:ann", "note:to:ann"},
		{"note:to:ann and bob@example.org", "note:to:***@example.org"},
		{"see urn:isbn:0-395-36341-1 or ask bob@example.org", "see urn:isbn:0-395-36341-1 or ask bob@example.org"},
		{`style="a:b;c:d" bob@example.org`, `style="a:b;c:d" bob@example.org`},
		{"see http://u:pass", "see http://u:***"},
		{"http://host:port/path", "http://host:port/path"},
		{"http://f:/c", "http://f:/c"},
	} {
		if got := MaskText(c[0]); got != c[1] {
			t.Errorf("%s: %s; want %s", c[0], got, c[1])
		}
	}
}

func FuzzMask(f *testing.F) {
	f.Add("ftp://:@A#:@")
	f.Add("//a:%4")
	f.Fuzz(func(t *testing.T, s string) {
		if m := Mask(s); Mask(m) != m {
			t.Fatalf("%q: %q, then %q", s, m, Mask(m))
		}
		if m := MaskText(s); MaskText(m) != m {
			t.Fatalf("%q: %q, then %q", s, m, MaskText(m))
		}
	})
}
