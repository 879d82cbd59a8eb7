package store

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
)

// placesOf lists the live mentions of a link, and with an asterisk those retired.
func placesOf(t *testing.T, s *Store, url string) (list []string) {
	t.Helper()
	l, found, err := s.Find(url)
	if err != nil || !found {
		t.Fatalf("%s: %v, %v", url, found, err)
	}
	x, err := s.Explain(l.ID)
	if err != nil {
		t.Fatal(err)
	}
	live := 0
	for _, m := range x.Mentions {
		mark := ""
		if live++; !m.Retired.IsZero() {
			mark = "*"
			live--
		}
		list = append(list, mark+m.Collection+" "+m.Source)
	}
	if live != l.Mentions {
		t.Errorf("%s: %d live, counted as %d", url, live, l.Mentions)
	}
	slices.Sort(list)
	return list
}

func TestMove(t *testing.T) {
	const a, b, c, cat = "http://a.example.net/", "http://b.example.net/", "http://c.example.net/", "http://cat.example.net/"
	to := func(from, path, collection string) func(*Source) bool {
		return func(src *Source) bool {
			if src.Path != from {
				return false
			}
			src.Path, src.Collection = path, collection
			return true
		}
	}
	for _, tt := range []struct {
		name   string
		change func(*Source) bool
		moved  int
		want   string // places of a, b, c, cat
	}{
		{"nothing", to("none", "x", "k"), 0, "k one, k two|k two|*k gone|k one"},
		{"another path", to("one", "new", "k"), 1, "k new, k two|k two|*k gone|k new"},
		{"another collection: a record of two sources stands in both", to("one", "one", "m"), 1, "k two, m one|k two|*k gone|k two, m one"},
		{"to where another is: that one was read last", to("one", "two", "k"), 1, "k two|k two|*k gone|k two"},
		{"the one that was read last, to where another is: what that one held alone is retired", to("two", "one", "k"), 1, "k one|k one|*k gone|k one"},
		{"to where something was", to("one", "gone", "k"), 1, "k gone, k two|k two|*k gone|k gone"},
		{"all to one", func(src *Source) bool { src.Path = "all"; return true }, 3, "k all|k all|*k all|k all"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := openTest(t)
			read(t, s, "gone", epoch, c)
			in, err := s.BeginIngest(epoch)
			if err != nil {
				t.Fatal(err)
			}
			for i, urls := range [][]string{{a}, {a, b}} {
				path := []string{"one", "two"}[i]
				list := []Mention{{Collection: "k", Record: "r1", Locator: "856", Raw: cat, URL: cat}}
				for n, u := range urls {
					list = append(list, Mention{Collection: "k", Line: n + 1, Raw: u, URL: u, How: "bare"})
				}
				if err := in.Add(Step{Whole: []Source{{Path: path, Collection: "k", Size: 1, Mentions: len(list)}}, Batches: []*Batch{Prepare(path, list, nil)}}); err != nil {
					t.Fatal(err)
				}
			}
			if err := in.Add(Step{Gone: []Source{{Path: "gone"}}}); err != nil {
				t.Fatal(err)
			}
			if _, err := in.Finish(); err != nil {
				t.Fatal(err)
			}
			_, err = in.Move(t.Context(), func(src *Source) bool { src.Collection = "k"; return src.Path == "gone" })
			if err != nil {
				t.Fatal(err)
			}
			if in, err = s.BeginIngest(epoch.Add(day)); err != nil {
				t.Fatal(err)
			}
			n, err := in.Move(t.Context(), tt.change)
			if err != nil || n != tt.moved {
				t.Fatalf("%d moved, want %d: %v", n, tt.moved, err)
			}
			mustVerify(t, s)
			if _, err := in.Finish(); err != nil {
				t.Fatal(err)
			}
			mustVerify(t, s)
			var got []string
			for _, u := range []string{a, b, c, cat} {
				got = append(got, strings.Join(placesOf(t, s, u), ", "))
			}
			if all := strings.Join(got, "|"); all != tt.want {
				t.Errorf("got  %s\nwant %s", all, tt.want)
			}
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			if _, err := in.Move(ctx, func(src *Source) bool { src.Path += "x"; return true }); !errors.Is(err, context.Canceled) {
				t.Errorf("after the end: %v", err)
			}
		})
	}
}
