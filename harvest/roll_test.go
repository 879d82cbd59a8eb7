package harvest_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"linkcheck/check"
	"linkcheck/harvest"
	"linkcheck/harvest/harvesttest"
)

// newsServer is a news server in memory: the message-ids of the articles of its groups, in
// the order of their numbers from first on; "" is an article that was cancelled.
type newsServer struct {
	groups map[string][]string
	first  uint64 // number of the first; 0: 1
	status map[string]check.Result
	asked  []string
	sparse uint64 // what the last number is said to be
	ends   error  // with which all lists end
	plain  bool   // it has no overview: lists have numbers alone
	broken string // the group whose lists break off
	torn   string // the article that breaks off
	bare   string // the article without a body
	hidden bool   // lists are empty
}

const newsAt = "news://news.example/"

func (s *newsServer) Read(ctx context.Context, t check.Target, w check.Wanted, take func(*check.Answer) error) (check.Result, error) {
	name := strings.TrimPrefix(t.URI.String(), newsAt)
	s.asked = append(s.asked, strings.TrimSpace(name+" "+w.After))
	if r, failing := s.status[name]; failing {
		return r, nil
	}
	ok := check.New(check.OK, check.ReasonNNTP(211), "")
	switch list, is := s.groups[name]; {
	case is:
		a := s.group(list, w)
		if s.broken == name {
			a.Entries = func(yield func(check.Entry, error) bool) { yield(check.Entry{}, io.ErrUnexpectedEOF) }
		}
		return ok, take(a)
	case strings.Contains(name, "*"):
		return ok, take(&check.Answer{URI: t.URI, Entries: func(yield func(check.Entry, error) bool) {
			for _, g := range slices.Sorted(maps.Keys(s.groups)) {
				if match, _ := path.Match(name, g); match && !yield(check.Entry{Name: newsAt + g, Folder: true}, nil) {
					return
				}
			}
		}})
	case !strings.Contains(name, "@"):
		return check.New(check.Gone, check.ReasonNNTP(411), ""), nil
	}
	for _, list := range s.groups {
		if slices.Contains(list, name) && w.Version != "" {
			return check.New(check.OK, check.ReasonNNTP(223), ""), nil
		}
		if slices.Contains(list, name) && s.torn == name {
			return check.New(check.OK, check.ReasonNNTP(220), ""), take(&check.Answer{URI: t.URI, Media: "message/rfc822", Body: iotest.ErrReader(io.ErrUnexpectedEOF)})
		}
		if slices.Contains(list, name) && s.bare == name {
			return check.New(check.OK, check.ReasonNNTP(220), ""), take(&check.Answer{URI: t.URI, Media: "message/rfc822", Body: strings.NewReader("Message-ID: <" + name + ">\r\nSubject: s\r\n\r\n")})
		}
		if slices.Contains(list, name) {
			return check.New(check.OK, check.ReasonNNTP(220), ""), take(&check.Answer{URI: t.URI, Media: "message/rfc822", Body: strings.NewReader("Message-ID: <" + name + ">\n\ntext of " + name)})
		}
	}
	return check.New(check.Gone, check.ReasonNNTP(430), ""), nil
}

// group is what GROUP and OVER say.
func (s *newsServer) group(list []string, w check.Wanted) *check.Answer {
	low := max(s.first, 1)
	high := max(low+uint64(len(list))-1, s.sparse)
	after, _ := strconv.ParseUint(w.After, 10, 63)
	return &check.Answer{Version: fmt.Sprintf("%d %d %d", len(list), low, high), Entries: func(yield func(check.Entry, error) bool) {
		for i, id := range list {
			if s.hidden {
				break
			}
			n := low + uint64(i)
			if n > after && (w.Most == 0 || n <= after+uint64(w.Most)) && id != "" {
				name := newsAt + id
				if s.plain {
					name = fmt.Sprintf("nntp://news.example/group/%d", n)
				}
				if !yield(check.Entry{Name: name, Version: fmt.Sprint(n)}, nil) {
					return
				}
			}
		}
		if s.ends != nil {
			yield(check.Entry{}, s.ends)
		}
	}}
}

func newsgroups() *newsServer {
	return &newsServer{groups: map[string][]string{"wells.talk": {"1@w", "2@w", "", "3@w"}, "wells.maps": {"4@w", "2@w"}, "other.group": {"9@w"}}}
}

func TestRollSuite(t *testing.T) {
	Run(t, Case{
		Open: func(r check.Reader, now func() time.Time) harvest.Harvester {
			return harvest.NewRoll(rootOf(t, newsAt+"wells.*"), r, harvest.Options{Now: now})
		},
		World: func() check.Reader { return newsgroups() },
		Again: 4, // the groups, their lists and the article at hand
		Endless: map[string]func() check.Reader{"numbers": func() check.Reader {
			s := newsgroups()
			s.sparse = 1 << 62
			return s
		}},
	})
}

// TestRoll: articles come, are cancelled, expire, move and are numbered anew; what is not
// there in any group any more is gone within a week, and nothing is read twice.
func TestRoll(t *testing.T) {
	for name, c := range map[string]struct {
		change func(s *newsServer)
		want   string // the kinds of what is told on the next night, and a week later
		stands string
	}{
		"nothing":                       {func(s *newsServer) {}, " | ", "1 2 3 4"},
		"a new article":                 {func(s *newsServer) { s.groups["wells.maps"] = append(s.groups["wells.maps"], "5@w") }, "5R | ", "1 2 3 4 5"},
		"a cancelled one":               {func(s *newsServer) { s.groups["wells.talk"][0] = "" }, " | 1G", "2 3 4"},
		"a cancelled one of two groups": {func(s *newsServer) { s.groups["wells.talk"][1] = "" }, " | ", "1 2 3 4"},
		"one in no group":               {func(s *newsServer) { s.groups["wells.talk"][1], s.groups["wells.maps"][1] = "", "" }, " | 2G", "1 3 4"},
		"one of two groups, the other refused": {func(s *newsServer) {
			s.groups["wells.maps"][1] = ""
			s.status = map[string]check.Result{"wells.talk": check.New(check.Auth, check.ReasonNNTP(480), "")}
		}, " | ", "1 2 3 4"},
		"no overview":                        {func(s *newsServer) { s.plain = true }, " | ", "1 2 3 4"},
		"a group that is gone":               {func(s *newsServer) { delete(s.groups, "wells.maps") }, " | ", "1 2 3 4"},
		"a group that is empty":              {func(s *newsServer) { s.groups["wells.maps"] = nil }, " | ", "1 2 3 4"},
		"one of two groups, the other empty": {func(s *newsServer) { s.groups["wells.maps"][1], s.groups["wells.talk"] = "", nil }, " | ", "1 2 3 4"},
		"numbers that begin anew":            {func(s *newsServer) { s.groups["wells.talk"] = []string{"6@w", "3@w", "1@w"} }, "6R | ", "1 2 3 4 6"},
		"a group that is refused": {func(s *newsServer) {
			s.status = map[string]check.Result{"wells.maps": check.New(check.Auth, check.ReasonNNTP(480), "")}
		}, " | ", "1 2 3 4"},
	} {
		s := newsgroups()
		store := harvesttest.Store{}
		root := rootOf(t, newsAt+"wells.*")
		now := time.Date(2026, 3, 1, 3, 0, 0, 0, time.UTC)
		night := func() string {
			items, _, err := told(t, &store, harvest.NewRoll(root, s, harvest.Options{Now: func() time.Time { return now }}))
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			var all []string
			for item, kinds := range items {
				if kinds == "S" {
					continue // told of all that stand, once a week
				}
				all = append(all, strings.TrimSuffix(path.Base(item), "@w")+kinds[:1])
			}
			slices.Sort(all)
			return strings.Join(all, " ")
		}
		night()
		now = now.AddDate(0, 0, 1)
		c.change(s)
		got := night()
		now = now.AddDate(0, 0, 7)
		got += " | " + night()
		var stands []string
		for _, n := range store.Standing() {
			stands = append(stands, strings.TrimSuffix(strings.TrimPrefix(n, newsAt), "@w"))
		}
		if got != c.want || strings.Join(stands, " ") != c.stands {
			t.Errorf("%s: told %q, want %q; stands %q", name, got, c.want, stands)
		}
	}
}

// TestRollStops: what a server answers to the question for its groups, or for all of them.
func TestRollStops(t *testing.T) {
	down, refused, none := check.New(check.Temporary, check.ReasonNNTP(400), ""), check.New(check.Auth, check.ReasonNNTP(480), ""), check.New(check.Gone, check.ReasonNNTP(411), "")
	for _, c := range []struct {
		status map[string]check.Result
		why    harvest.Reason
	}{
		{map[string]check.Result{"wells.*": down}, harvest.Outage},
		{map[string]check.Result{"wells.*": refused}, harvest.Refused},
		{map[string]check.Result{"wells.*": none}, harvest.Vanished},
		{map[string]check.Result{"wells.talk": refused, "wells.maps": refused}, harvest.Refused},
		{map[string]check.Result{"wells.talk": none, "wells.maps": none}, harvest.Vanished},
		{map[string]check.Result{"wells.talk": none, "wells.maps": refused}, harvest.Refused},
		{map[string]check.Result{"wells.maps": down}, harvest.Outage},
	} {
		s := newsgroups()
		s.status = c.status
		err := (&harvesttest.Store{}).Run(t.Context(), harvest.NewRoll(rootOf(t, newsAt+"wells.*"), s, harvest.Options{}), 0, false)
		if stop, ok := errors.AsType[*harvest.Stop](err); !ok || stop.Why != c.why {
			t.Errorf("%v: %v, want %s", c.status, err, c.why)
		}
	}
}

// TestRollBrokenLists: a line that cannot be read is passed over, and what is behind it is
// found; nothing is gone by such a list. Lists that are cut, all of them, are no reading.
func TestRollBrokenLists(t *testing.T) {
	for _, c := range []struct {
		ends   error
		stands int
		why    string
	}{
		{check.ResultError(check.Undetermined, check.ReasonGarbled, "a line"), 1502, ""},
		{io.ErrUnexpectedEOF, 1501, "broken: no list of articles came whole"},
	} {
		s := newsgroups()
		s.groups = map[string][]string{"wells.talk": nil}
		for n := range 1501 {
			s.groups["wells.talk"] = append(s.groups["wells.talk"], fmt.Sprintf("%d@w", n))
		}
		store := harvesttest.Store{}
		now := time.Date(2026, 3, 1, 3, 0, 0, 0, time.UTC)
		h := harvest.NewRoll(rootOf(t, newsAt+"wells.*"), s, harvest.Options{Now: func() time.Time { return now }})
		if err := store.Run(t.Context(), h, 0, false); err != nil {
			t.Fatal(err)
		}
		now = now.AddDate(0, 0, 8)
		s.ends = c.ends
		s.groups["wells.talk"][3] = ""
		if c.why == "" {
			s.groups["wells.talk"] = append(s.groups["wells.talk"], "new@w")
		}
		err := store.Run(t.Context(), h, 0, false)
		if got := fmt.Sprint(err); len(store.Standing()) != c.stands || got != cmp.Or(c.why, "<nil>") {
			t.Errorf("%v: %d stand, %v; want %d, %q", c.ends, len(store.Standing()), err, c.stands, c.why)
		}
	}
}

// TestRollOutOfStep: one list breaks off on the night on which all are looked at, and is
// looked at in the next. What is in no group then is gone in that night, what is in the
// other stays, and while a group is refused or away nothing goes at once.
func TestRollOutOfStep(t *testing.T) {
	refused := map[string]check.Result{"wells.talk": check.New(check.Auth, check.ReasonNNTP(480), "")}
	for name, c := range map[string]struct {
		night  func(s *newsServer) // that before the last
		last   func(s *newsServer)
		stands int
		asked  []string // in the last night, but for the lists of groups
	}{
		"in step":             {func(s *newsServer) {}, func(s *newsServer) {}, 3, nil},
		"one behind":          {func(s *newsServer) { s.broken = "wells.maps" }, func(s *newsServer) { s.broken = "" }, 3, []string{"2@w", "4@w"}},
		"one that is refused": {func(s *newsServer) { s.broken = "wells.maps" }, func(s *newsServer) { s.broken, s.status = "", refused }, 4, []string{"2@w", "4@w"}},
		"one that is away": {func(s *newsServer) { s.broken = "wells.maps" }, func(s *newsServer) {
			s.broken = ""
			delete(s.groups, "wells.talk")
		}, 4, []string{"2@w", "4@w"}},
	} {
		s := newsgroups()
		store := harvesttest.Store{}
		now := time.Date(2026, 3, 1, 3, 0, 0, 0, time.UTC)
		h := harvest.NewRoll(rootOf(t, newsAt+"wells.*"), s, harvest.Options{Now: func() time.Time { return now }})
		night := func() {
			s.asked = nil
			if err := store.Run(t.Context(), h, 0, false); err != nil || len(store.Wrong) > 0 {
				t.Errorf("%s: %v %q", name, err, store.Wrong)
			}
		}
		night()
		now = now.AddDate(0, 0, 7)
		s.groups["wells.maps"] = []string{"", "", "5@w"} // 2@w is in the other group
		s.groups["wells.talk"] = append(s.groups["wells.talk"], "2@w")
		c.night(s)
		night()
		now = now.AddDate(0, 0, 1)
		c.last(s)
		night()
		s.asked = slices.DeleteFunc(s.asked, func(q string) bool { return strings.HasPrefix(q, "wells.") || q == "5@w" })
		slices.Sort(s.asked)
		stands := slices.DeleteFunc(store.Standing(), func(n string) bool { return strings.Contains(n, "5@w") })
		if len(stands) != c.stands || !slices.Equal(s.asked, c.asked) {
			t.Errorf("%s: %q stand, asked %q; want %d, %q", name, stands, s.asked, c.stands, c.asked)
		}
	}
}

// TestRollExpires: what stood before the first number that its groups have now goes however
// many there are of it; where they were cancelled, that many are doubted.
func TestRollExpires(t *testing.T) {
	for _, expired := range []bool{true, false} {
		s := &newsServer{groups: map[string][]string{"wells.talk": nil}}
		for n := range 60 {
			s.groups["wells.talk"] = append(s.groups["wells.talk"], fmt.Sprintf("%d@w", n))
		}
		store := harvesttest.Store{}
		now := time.Date(2026, 3, 1, 3, 0, 0, 0, time.UTC)
		h := harvest.NewRoll(rootOf(t, newsAt+"wells.talk"), s, harvest.Options{Now: func() time.Time { return now }})
		for range 2 {
			if err := store.Run(t.Context(), h, 0, false); err != nil {
				t.Fatal(err)
			}
			now = now.AddDate(0, 0, 7)
			if list := s.groups["wells.talk"]; expired && s.first == 0 {
				s.groups["wells.talk"], s.first = list[40:], 41
			} else if !expired {
				clear(list[:40])
			}
		}
		_, doubts := store.Whole()
		if stands := len(store.Standing()); expired != (stands == 20) || expired != (doubts == 0) {
			t.Errorf("expired %v: %d stand, %d doubts", expired, stands, doubts)
		}
	}
}

// TestRollTorn: an article that breaks off is asked for on three nights, and then once a
// week.
func TestRollTorn(t *testing.T) {
	s := newsgroups()
	s.torn = "3@w"
	store := harvesttest.Store{}
	now := time.Date(2026, 3, 1, 3, 0, 0, 0, time.UTC)
	h := harvest.NewRoll(rootOf(t, newsAt+"wells.*"), s, harvest.Options{Now: func() time.Time { return now }})
	asked := 0
	for night := range 21 {
		if night == 20 {
			s.torn = ""
		}
		if err := store.Run(t.Context(), h, 0, false); err != nil || len(store.Wrong) > 0 {
			t.Errorf("night %d: %v %q", night, err, store.Wrong)
		}
		now = now.AddDate(0, 0, 1)
		if want := min(night+1, 3) + night/7; night < 20 {
			if asked = count(s.asked, "3@w"); asked != want {
				t.Errorf("night %d: asked for %d times, want %d", night, asked, want)
			}
		}
	}
	now = now.AddDate(0, 0, 1)
	if err := store.Run(t.Context(), h, 0, false); err != nil || len(store.Standing()) != 4 {
		t.Errorf("%v, %q stand", err, store.Standing())
	}
}

// TestRollBare: an article that comes without its body for a night is read in the next; one that
// never has any is believed in the end.
func TestRollBare(t *testing.T) {
	for nights, text := range map[int]string{1: "text of 3@w", 30: "Subject: s"} {
		s := newsgroups()
		s.bare = "3@w"
		store := harvesttest.Store{}
		now := time.Date(2026, 3, 1, 3, 0, 0, 0, time.UTC)
		h := harvest.NewRoll(rootOf(t, newsAt+"wells.*"), s, harvest.Options{Now: func() time.Time { return now }})
		for night := range max(2, nights) {
			if night == nights {
				s.bare = ""
			}
			if err := store.Run(t.Context(), h, 0, false); err != nil || len(store.Wrong) > 0 {
				t.Errorf("night %d: %v %q", night, err, store.Wrong)
			}
			now = now.AddDate(0, 0, 1)
		}
		if asked := count(s.asked, "3@w"); !strings.Contains(store.Report(), text) || len(store.Standing()) != 4 || asked != min(nights+1, 4) {
			t.Errorf("%d nights without a body: asked for %d times; %s", nights, asked, store.Report())
		}
	}
}

// TestRollNoPlace: an article that broke off and came the next night has no place until all is
// looked at. Where the lists of all groups are empty then, it stays as the others do.
func TestRollNoPlace(t *testing.T) {
	for empty, want := range map[bool]int{true: 4, false: 3} {
		s := newsgroups()
		s.torn = "3@w"
		store := harvesttest.Store{}
		now := time.Date(2026, 3, 1, 3, 0, 0, 0, time.UTC)
		h := harvest.NewRoll(rootOf(t, newsAt+"wells.*"), s, harvest.Options{Now: func() time.Time { return now }})
		for night := range 9 {
			if night == 7 && empty { // 3@w is there, in no list
				s.hidden = true
			} else if night == 7 {
				s.groups["wells.talk"][3] = ""
			}
			if err := store.Run(t.Context(), h, 0, false); err != nil || len(store.Wrong) > 0 {
				t.Errorf("night %d: %v %q", night, err, store.Wrong)
			}
			s.torn = ""
			now = now.AddDate(0, 0, 1)
		}
		if stands := store.Standing(); len(stands) != want {
			t.Errorf("lists empty %v: %q stand, want %d", empty, stands, want)
		}
	}
}

func count(list []string, s string) (n int) {
	for _, x := range list {
		if x == s {
			n++
		}
	}
	return n
}
