package store

import (
	"bytes"
	"reflect"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/store/facts"
	"linkcheck/store/internal/codec"
	"linkcheck/store/internal/linkkey"
)

// FuzzIdentity: the identity of what a string stands for gives its key back, so
// different keys have different identities.
func FuzzIdentity(f *testing.F) {
	for _, s := range []string{"http://example.net/x", "HTTP://user:pw@example.net:8080/a?b#c", "ftp://a.b.c.example.net/", "news:a@b.c",
		"http://192.0.2.7/", "http://[2001:db8::1]:80/", "info:lccn/2002022641", "file://vms.host.edu/disk$user/x", "", "relative/path", "http://a\x00b/", "x\x01y"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		k := linkkey.Of(s)
		if k.Key != linkkey.SchemeKey(s) {
			t.Errorf("%q is %q and %q", s, k.Key, linkkey.SchemeKey(s))
		}
		key, scheme, host, err := linkkey.Split(k.Identity)
		if err != nil || key != k.Key || scheme != k.Scheme || host != k.Host && host != "" || k.Apart != (host != k.Host) {
			t.Errorf("%q: %+v became %q %q %q, %v", s, k, key, scheme, host, err)
		}
	})
}

// FuzzRows: no row makes a reader panic, and what could be read is written and
// read again as it was.
func FuzzRows(f *testing.F) {
	f.Add((&linkRow{Identity: []byte("http\x00net\x00\x01/"), URL: "http://net/", FirstSeen: epoch, Levels: [4]uint64{1, 0, 2}}).encode())
	f.Add((&mentionRow{Mention: Mention{Raw: "a", URL: "b", Context: "c", FirstSeen: epoch}, holders: []holding{{1, 2}}}).encode("x"))
	f.Add((&eventRow{State: judge.Dead, Result: check.Result{Outcome: check.Gone, Reply: "no", At: epoch, ETag: "00ff00ff"}}).encode())
	f.Add((&stateRow{Judgement: judge.Judgement{Checks: 1, Strikes: []judge.Strike{{At: epoch, Kind: judge.Strong}}, Next: epoch}, LastRun: 3, Visits: []visit{{1, epoch}, {3, epoch}}}).encode())
	f.Add([]byte("\x01\x02........\x05\x00\x00\x00\x00\x02ab\x07\x03\x00\x00\x00\x01c"))
	f.Add((&sourceRow{Source: Source{Read: 7, Path: "p", Remote: 3, Version: "v", Depth: 2, Noted: 1, NotedAt: epoch}}).encode())
	f.Add((&sourceRow{Source: Source{Read: 7, Path: "p", Hash: []byte("h")}}).encode())
	f.Add((&sourceRow{Source: Source{Read: 7, Path: "p", Rows: "/r"}}).encode())
	f.Add((&sourceRow{Source: Source{Read: 7, Path: "p", NotRead: []facts.Kind{{Name: "PDF", N: 3}}}}).encode())
	f.Fuzz(func(t *testing.T, b []byte) {
		if l, err := decodeLink(b); err == nil {
			again, err := decodeLink(l.encode())
			same(t, l, again, err)
		}
		if m, err := decodeMention(b, "http://x/"); err == nil {
			again, err := decodeMention(m.encode("http://x/"), "http://x/")
			same(t, m, again, err)
		}
		if e, err := decodeEvent(b); err == nil {
			again, err := decodeEvent(e.encode())
			same(t, e.encode(), again.encode(), err)
		}
		if s, err := decodeState(b); err == nil {
			again, err := decodeState(s.encode())
			same(t, s.encode(), again.encode(), err)
			countedAlike(t, b, &s)
		}
		if s, err := decodeSource([]byte{0, 0, 0, 1}, b); err == nil {
			again, err := decodeSource([]byte{0, 0, 0, 1}, s.encode())
			same(t, s.encode(), again.encode(), err)
		}
		_, _, _ = codec.SplitResult(b)
		_, _, _, _ = linkkey.Split(b)
	})
}

func same(t *testing.T, a, b any, err error) {
	t.Helper()
	if err != nil || !reflect.DeepEqual(a, b) {
		t.Errorf("%+v\nbecame\n%+v, %v", a, b, err)
	}
}

// countedAlike: what Tally reads of a row is what the row says.
func countedAlike(t *testing.T, b []byte, row *stateRow) {
	t.Helper()
	got, err := readTallied(b)
	want := tallied{got.stateHead, len(b) > headLen, row.Last.Outcome, row.LastRun, row.Judgement.Changes, row.ChangedRun}
	if err != nil || got != want || got.live != row.Live || got.state != row.State {
		t.Errorf("%+v, %v of a row that says %+v", got, err, row)
	}
}

// FuzzJudgedRow: whatever answers come, the row of a link keeps its judgement.
func FuzzJudgedRow(f *testing.F) {
	f.Add([]byte{9, 9, 9, 9, 9, 9, 9})
	f.Add([]byte{0x10, 0xA1, 0x92, 0x33, 0xF4})
	answers := []check.Result{rOK, rMoved, r404, r410, r503, rSusp, r401, r403, r429, r429At, rBad, {}}
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 500 {
			return
		}
		var j judge.Judgement
		at := epoch
		for i, c := range b {
			at = at.Add(time.Duration(int(c)-40) * 3 * time.Hour) // it goes back at times
			r := answers[int(c)%len(answers)]
			r.At = at
			j = j.After(&r, uint64(i+1))
			j.Next = judge.Policy{Splay: 0.2}.NextCheck(&j, &r, 9)
			row := stateRow{Judgement: j, LastRun: uint64(i + 1), EventRun: 1, Last: r, Visits: []visit{{uint64(i + 1), at}}}
			again, err := decodeState(row.encode())
			if err != nil || !bytes.Equal(again.encode(), row.encode()) {
				t.Fatalf("not kept: %+v, %v", j, err)
			}
			countedAlike(t, row.encode(), &row)
		}
	})
}
