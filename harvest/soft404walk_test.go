package harvest_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"linkcheck/check"
	"linkcheck/harvest"
	"linkcheck/harvest/harvesttest"
)

// soft is a reader that finds pages in the place of others.
type soft struct {
	check.Reader
	at string // the end of their addresses
}

func (s soft) Read(ctx context.Context, t check.Target, w check.Wanted, take func(*check.Answer) error) (check.Result, error) {
	if strings.HasSuffix(t.URI.String(), s.at) {
		return check.New(check.Suspect, check.ReasonSoft404, "another page"), nil
	}
	return s.Reader.Read(ctx, t, w, take)
}

// TestSoft404IsNoOutage: documents in whose place a page with excuses stands, one after the other, end
// no sweep: the others are read, and they stay.
func TestSoft404IsNoOutage(t *testing.T) {
	site := pages{"/": ""}
	for i := range 12 {
		site["/"] += fmt.Sprintf("<a href=/%d.old>", i)
		site[fmt.Sprintf("/%d.old", i)] = fmt.Sprint("page ", i)
	}
	site["/"] += "<a href=/last>"
	site["/last"] = "the last one"
	s := &harvesttest.Store{Lead: leads}
	for night := range 2 {
		at := "none"
		if night == 1 {
			at = ".old"
			site["/"] += "<a href=/new>"
			site["/new"] = "a new one"
		}
		items, notes, err := told(t, s, harvest.NewWalk(rootOf(t, "http://w.example/"), soft{harvesttest.NewWeb(site), at}, harvest.Options{}))
		if err != nil || !isWhole(s) || len(s.Standing()) != 14+night {
			t.Errorf("night %d: %d stand, %q, %q, %v", night, len(s.Standing()), items, notes, err)
		}
	}
}
