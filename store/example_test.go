package store_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/store"
)

var night = time.Date(2026, 11, 1, 2, 0, 0, 0, time.UTC)

// exampleStore makes a store that has read one document with two links.
func exampleStore() (s *store.Store, remove func()) {
	dir, err := os.MkdirTemp("", "store")
	if err != nil {
		log.Fatal(err)
	}
	s, err = store.Open(filepath.Join(dir, "links.db"), nil)
	if err != nil {
		log.Fatal(err)
	}
	in, err := s.BeginIngest(night)
	if err != nil {
		log.Fatal(err)
	}
	mentions := []store.Mention{
		{Line: 1, Raw: "HTTP://www.example.org:80/", URL: "HTTP://www.example.org:80/"},
		{Line: 7, Raw: "http://www.example.org/", URL: "http://www.example.org/"},
		{Line: 9, Raw: "gopher://gopher.example.org/", URL: "gopher://gopher.example.org/"},
	}
	whole := store.Source{Path: "list.txt", Mentions: len(mentions)}
	if err := in.Add(store.Step{Whole: []store.Source{whole}, Batches: []*store.Batch{store.Prepare(whole.Path, mentions, nil)}}); err != nil {
		log.Fatal(err)
	}
	if _, err := in.Finish(); err != nil {
		log.Fatal(err)
	}
	return s, func() {
		s.Close()
		os.RemoveAll(dir)
	}
}

// Spellings that a scheme's own rules make equal are one link.
func ExampleStore_Scan() {
	s, remove := exampleStore()
	defer remove()
	for e, err := range s.Scan(store.Pick{}) {
		l := e.Link
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s (%s): %d mentions\n", l.Key, l.State, l.Mentions)
	}
	// Output:
	// gopher://gopher.example.org/1 (new): 1 mentions
	// http://www.example.org/ (new): 2 mentions
}

// A run asks what is due, and records what it learned.
func ExampleStore_Record() {
	s, remove := exampleStore()
	defer remove()
	run, err := s.StartRun(store.Run{Started: night})
	if err != nil {
		log.Fatal(err)
	}
	var batch []store.Checked
	for due, err := range s.Due(night, store.Filter{}) {
		if err != nil {
			log.Fatal(err)
		}
		r := check.Result{Outcome: check.Gone, Evidence: check.Strong, Reason: "http-404", At: night}
		batch = append(batch, store.Checked{ID: due.ID, Result: r})
	}
	if err := s.Record(run, judge.Policy{}, batch); err != nil {
		log.Fatal(err)
	}
	e, err := s.Explain(1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(e.Link.State, e.Link.NextCheck.Format(time.DateOnly))
	fmt.Println(e.Rule)
	// Output:
	// failing 2026-11-02
	// 1 strike; dead needs 3 strong strikes on 3 days over 6 days
}

// A person's decision about a host overrules the states of its links.
func ExampleStore_SetPin() {
	s, remove := exampleStore()
	defer remove()
	pin := store.Pin{Host: "www.example.org", State: judge.PinnedAlive, By: "mk", Why: "seen by hand"}
	if err := s.SetPin(pin); err != nil {
		log.Fatal(err)
	}
	l, found, err := s.Find("http://www.example.org/")
	if err != nil || !found {
		log.Fatal(found, err)
	}
	fmt.Println(l.State, l.Pin.Why)
	// Output: pinned-alive seen by hand
}
