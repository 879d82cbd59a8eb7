package checktest

import (
	"context"
	"io"
	"testing"

	"linkcheck/check"
	"linkcheck/uri"
)

// ByRead makes probers that probe by Read, for the suite of all probers: a reading has the
// time of a probe, and what comes is read to its end.
func ByRead(newProber func(check.Options) check.Prober, most int64) func(check.Options) check.Prober {
	return func(o check.Options) check.Prober {
		p := newProber(o)
		return byRead{p, p.(check.Reader), o, most}
	}
}

type byRead struct {
	check.Prober
	reader check.Reader
	o      check.Options
	most   int64
}

// Probe implements check.Prober.
func (p byRead) Probe(ctx context.Context, t check.Target) check.Result {
	ctx, cancel := context.WithTimeout(ctx, p.o.Timeout)
	defer cancel()
	r, err := p.reader.Read(ctx, t, check.Wanted{MaxBytes: p.most}, func(a *check.Answer) error {
		if a.Body != nil {
			_, _ = io.Copy(io.Discard, a.Body) // an error says that it did not come whole
		}
		if a.Entries != nil {
			for range a.Entries {
			}
		}
		return nil
	})
	if err != nil {
		return check.New(check.Undetermined, check.ReasonRedirectScheme, err.Error())
	}
	return r
}

// Hooks implements check.Prober: a reading is no probe that goes on elsewhere.
func (p byRead) Hooks() check.Hooks { return check.Hooks{} }

// Brought is what a reader handed on.
type Brought struct {
	Text, Media, Version string
	Short                string
	Entries              []string // as they are shown
	Err                  error    // of the text or the entries
	Cut                  bool
	Times                int // that something was handed on
}

// Bring reads what a URI names, and shows the entries of lists.
func Bring(t testing.TB, p check.Prober, u uri.URI, w check.Wanted, show func(check.Entry) string) (check.Result, Brought) {
	t.Helper()
	var b Brought
	r, err := p.(check.Reader).Read(t.Context(), check.Target{URI: u}, w, func(a *check.Answer) error {
		b = Brought{Media: a.Media, Version: a.Version, Short: a.Short, Cut: a.Cut, Times: b.Times + 1}
		if a.Body != nil {
			text, err := io.ReadAll(a.Body)
			b.Text, b.Err = string(text), err
		}
		if a.Entries == nil {
			return nil
		}
		for e, err := range a.Entries {
			if b.Err = err; err == nil {
				b.Entries = append(b.Entries, show(e))
			}
		}
		return nil
	})
	if err != nil {
		t.Errorf("%s: %v", u, err)
	}
	return r, b
}
