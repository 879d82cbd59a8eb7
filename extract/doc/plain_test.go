package doc

import (
	"context"
	"strings"
	"testing"

	"linkcheck/extract/budget"
	"linkcheck/uri/secret"
)

// FuzzYield: what is given out, and what it is charged for, are the same whether a string
// is known to be plain or not.
func FuzzYield(f *testing.F) {
	for _, s := range []string{"", "http://a.example/b", "http://u:p@a.example/", "see //u:pass", "//b/c", "b.html", "a\x00b\r\n", `say "\"`, "é\x85\u2028", "\xe9t\xe9",
		"ftp%3A%2F%2Fu%3Ap%40h", "//u&#58;p&commat;h/", "x\x7f", "word //u:pa ss", "http://ann:secret"} {
		f.Add(s, s, s, "")
		f.Add("http://a.example/"+s, s, "in "+s, "http://ann:secret@a.example/")
		f.Add(s, "", "http://u:"+s, s)
	}
	f.Add("", "", strings.Repeat("a title that is cut; ", 1+maxTitle/20), "")
	f.Fuzz(func(t *testing.T, uri, raw, around, base string) {
		given := Found{URI: uri, Raw: raw, Context: around, Title: around, Record: raw, Locator: uri}
		want := expected(given, base)
		b, stop := budget.New(context.Background(), budget.Limits{}, 0)
		defer stop()
		n := 0
		d := New(given.Source, strings.NewReader(""), b, Options{Base: base}, nil, func(got Found, err error) bool {
			if n++; err != nil || got != want {
				t.Errorf("%v, %+v; want %+v", err, got, want)
			}
			return true
		})
		for range 2 { // the second time from what was kept
			d.Yield(given)
		}
		if n != 2 {
			t.Errorf("%d links", n)
		}
		for _, plainRef := range []bool{false, plain(want.URI) && plain(want.Raw)} {
			for _, plainContext := range []bool{false, plain(want.Context)} {
				if got := want.rowSize(plainRef, plainContext); got != expectedSize(want) {
					t.Errorf("%+v is charged as %d, want %d", want, got, expectedSize(want))
				}
			}
		}
	})
}

// expected is what Yield makes of f, string by string.
func expected(f Found, base string) Found {
	f.URI = strings.NewReplacer("\x00", "", "\r", "", "\n", "").Replace(f.URI)
	f.Scheme = SchemeOf(f.URI)
	f.Raw, f.Context, f.Title = strings.ToValidUTF8(f.Raw, "\uFFFD"), strings.ToValidUTF8(f.Context, "\uFFFD"), strings.ToValidUTF8(f.Title, "\uFFFD")
	hides := secret.HoldsSure // what a user with a slash begins may be a path: it is hidden, and tears nothing
	f.Torn = f.URI != f.Raw && !hides(f.URI) && (hides(f.Raw) || SchemeOf(f.Raw) == "" && hides(base))
	if len(f.Title) > maxTitle {
		f.Title = Shown([]byte(f.Title), maxTitle)
	}
	for _, s := range []*string{&f.Context, &f.Title, &f.Record, &f.Locator} {
		*s = secret.MaskText(*s)
	}
	return f
}

// expectedSize is the length of the row of f, octet by octet.
func expectedSize(f Found) int {
	n := 160 + len(f.Scheme) + len(f.Locator) + len(f.Context) + strings.Count(f.Context, `"`) + strings.Count(f.Context, `\`)
	for _, c := range []byte(f.URI + f.Raw + f.Record) {
		switch {
		case c < ' ', c == 0x7f:
			n += len(`\u0000`)
		case c == '"', c == '\\':
			n += 2
		case c == 0xc2, c == 0xe2, c == 0xd8:
			n += 5
		default:
			n++
		}
	}
	return n
}
