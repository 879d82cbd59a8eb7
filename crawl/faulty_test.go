package crawl

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"linkcheck/check"
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
	if _, err := Check(t.Context(), l.st, options(&world{}, func(o *Options) { o.HostDelay = 0 })); err != nil {
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

// The repair of a slip is asked once, in the turn of its host; what it answers says nothing
// of the link but that it is there, and nothing of its host.
func TestRepairsAreAsked(t *testing.T) {
	const gap = 50 * time.Millisecond
	w := &world{answer: func(host, path string, _ int) check.Result {
		switch {
		case host == "down.test":
			return check.New(check.Unreachable, check.ReasonTCPTimeout, "")
		case path == "/here":
			return check.New(check.OK, "http-200", "")
		}
		return check.New(check.Gone, "http-404", "")
	}}
	st := newStore(t, "hppt://a.test/here", "htp://a.test/gone", "ttp://a.test/secret", "http//down.test/here", "http://a.test/")
	sum, err := Check(t.Context(), st, options(w, func(o *Options) {
		o.HostDelay, o.NoRetry = gap, true
		o.Exclude = func(url string) bool { return strings.HasSuffix(url, "/secret") }
	}))
	if err != nil || sum.Checked != 5 {
		t.Fatalf("%+v, %v", sum, err)
	}
	for url, lives := range map[string]bool{"hppt://a.test/here": true, "htp://a.test/gone": false, "ttp://a.test/secret": false, "http//down.test/here": false} {
		l := stateOf(t, st, url)
		if l.State != judge.Invalid || slices.Contains(l.Last.Flags, string(check.FlagRepairLives)) != lives || l.Last.SuggestedURL == "" || l.Last.At.IsZero() {
			t.Errorf("%s: %v %+v", url, l.State, l.Last)
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	var before time.Time
	for _, v := range w.visits {
		if v.path == "/secret" || v.host == "a.test" && v.at.Sub(before) < gap {
			t.Errorf("%s%s was asked %v after the one before", v.host, v.path, v.at.Sub(before))
		}
		if v.host == "a.test" {
			before = v.at
		}
	}
	if len(w.visits) != 4 {
		t.Errorf("%+v", w.visits)
	}
}
