package harvest_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"linkcheck/harvest"
	"linkcheck/harvest/harvesttest"
)

// world is a site that changes from night to night: pages and files of a listing.
type world struct {
	*rand.Rand
	pages
	state [20]string // of each page: "", a status, or "->" and where it moved
	files [8]bool
	text  [20]int
}

// night changes something, or breaks something for that night alone.
func (w *world) night(quiet bool) {
	for i := range w.state {
		switch {
		case quiet || w.IntN(8) > 0:
		case w.IntN(3) == 0:
			w.state[i] = ""
		default:
			w.state[i] = []string{"404", "410", "->/p" + fmt.Sprint(w.IntN(20))}[w.IntN(3)]
		}
		if w.IntN(6) == 0 && !quiet {
			w.text[i]++
		}
	}
	var rows []string
	for i := range w.files {
		if !quiet && w.IntN(6) == 0 {
			w.files[i] = !w.files[i]
		}
		if w.files[i] {
			rows = append(rows, fmt.Sprintf("%d.txt|%s", i, old))
		}
	}
	w.pages = pages{"/": "<title>Root</title><a href=/l/>", "/l/": listing("/l/", rows...)}
	for i, state := range w.state {
		w.pages["/"] += fmt.Sprintf("<a href=/p%d>", i)
		if w.pages[fmt.Sprintf("/p%d", i)] = state; state == "" {
			w.pages[fmt.Sprintf("/p%d", i)] = fmt.Sprintf("<title>%d</title>%s", i, strings.Repeat("x", w.text[i]))
		}
	}
	for i, there := range w.files {
		if there {
			w.pages[fmt.Sprintf("/l/%d.txt", i)] = "file"
		}
	}
	if quiet {
		return
	}
	for path := range w.pages {
		if w.IntN(25) == 0 {
			w.pages[path] = []string{"503", "403", "500"}[w.IntN(3)]
		}
	}
	switch w.IntN(20) {
	case 0:
		for path := range w.pages {
			w.pages[path] = "503"
		}
	case 1:
		w.pages["/l/"] = listing("/l/")
	case 2:
		w.pages["/l/"] = w.pages["/l/"][:len(w.pages["/l/"])/2]
	}
}

// alive are the paths that answer with a document.
func (w *world) alive() map[string]bool {
	all := map[string]bool{"/": true, "/l/": true}
	for i, state := range w.state {
		all[fmt.Sprintf("/p%d", i)] = state == ""
	}
	for i, there := range w.files {
		all[fmt.Sprintf("/l/%d.txt", i)] = there
	}
	return all
}

// rings says whether a page redirects without end: it stays as it is.
func (w *world) rings(path string) bool {
	for range w.state {
		to, moved := strings.CutPrefix(w.pages[path], "->")
		if !moved {
			return false
		}
		path = to
	}
	return true
}

// TestNights: in 200 nights of random changes and failures nothing is retired but what the
// server said was gone, and after quiet nights what stands is what is there.
func TestNights(t *testing.T) {
	for seed := range uint64(6) {
		w := &world{Rand: rand.New(rand.NewPCG(seed, 0))}
		s := harvesttest.Store{Lead: leads}
		const site = "http://w.example"
		root := rootOf(t, site+"/")
		for night := range 200 {
			quiet := night%25 > 20
			before := w.alive()
			w.night(quiet)
			stood := s.Standing()
			_ = s.Run(t.Context(), harvest.NewWalk(root, harvesttest.NewWeb(w.pages), harvest.Options{}), 0, night%2 == 0)
			now := w.alive()
			for _, name := range stood {
				d, _ := s.Document(name)
				if path := strings.TrimPrefix(name, site); d.Gone && before[path] && now[path] {
					t.Errorf("seed %d, night %d: %s is retired and there", seed, night, path)
				}
			}
			if night%25 != 24 {
				continue
			}
			stands := map[string]bool{}
			for _, name := range s.Standing() {
				stands[strings.TrimPrefix(name, site)] = true
			}
			for path, there := range now {
				if there != stands[path] && !w.rings(path) {
					d, known := s.Document(site + path)
					t.Errorf("seed %d, night %d: %s is there: %v, stands: %v (%+v, known %v, answers %.20q)", seed, night, path, there, stands[path], d, known, w.pages[path])
				}
			}
		}
		for _, wrong := range s.Wrong {
			t.Errorf("seed %d: %s", seed, wrong)
		}
	}
}
