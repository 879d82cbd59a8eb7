package crawl

import (
	"bytes"
	"cmp"
	"errors"
	"io"

	"linkcheck/check"
	"linkcheck/uri"
)

// mostShared is how many octets are kept of what several roots ask for.
const mostShared = 16 << 20

// shared are the answers of a night that are kept for other roots (check.Wanted.Shared), by key.
type shared struct {
	byKey map[string]kept
	size  int
}

// kept is what was heard, and can be handed on again.
type kept struct {
	result check.Result
	err    error         // an *check.Elsewhere
	answer *check.Answer // nil: none came
	text   []byte        // its Body
	broken error         // in place of its end; nil: it came whole
}

// hand hands it on.
func (k *kept) hand(take func(*check.Answer) error) (check.Result, error) {
	if k.answer == nil {
		return k.result, k.err
	}
	a := *k.answer
	a.Body = io.MultiReader(bytes.NewReader(k.text), failing{k.broken})
	return k.result, take(&a)
}

// is says whether it is a document that came whole, by the version that is known; "": by none.
func (k *kept) is(version string) bool {
	return k.answer != nil && !k.answer.Cut && k.broken == nil && (version == "" || k.answer.Version == version)
}

// failing is the end of a body.
type failing struct{ err error }

// Read implements io.Reader.
func (f failing) Read([]byte) (int, error) { return 0, cmp.Or(f.err, io.EOF) }

// copyOf reads the body of an answer, which can be read once more then. nil: it is no document,
// or too large to be kept.
func copyOf(a *check.Answer) *kept {
	if a.Entries != nil {
		return nil
	}
	text, broken := io.ReadAll(io.LimitReader(a.Body, mostShared))
	if len(text) == mostShared {
		a.Body = io.MultiReader(bytes.NewReader(text), a.Body)
		return nil
	}
	answer := *a
	a.Body = io.MultiReader(bytes.NewReader(text), failing{broken})
	return &kept{answer: &answer, text: text, broken: broken}
}

// share keeps an answer for other roots; k is nil where none came.
func (t *Turns) share(u uri.URI, k *kept, r *check.Result, err error) {
	if away, ok := errors.AsType[*check.Elsewhere](err); ok {
		k = &kept{err: away}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if k == nil || k.err == nil && err != nil || t.shared.size+len(k.text) > mostShared {
		return
	}
	k.result = *r
	t.shared.byKey[uri.SchemeKey(u)] = *k
	t.shared.size += len(k.text)
}

// had is what was heard tonight in place of asking: a failure, a redirect to what the reader
// knows about, or what is shared, which as a document is that of the version that is wanted; nil: it
// is to be asked for.
func (t *Turns) had(u uri.URI, w check.Wanted) *kept {
	if !w.Once && !w.Shared || w.Secret != (check.Secret{}) {
		return nil
	}
	switch r, ok := t.known(u.String()); {
	case !ok, comesAgain(&r), isGood(&r) && (len(r.Hops) == 0 || !knows(w, r.FinalURL)):
	case r.Outcome == check.Unknown:
		if to, err := uri.Parse(r.Hops[len(r.Hops)-1].URL); err == nil {
			return &kept{result: r, err: &check.Elsewhere{To: to}}
		}
	default:
		return &kept{result: r}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if k, ok := t.shared.byKey[uri.SchemeKey(u)]; ok && (w.Shared || k.is(w.Version)) {
		return &k
	}
	return nil
}
