package ingest

import (
	"context"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"linkcheck/check"
	"linkcheck/harvest/harvesttest"
	"linkcheck/store"
)

// cutAt is a reader that fails at one request in some manner.
type cutAt struct {
	check.Reader
	requests, at int
	fault        string
}

var cutFaults = map[string]check.Result{
	"silent":  check.New(check.Temporary, check.ReasonTimeout, ""),
	"reset":   check.New(check.Temporary, check.ReasonTCPReset, ""),
	"refused": check.New(check.Blocked, check.ReasonHTTP(403), "HTTP/1.1 403 Forbidden"),
	"missing": check.New(check.Gone, check.ReasonHTTP(404), "HTTP/1.1 404 Not Found"),
	"torn":    {},
	"empty":   {},
	"garbage": {},
}

func (c *cutAt) Read(ctx context.Context, t check.Target, w check.Wanted, take func(*check.Answer) error) (check.Result, error) {
	if c.requests++; c.requests != c.at {
		return c.Reader.Read(ctx, t, w, take)
	}
	if r := cutFaults[c.fault]; r.Outcome != check.Unknown {
		return r, nil
	}
	return c.Reader.Read(ctx, t, w, func(a *check.Answer) error {
		if a.Body == nil {
			return take(a)
		}
		b, err := io.ReadAll(a.Body)
		if err != nil {
			return err
		}
		switch c.fault {
		case "torn":
			a.Body = io.MultiReader(strings.NewReader(string(b[:len(b)/2])), iotest.ErrReader(io.ErrUnexpectedEOF))
		case "empty":
			a.Body = strings.NewReader("")
		case "garbage":
			a.Body = strings.NewReader("\x00\xff<?x <<&& \x01")
		}
		return take(a)
	})
}

// TestHarvestersCut has each request of a night fail in each manner, the first or one in which
// there is news: in that night and in those after no document is lost that is there, and some
// nights later all is as it would have been.
func TestHarvestersCut(t *testing.T) {
	every := 1 // of so many requests one fails, in each manner another
	if testing.Short() {
		every = 3
	}
	for name, world := range map[string]func() *served{"site": servedSite, "catalogue": servedCatalogue, "mailbox": servedMailbox, "crawls": servedCrawls} {
		t.Run(name, func(t *testing.T) {
			w, ref, cuts, all := world(), newArchive(t), 0, 0
			root := w.begin(t)
			ref.root = root
			for news := range 2 {
				begun := filepath.Join(t.TempDir(), "begun.db")
				copyStore(t, ref.st.Path(), begun)
				now := ref.now
				w.night(news)
				requests := night(ref, w, 0, "")
				if news == 1 {
					for range cutNights - 1 {
						night(ref, w, 0, "")
					}
				}
				want := ref.sets()
				for fault := range cutFaults {
					if slices.Contains(w.beside, fault) {
						continue
					}
					for k := range requests {
						if all++; (k+len(fault))%every > 0 {
							continue
						}
						cutOnce(t, w, &archive{T: t, now: now, root: root}, copyOf(t, begun), k+1, fault, news == 1, want)
						cuts++
					}
				}
			}
			t.Logf("%d cuts", cuts)
			if all < 5*len(cutFaults) || cuts*every < all-all/4 {
				t.Errorf("only %d cuts of %d", cuts, all)
			}
		})
	}
}

// cutNights is in how many nights all is as it would have been.
const cutNights = 5

// night reads a root; one request fails.
func night(a *archive, w *served, at int, fault string) (requests int) {
	c := &cutAt{Reader: w.reader, at: at, fault: fault}
	if w.mail == nil {
		c.Reader = harvesttest.NewWeb(w)
	}
	a.read(w.harvester(a.T, a.root, c, a.now))
	return c.requests
}

func cutOnce(t *testing.T, w *served, a *archive, path string, at int, fault string, known bool, want map[string]string) {
	t.Helper()
	var err error
	if a.st, err = store.Open(path, nil); err != nil {
		t.Fatal(err)
	}
	defer a.st.Close()
	for n := range cutNights {
		if n == 0 {
			night(a, w, at, fault)
		} else {
			night(a, w, 0, "")
		}
		got := a.sets()
		for doc := range want {
			if _, stands := got[doc]; known && !stands {
				t.Errorf("%s at request %d: %s is lost in night %d", fault, at, doc, n)
			}
		}
		if n == cutNights-1 && !maps.Equal(got, want) {
			t.Errorf("%s at request %d: it ends as\n%v\nwant\n%v", fault, at, got, want)
		}
	}
}

func copyOf(t *testing.T, path string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "copy.db")
	copyStore(t, path, to)
	return to
}
