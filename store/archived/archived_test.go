package archived_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"linkcheck/store"
	"linkcheck/store/archived"
)

// Addresses of archives are copies of what they hold.
func TestHeld(t *testing.T) {
	for _, tt := range []struct {
		address, page, made string
		ok                  bool
	}{
		{"https://web.archive.org/web/19961224120000/http://www.mill.example/", "http://www.mill.example/", "1996-12-24T12:00:00Z", true},
		{"http://web.archive.org/web/20010404id_/http://mill.example/a?b=c", "http://mill.example/a?b=c", "2001-04-04T00:00:00Z", true},
		{"https://web.archive.org/web/2001/http:/mill.example/a", "http://mill.example/a", "2001-01-01T00:00:00Z", true},
		{"https://archive.ph/20130508052911/https://mill.example/x", "https://mill.example/x", "2013-05-08T05:29:11Z", true},
		{"https://archive.today/2013.05.08-052911/https://mill.example/x", "https://mill.example/x", "2013-05-08T05:29:11Z", true},
		{"https://wayback.library.example/coll/20130508052911if_/ftp://mill.example/x", "ftp://mill.example/x", "2013-05-08T05:29:11Z", true},
		{"https://perma.cc/AB12-CD34", "", "", true},
		{"https://archive.today/AbCdE", "", "", true},
		{"https://web.archive.org/web/*/http://mill.example/", "", "", true},
		{"https://web.archive.org/web/99999999999999/http://mill.example/", "", "", true},
		{"https://news.example/2013/http://mill.example/x", "", "", false},
		{"http://www.mill.example/20130508052911/page", "", "", false},
		{"", "", "", false},
	} {
		page, made, ok := archived.Held(tt.address)
		at := ""
		if !made.IsZero() {
			at = made.Format(time.RFC3339)
		}
		if page != tt.page || at != tt.made || ok != tt.ok {
			t.Errorf("%s: %q, %s, %v", tt.address, page, at, ok)
		}
	}
}

// FuzzHeld: what is held is an address of its own, and part of what was given.
func FuzzHeld(f *testing.F) {
	f.Add("https://web.archive.org/web/19961224120000/http://www.mill.example/")
	f.Fuzz(func(t *testing.T, address string) {
		page, made, ok := archived.Held(address)
		if page != "" && (!ok || made.IsZero() || !archived.Askable(page) && len(page) <= archived.MaxPage && !strings.Contains(page, "@") && !strings.Contains(page, "=")) {
			t.Errorf("%q: %q, %v, %v", address, page, made, ok)
		}
	})
}

// The day of a place is that of its document, else of its file, else when the link lived.
func TestDayOf(t *testing.T) {
	lived := time.Date(2020, 2, 3, 4, 5, 6, 0, time.UTC)
	file := time.Date(2011, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, tt := range []struct {
		m        store.Mention
		name, at string
	}{
		{store.Mention{Date: "1996-11-05", Modified: file}, "1996-11-05", "1996-11-05T12"},
		{store.Mention{Date: "1996-11", Modified: file}, "1996-11-15", "1996-11-15T12"},
		{store.Mention{Date: "1996"}, "1996-07-01", "1996-07-01T12"},
		{store.Mention{Date: "nonsense", Modified: file}, "2011-01-02", "2011-01-02T12"},
		{store.Mention{Modified: file}, "2011-01-02", "2011-01-02T12"},
		{store.Mention{}, "", "2020-02-03T04"},
	} {
		d := archived.DayOf(&store.Link{URL: "http://a.example/", LastOK: lived}, &tt.m)
		if d.Name != tt.name || d.At.Format("2006-01-02T15") != tt.at {
			t.Errorf("%+v: %+v", tt.m, d)
		}
	}
	days := archived.Days(&store.Link{URL: "http://a.example/"}, []store.Mention{{Date: "2010-03-05"}, {Date: "1996"}, {Date: "2010-03-05"}})
	if len(days) != 2 || days[0].Name != "1996-07-01" {
		t.Errorf("%+v", days)
	}
}

// What is kept is there when the store is opened again, in the copy of a set too, and goes
// through export and import.
func TestKept(t *testing.T) {
	for _, shards := range []int{0, 3} {
		path := filepath.Join(t.TempDir(), "s")
		st, err := store.Open(path, &store.Options{Shards: shards})
		if err != nil {
			t.Fatal(err)
		}
		at := time.Now().UTC().Truncate(time.Second)
		a := archived.Answer{Copy: "https://archive.example/1", Made: at, Archive: "https://archive.example/", At: at}
		page := "http://" + strings.Repeat("m", 60) + ".example/" + strings.Repeat("x", archived.MaxPage-100)
		if err := archived.Put(st, page, a, "1996-11-05", "2010-03-05"); err != nil {
			t.Fatal(err)
		}
		if err := archived.SetRest(st, "https://archive.example/", at.Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
		id, err := st.StartRun(store.Run{Started: at, Version: "test"})
		if err == nil { // what probers keep has lapsed by then
			err = st.EndRun(store.Run{ID: id, Started: at, Ended: at.AddDate(2, 0, 0), Version: "test"})
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := st.Close(); err != nil {
			t.Fatal(err)
		}
		if st, err = store.Open(path, &store.Options{ReadOnly: true}); err != nil {
			t.Fatal(err)
		}
		defer st.Close()
		got, ok := archived.Get(st, page, "2010-03-05")
		if !ok || got != a || got.State() != "copy" {
			t.Errorf("%d shards: %+v, %v", shards, got, ok)
		}
		if _, ok := archived.Get(st, page, "2010-03-06"); ok {
			t.Error("an answer for a day that nobody asked about")
		}
		if _, rests := archived.Rest(st, "https://archive.example/", at); !rests {
			t.Error("the archive is not left alone")
		}
		if _, rests := archived.Rest(st, "https://archive.example/", at.Add(2*time.Hour)); rests {
			t.Error("the archive is left alone for ever")
		}
	}
}

// An answer holds for 180 days.
func TestHolds(t *testing.T) {
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	a := archived.Answer{At: at}
	for days, want := range map[int]bool{0: true, 179: true, 180: false, -1: false} {
		if a.Holds(at.AddDate(0, 0, days)) != want {
			t.Errorf("after %d days: %v", days, !want)
		}
	}
}
