package secret

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// FuzzMask: no octet of a password is left, and what is masked is masked for good.
func FuzzMask(f *testing.F) {
	f.Add("see ", "ftp://:@A#:@", "secret")
	f.Add("//a:%4", " and on", "p%4")
	f.Add("", "", "@/?#")
	f.Add("http&#58;//ann&colon;", "&#x40;h %3ftoken%3D1", "&commat;\\u0040\\x3a%253a")
	f.Fuzz(func(t *testing.T, before, behind, password string) {
		for _, s := range []string{before + behind, before + "ftp://ann:" + password + "@h" + behind} {
			if m := Mask(s); Mask(m) != m {
				t.Fatalf("%q: %q, then %q", s, m, Mask(m))
			}
			if m := MaskText(s); MaskText(m) != m {
				t.Fatalf("%q: %q, then %q", s, m, MaskText(m))
			}
			if m, want := Mask(s), everywhere(s, finder{whole: true}); m != want {
				t.Fatalf("%q: %q, want %q", s, m, want)
			}
			if m, want := MaskText(s), everywhere(s, finder{torn: true}); m != want {
				t.Fatalf("%q: %q, want %q", s, m, want)
			}
			text := []byte(s)
			if got, want := Spans(text), merge(append(slowly(finder{s: text}), values(text, false)...)); !slices.Equal(got, want) {
				t.Fatalf("%q: %v, want %v", s, got, want)
			}
			if got, want := Sure(text), slowly(finder{s: text, sure: true}); !slices.Equal(got, want) {
				t.Fatalf("%q: surely %v, want %v", s, got, want)
			}
			if got, want := HoldsSure(s), len(slowly(finder{s: text, whole: true, sure: true})) > 0; got != want {
				t.Fatalf("%q: %v, want %v", s, got, want)
			}
			if !strings.ContainsFunc(s, func(r rune) bool { return r < 0x80 && Ends(byte(r)) }) && (Mask(s) != s || strings.IndexByte(s, ':') < 0 && MaskText(s) != s) {
				t.Fatalf("%q: %q, %q", s, Mask(s), MaskText(s))
			}
		}
		if len(password) > reach-10 || strings.Count(password, "\n") > 1 {
			return
		}
		ref := "ftp://ann:" + first + password + second + "@h"
		for _, m := range []string{Mask(ref), MaskText(ref), masked([]byte(ref)), MaskText(ref + behind)} {
			if strings.Contains(m, first) || strings.Contains(m, second) {
				t.Fatalf("%q: %q", ref, m)
			}
		}
	})
}

// everywhere hides what a finder finds, without a look first whether there is any.
func everywhere(s string, f finder) string {
	for {
		f.s = []byte(s)
		masked := hide(s, merge(append(slowly(f), values(f.s, f.whole)...)))
		if masked == s {
			return s
		}
		s = masked
	}
}

// slowly finds what find does, and reads each word before a ':' and each letter for that.
func slowly(f finder) []Span {
	f.ats, f.blank = newSeeker(f.s, '@', true), -1
	wide := f
	spans := wide.wordByWord()
	if !f.whole && wide.paths {
		f.sure = true
		spans = append(spans, f.wordByWord()...)
	}
	return merge(spans)
}

func (f *finder) wordByWord() []Span {
	before := reachEscaped
	if !bytes.ContainsAny(f.s, escapes) {
		before = reach
	}
	colons := newSeeker(f.s, ':', true)
	for pos, done := 0, 0; ; {
		colon := colons.from(f.s, pos)
		if colon == len(f.s) {
			return f.spans
		}
		if at := f.ats.from(f.s, colon); !f.torn && at == len(f.s) {
			return f.spans
		} else if !f.torn && !f.whole && at-colon > before {
			pos = at - before
			continue
		}
		word, _ := f.start(colon, done)
		done = f.words(word, colon)
		pos = max(colon+1, done)
	}
}
