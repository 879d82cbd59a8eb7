package store

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
)

// TestScan holds the scan to what looking up every link says, whatever it picks.
func TestScan(t *testing.T) {
	s := openTest(t)
	lived(t, s)
	for _, pick := range []Pick{{}, {Mentions: true}, {History: true}, {Mentions: true, History: true},
		{Mentions: true, History: true, Only: func(id uint64) bool { return id == 2 || id == 4 }}} {
		n, last := 0, uint64(0)
		for e, err := range s.Scan(pick) {
			if err != nil {
				t.Fatal(err)
			}
			if n++; e.ID <= last {
				t.Errorf("link %d after %d", e.ID, last)
			}
			last = e.ID
			if pick.Only != nil && !pick.Only(e.ID) {
				t.Errorf("link %d was not picked", e.ID)
			}
			checkEntry(t, s, &e, &pick)
		}
		want := 2
		if pick.Only == nil {
			want = len(links(t, s))
		}
		if n != want {
			t.Errorf("%d links, want %d", n, want)
		}
	}
}

// What a scan reads in one transaction: links with nothing around them, and the mentions
// of one link.
const scanRows, scanExtra = 500, 5000

// TestScanLong scans more links than one transaction reads, and some of a link
// with more mentions than that.
func TestScanLong(t *testing.T) {
	s := openTest(t)
	var urls []string
	for i := range 2*scanRows + 10 {
		urls = append(urls, fmt.Sprintf("http://a.example.net/%d", i))
	}
	for range scanExtra {
		urls = append(urls, "http://b.example.net/")
	}
	read(t, s, "a.txt", epoch, urls...)
	n, places := 0, 0
	for e, err := range s.Scan(Pick{Mentions: true}) {
		if err != nil {
			t.Fatal(err)
		}
		n, places = n+1, places+len(e.LiveMentions)
	}
	if n != 2*scanRows+11 || places != len(urls) {
		t.Errorf("%d links, %d places, want %d and %d", n, places, 2*scanRows+11, len(urls))
	}
	n = 0
	for e, err := range s.Scan(Pick{Only: func(id uint64) bool { return id%400 == 7 }, Mentions: true}) {
		if n++; err != nil || e.ID%400 != 7 || len(e.LiveMentions) != 1 {
			t.Errorf("%+v, %v", e, err)
		}
	}
	if n != 3 {
		t.Errorf("%d links, want 3", n)
	}
	e, err := s.Entry(2*scanRows+11, 100)
	if err != nil || e.Mentions != scanExtra || len(e.LiveMentions) != 100 || !slices.IsSortedFunc(e.LiveMentions, compareMentions) {
		t.Errorf("%d of %d places, %v", len(e.LiveMentions), e.Mentions, err)
	}
	if _, err := s.Entry(1<<30, 1); !errors.Is(err, ErrNotFound) {
		t.Errorf("no such link: %v", err)
	}
}

func checkEntry(t *testing.T, s *Store, e *Entry, pick *Pick) {
	t.Helper()
	if one, err := s.Entry(e.ID, 100); err != nil || pick.Mentions && pick.History && !reflect.DeepEqual(*e, one) {
		t.Errorf("link %d: %v\n%+v\n%+v", e.ID, err, *e, one)
	}
	l, err := s.link(e.ID)
	if err != nil || !reflect.DeepEqual(e.Link, l) {
		t.Errorf("link %d: %v\n%+v\n%+v", e.ID, err, e.Link, l)
	}
	var places []Mention
	var past []Event
	all := explain(t, s, e.ID)
	if pick.Mentions {
		places = slices.DeleteFunc(all.Mentions, func(m Mention) bool { return !m.Retired.IsZero() })
	}
	if pick.History {
		past = all.History
	}
	if len(e.LiveMentions) != len(places) || len(places) > 0 && !reflect.DeepEqual(e.LiveMentions, places) {
		t.Errorf("places of link %d:\n%+v\n%+v", e.ID, e.LiveMentions, places)
	}
	if len(e.History) != len(past) || len(past) > 0 && !reflect.DeepEqual(e.History, past) {
		t.Errorf("past of link %d:\n%+v\n%+v", e.ID, e.History, past)
	}
}
