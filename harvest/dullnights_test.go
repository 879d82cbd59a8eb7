package harvest_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"linkcheck/harvest"
	"linkcheck/harvest/harvesttest"
)

// TestDullNights: of forms that say nothing and lead nowhere later nights ask for some, so that all were
// asked for again behind nine nights; of records that say something new all are, each night. What was
// gone among the dull ones is found.
func TestDullNights(t *testing.T) {
	const records = 240
	night := 0
	site := endless(func(r *http.Request) (text string) {
		switch nr := r.URL.Query().Get("nr"); r.URL.Path {
		case "/":
			for n := range records {
				text += anchor(fmt.Sprintf("/record?nr=%d", n))
			}
			return text
		case "/record":
			return sentence(nr) + anchor("/order?nr="+nr)
		}
		return "<form>Order a copy.</form>"
	})
	s := &harvesttest.Store{Lead: leads}
	dull := map[string]int{}
	for ; night < 12; night++ {
		web := harvesttest.NewWeb(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if night > 0 && r.URL.RequestURI() == "/order?nr=7" {
				w.WriteHeader(http.StatusGone)
				return
			}
			site.ServeHTTP(w, r)
		}))
		if _, _, err := told(t, s, harvest.NewWalk(rootOf(t, "http://w.example/"), web, harvest.Options{})); err != nil {
			t.Fatal(err)
		}
		of := map[string]int{}
		for address := range web.Asked {
			if of[part(strings.TrimPrefix(address, "http://w.example"))]++; night > 0 && strings.Contains(address, "/order") {
				dull[address]++
			}
		}
		if of["record"] != records || night == 0 && of["order"] != records || night > 0 && (of["order"] < 20 || of["order"] > 40) {
			t.Errorf("night %d: %s", night, most(of))
		}
	}
	if _, stands := s.Document("http://w.example/order?nr=7"); len(dull) != records || !stands {
		t.Errorf("of %d orders %d were asked for again", records, len(dull))
	}
	if n := len(s.Standing()); n != 2*records {
		t.Errorf("%d documents stand, want all but one, and the root", n)
	}
}

// TestFullRootKeepsItsForms: a root that has as many documents as it may have asks for those of a form
// again all the same.
func TestFullRootKeepsItsForms(t *testing.T) {
	s := &harvesttest.Store{Lead: leads}
	root := rootOf(t, "http://w.example/")
	root.Documents = 101
	for night := range 3 {
		web := harvesttest.NewWeb(endless(func(r *http.Request) (text string) {
			for n := range 200 {
				text += anchor(fmt.Sprintf("/record?nr=%d", n))
			}
			return sentence(r.URL.RawQuery) + text
		}))
		if _, _, err := told(t, s, harvest.NewWalk(root, web, harvest.Options{})); err != nil {
			t.Fatal(err)
		}
		if n := len(s.Standing()); n != 101 || web.Requests() < 102 {
			t.Errorf("night %d: %d documents, %d requests", night, n, web.Requests())
		}
	}
}
