package harvest_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/harvest"
	"linkcheck/uri"
)

// lines is a harvester of a list of names, one a line, that ends with a full stop. It
// shows what the suite asks of a harvester.
type lines struct{ check.Reader }

const listAt = "http://wells.example/list"

func (l lines) read(ctx context.Context, name string, take func(*check.Answer) error) (check.Result, error) {
	u, err := uri.Parse(name)
	if err != nil {
		return check.InvalidResult(err), nil
	}
	return l.Read(ctx, check.Target{URI: u}, check.Wanted{}, take)
}

var errEnough = errors.New("enough")

func (l lines) Harvest(ctx context.Context, known harvest.Known) iter.Seq2[harvest.Item, error] {
	return func(yield func(harvest.Item, error) bool) {
		if err := l.harvest(ctx, known, func(i harvest.Item) error {
			if !yield(i, nil) {
				return errEnough
			}
			return nil
		}); err != nil && err != errEnough {
			yield(harvest.Item{}, err)
		}
	}
}

func (l lines) harvest(ctx context.Context, known harvest.Known, tell func(harvest.Item) error) error {
	var text string
	r, err := l.read(ctx, listAt, func(a *check.Answer) error {
		octets, err := io.ReadAll(io.LimitReader(a.Body, 1<<16))
		text = string(octets)
		return err
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	names, whole := strings.CutSuffix(text, ".\n")
	if err != nil || !whole {
		return &harvest.Stop{Why: harvest.Outage, Text: r.Reply}
	}
	for name := range strings.Lines(names) {
		doc := harvest.Document{Name: listAt + "/" + strings.TrimSpace(name)}
		if d, ok := known.Document(doc.Name); ok && d.Asked {
			continue
		}
		if err := l.document(ctx, doc, tell); err != nil {
			return err
		}
	}
	return tell(harvest.Item{Kind: harvest.Whole})
}

func (l lines) document(ctx context.Context, doc harvest.Document, tell func(harvest.Item) error) error {
	told := false
	r, err := l.read(ctx, doc.Name, func(a *check.Answer) error {
		told = true
		return tell(harvest.Item{Kind: harvest.Read, Doc: doc, Body: a.Body})
	})
	if err == nil && ctx.Err() != nil {
		return ctx.Err()
	}
	if err == nil && !told {
		return tell(harvest.Item{Kind: harvest.Failed, Doc: doc, Heard: r})
	}
	return err
}

// list is the server. next gives the nth name of the list; "" is its end.
func list(next func(n int) string) check.Reader {
	return check.ReadFunc(func(ctx context.Context, t check.Target, w check.Wanted, take func(*check.Answer) error) (check.Result, error) {
		text := strings.NewReader("about " + t.URI.String())
		body := io.Reader(text)
		if t.URI.String() == listAt {
			body = &names{next: next}
		}
		return check.New(check.OK, check.ReasonHTTP(200), ""), take(&check.Answer{URI: t.URI, Body: body})
	})
}

type names struct {
	next func(int) string
	n    int
	rest string
}

func (s *names) Read(b []byte) (int, error) {
	if s.rest == "" {
		if s.n < 0 {
			return 0, io.EOF
		}
		name := s.next(s.n)
		if s.n++; name == "" {
			s.n, name = -1, "."
		}
		s.rest = name + "\n"
	}
	n := copy(b, s.rest)
	s.rest = s.rest[n:]
	return n, nil
}

func TestSuite(t *testing.T) {
	Run(t, Case{
		Open: func(r check.Reader, _ func() time.Time) harvest.Harvester { return lines{r} },
		World: func() check.Reader {
			return list(func(n int) string { return []string{"charter", "minutes", "map", ""}[n] })
		},
		Empty:   func(string) (string, string) { return "text/plain", ".\n" },
		Endless: map[string]func() check.Reader{"names": func() check.Reader { return list(func(n int) string { return fmt.Sprint("n", n) }) }},
		Again:   2,
	})
}
