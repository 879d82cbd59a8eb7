package store

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/judge"
)

// TestYearIsSmall: a thousand links that are asked as they are due over a year, of which some
// fail at times, take less than 2 MB; each night opens the store anew and reads its source.
func TestYearIsSmall(t *testing.T) {
	const links, most = 1000, 2 << 20
	nightsOfYear := 365
	if testing.Short() {
		nightsOfYear = 40
	}
	path := filepath.Join(t.TempDir(), "year.db")
	rng := rand.New(rand.NewPCG(365, 1))
	var urls []string
	for i := range links {
		urls = append(urls, benchURL(i))
	}
	answers := make([]check.Result, links+1)
	for i := range answers {
		answers[i] = benchResult(rng, i, epoch)
	}
	asked := 0
	for night := range nightsOfYear {
		at := epoch.Add(time.Duration(night) * day)
		s, err := Open(path, &Options{Now: func() time.Time { return at }})
		if err != nil {
			t.Fatal(err)
		}
		read(t, s, "catalogue.mrc", at, urls...)
		id, err := s.StartRun(Run{Started: at, Version: "test"})
		if err != nil {
			t.Fatal(err)
		}
		var batch []Checked
		for l, err := range s.Due(at, Filter{}) {
			if err != nil {
				t.Fatal(err)
			}
			r := answers[l.ID]
			if rng.IntN(50) == 0 {
				r = r503
			}
			r.At = at
			batch = append(batch, Checked{l.ID, r})
		}
		asked += len(batch)
		if err := s.Record(id, judge.Policy{Splay: 0.2}, batch); err != nil {
			t.Fatal(err)
		}
		tally, err := s.Tally(id)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.EndRun(Run{ID: id, Started: at, Ended: at.Add(time.Hour), Outcomes: tally.Outcomes, States: tally.States}); err != nil {
			t.Fatal(err)
		}
		if night == nightsOfYear-1 {
			mustVerify(t, s)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if t.Logf("%d links over %d nights: %d probes, %d octets", links, nightsOfYear, asked, info.Size()); info.Size() >= most {
		t.Errorf("%d octets, the limit is %d", info.Size(), most)
	}
}
