package ingest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"linkcheck/store"
)

// TestSentencesAreShort: what is said of a root is short, and true (HARVEST section 11).
func TestSentencesAreShort(t *testing.T) {
	now := time.Date(2026, 3, 1, 3, 0, 0, 0, time.UTC)
	reading := func() *rootReading {
		return &rootReading{harvesting: &harvesting{in: &store.Ingest{Reading: 9}}, root: &store.Root{First: 5}, sum: &RootSummary{}, began: now}
	}
	r := reading()
	r.state = "whole"
	for i := range 10 {
		r.root.Notes = append(r.root.Notes, fmt.Sprintf("held back at form /%s?N=%d", strings.Repeat("x", 300), i))
	}
	if s := r.sentence(); len(s) > 300 || !strings.HasPrefix(s, "whole; held back at form /xxx") || !strings.HasSuffix(s, "held back at 9 more") {
		t.Errorf("%d octets: %s", len(s), s)
	}
	for i := range 10 {
		r.root.Notes[i] = fmt.Sprintf("note %d", i)
	}
	if s := r.sentence(); s != "whole; note 0; note 1; note 2; 7 more notes" {
		t.Error(s)
	}

	r = reading()
	r.root.Documents, r.root.New = 10, 4
	r.retire([]store.Source{{Read: 9, Number: 7}, {Read: 8, Number: 2}, {Number: 8}})
	if r.root.Documents != 8 || r.root.New != 3 || r.root.Gone != 1 {
		t.Errorf("a new document that is another, and one that is gone: %+v", *r.root)
	}
}
