package crawl

import (
	"path/filepath"
	"testing"

	"linkcheck/internal/testdoc"
	"linkcheck/judge"
)

// A host without a scheme in 856 $u, or a mistyped one in text, is to be mended: the
// report lists it under Fix, with the address that is meant (OUTCOMES 1.1, invalid).
func TestFaultyValueIsInvalid(t *testing.T) {
	l := newArchive(t)
	testdoc.Write(t, filepath.Join(l.dir, "a.mrk"), "=LDR  00000nam\n=001  b1\n=856  40$uwww.x.test/a\n=856  40$uhttp:/h.x.test/b\n=856  40$uftp.wells.test/pub/\n")
	testdoc.Write(t, filepath.Join(l.dir, "b.txt"), "See http//h.test/c, http:/h.test/d, hppt://h.test/e and http://http://h.test/f.\n")
	l.read()
	if _, err := Check(t.Context(), l.st, NewOptions(&world{})); err != nil {
		t.Fatal(err)
	}
	for raw, want := range map[string]string{
		"www.x.test/a": "http://www.x.test/a", "http:/h.x.test/b": "http://h.x.test/b", "ftp.wells.test/pub/": "ftp://ftp.wells.test/pub/",
		"http//h.test/c": "http://h.test/c", "http:/h.test/d": "http://h.test/d", "hppt://h.test/e": "http://h.test/e", "http://http://h.test/f": "http://h.test/f",
	} {
		if got := stateOf(t, l.st, raw); got.State != judge.Invalid || got.Last.SuggestedURL != want {
			t.Errorf("%s: %v, %q suggested, want %q", raw, got.State, got.Last.SuggestedURL, want)
		}
	}
}
