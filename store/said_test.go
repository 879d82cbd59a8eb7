package store

import (
	"errors"
	"path/filepath"
	"reflect"
	"testing"

	"linkcheck/judge"
)

// What people say of a link stands in its rows and in the log, in one file and in a set, and
// is there again when the store is opened.
func TestSaid(t *testing.T) {
	for _, shards := range []int{0, 3} {
		path := filepath.Join(t.TempDir(), "s.db")
		s, err := Open(path, &Options{Shards: shards})
		if err != nil {
			t.Fatal(err)
		}
		lived(t, s)
		logged, err := s.Log()
		if err != nil {
			t.Fatal(err)
		}
		before, id := len(logged), nth(t, s, 1)
		for _, p := range []Pin{
			{Link: id, Verb: "note", Text: "first", By: "ann", From: "cli", At: epoch},
			{Link: id, Verb: "note", Text: "second", By: "bob", From: "api", At: epoch},
			{Link: id, Verb: "assign", Text: "maps", At: epoch},
			{Link: id, Verb: "fix", Text: "http://new.example.net/", Refused: true, At: epoch},
			{Host: "A.example.net", State: judge.Ignored, At: epoch},
			{Host: "a.example.NET"},
			{Link: id, Verb: "assign"},
		} {
			if err := s.SetPin(p); err != nil {
				t.Fatalf("%+v: %v", p, err)
			}
		}
		for _, bad := range []Pin{{Link: id, Verb: "note"}, {Link: 1 << 39, Verb: "note", Text: "x"}} {
			if bad.Link == id {
				bad.Verb = "check"
			}
			if err := s.SetPin(bad); !errors.Is(err, ErrNotFound) {
				t.Errorf("%+v: %v", bad, err)
			}
		}
		for _, bad := range []Pin{{Link: id, Verb: "shout", Text: "x"}, {Host: "a.example.net", Verb: "note", Text: "x"}, {Link: id, Verb: "note", State: judge.Ignored}, {Verb: "note", Text: "x"}, {Link: id, Text: "x"}} {
			if err := s.SetPin(bad); err == nil || errors.Is(err, ErrNotFound) {
				t.Errorf("%+v: %v", bad, err)
			}
		}
		mustVerify(t, s)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if s, err = Open(path, &Options{}); err != nil {
			t.Fatal(err)
		}
		l, err := s.link(id)
		if err != nil || l.Note == nil || l.Note.Text != "second" || l.Owner != nil || l.Fix == nil || !l.Fix.Refused || l.Again != nil {
			t.Errorf("%+v, %v", l, err)
		}
		log, err := s.Log()
		if log = log[before:]; err != nil || len(log) != 7 {
			t.Fatalf("%d lines, %v", len(log), err)
		}
		for i, p := range log {
			if p.ID != log[0].ID+uint64(i) {
				t.Errorf("line %d has the number %d", i, p.ID)
			}
		}
		if b := log[1].Before; b == nil || b.Text != "first" || b.Link != id || log[0].Before != nil || log[6].Before.Text != "maps" || !log[6].Empty() || log[5].Host != "a.example.net" {
			t.Errorf("%+v", log)
		}
		s.Close()
	}
}

// A wish to have a link asked again makes it due, whatever its date, until it is answered.
func TestAskedAgain(t *testing.T) {
	s := openTest(t)
	read(t, s, "a.txt", epoch, "http://a.example.net/1", "http://b.example.net/2")
	r := rOK
	r.At = epoch
	if err := s.Record(1, judge.Policy{}, []Checked{{1, r}, {2, r}}); err != nil {
		t.Fatal(err)
	}
	soon := epoch.Add(day / 2)
	if due := collect(t, s.Due(soon, Filter{})); len(due) != 0 {
		t.Fatalf("due: %+v", due)
	}
	if err := s.SetPin(Pin{Link: 2, Verb: "check", Text: "now", At: soon}); err != nil {
		t.Fatal(err)
	}
	if due := collect(t, s.Due(soon, Filter{})); len(due) != 1 || due[0].ID != 2 || !due[0].Again {
		t.Errorf("due: %+v", due)
	}
	if due := collect(t, s.Due(soon, Filter{Host: "a.example.net"})); len(due) != 1 || due[0].ID != 1 {
		t.Errorf("of another host: %+v", due)
	}
	r.At = soon.Add(day / 24)
	if err := s.Record(2, judge.Policy{}, []Checked{{2, r}}); err != nil {
		t.Fatal(err)
	}
	if due := collect(t, s.Due(soon, Filter{})); len(due) != 0 {
		t.Errorf("due after the answer: %+v", due)
	}
	if l, err := s.link(2); err != nil || l.Again != nil {
		t.Errorf("%+v, %v", l, err)
	}
}

// Prune forgets what was said of a link with the link, and a pinned change of an older log,
// which has no number, writes no line.
func TestSaidIsPruned(t *testing.T) {
	s := openTest(t)
	read(t, s, "a.txt", epoch, "http://a.example.net/1")
	if err := s.SetPin(Pin{Link: 1, Verb: "note", Text: "x", At: epoch}); err != nil {
		t.Fatal(err)
	}
	read(t, s, "a.txt", epoch.Add(day), "http://a.example.net/2")
	if _, err := s.Prune(t.Context(), epoch.Add(9*day)); err != nil {
		t.Fatal(err)
	}
	if log, err := s.Log(); len(log) != 0 || err != nil {
		t.Errorf("%+v, %v", log, err)
	}
	old := &pinned{Pin{Link: 2, State: judge.Ignored, Why: "w"}}
	if err := s.Apply(0, old); err != nil {
		t.Fatal(err)
	}
	if log, _ := s.Log(); len(log) != 0 || !reflect.DeepEqual(s.Pins(), []Pin{old.Pin}) {
		t.Errorf("%+v, %+v", log, s.Pins())
	}
}
