package harvest_test

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"strings"

	"linkcheck/check"
)

// fault is how a server fails at one request.
type fault struct {
	name string
	// silent: what comes is taken for an answer, for nothing says that it is none.
	silent bool
	// answer is what comes in place of an answer. A fault of a body is not there where no
	// body comes.
	answer func(f *failing, w check.Wanted, a *check.Answer) (check.Result, *check.Answer)
	body   bool
	// entries is what comes of a list in place of all; nil: the fault is none of lists.
	entries func(all []check.Entry) ([]check.Entry, error)
}

// refuse is an answer by status alone: only who wants any status sees its page.
func refuse(o check.Outcome, status int) func(*failing, check.Wanted, *check.Answer) (check.Result, *check.Answer) {
	return func(_ *failing, w check.Wanted, a *check.Answer) (check.Result, *check.Answer) {
		r := check.New(o, check.ReasonHTTP(status), "")
		if !w.AnyStatus {
			return r, nil
		}
		return r, &check.Answer{Media: "text/html", Body: strings.NewReader("<title>Sorry</title><p>It did not work.</p>")}
	}
}

// silence is a failure to have an answer at all.
func silence(o check.Outcome, why check.Reason) func(*failing, check.Wanted, *check.Answer) (check.Result, *check.Answer) {
	return func(*failing, check.Wanted, *check.Answer) (check.Result, *check.Answer) {
		return check.New(o, why, ""), nil
	}
}

// damage changes the body of an answer.
func damage(change func(f *failing, octets []byte) io.Reader) func(*failing, check.Wanted, *check.Answer) (check.Result, *check.Answer) {
	return func(f *failing, _ check.Wanted, a *check.Answer) (check.Result, *check.Answer) {
		octets, _ := io.ReadAll(a.Body)
		other := *a
		other.Body, other.Version = change(f, octets), ""
		return check.New(check.OK, check.ReasonHTTP(200), ""), &other
	}
}

func faults(c Case) []fault {
	half := func(octets []byte) io.Reader { return bytes.NewReader(octets[:len(octets)/2]) }
	list := []fault{
		{name: "timeout", answer: silence(check.Temporary, check.ReasonTimeout)},
		{name: "reset", answer: silence(check.Unreachable, check.ReasonTCPReset)},
		{name: "503", answer: refuse(check.Temporary, 503)},
		{name: "403", answer: refuse(check.Blocked, 403)},
		{name: "half a body and an error", body: true, answer: damage(func(_ *failing, octets []byte) io.Reader {
			return io.MultiReader(half(octets), broken{})
		})},
		{name: "half a body", body: true, silent: true, answer: damage(func(_ *failing, octets []byte) io.Reader { return half(octets) })},
		{name: "garbage", body: true, silent: true, answer: damage(func(_ *failing, octets []byte) io.Reader { return garbage(len(octets)) })},
		{name: "no body", body: true, silent: true, answer: damage(func(*failing, []byte) io.Reader { return strings.NewReader("") })},
	}
	list = append(list,
		fault{name: "half a list and an error", entries: func(all []check.Entry) ([]check.Entry, error) {
			return all[:len(all)/2], io.ErrUnexpectedEOF
		}},
		fault{name: "no entries", silent: true, entries: func([]check.Entry) ([]check.Entry, error) { return nil, nil }})
	if c.Empty != nil {
		list = append(list, fault{name: "an empty list", body: true, silent: true,
			answer: func(f *failing, _ check.Wanted, a *check.Answer) (check.Result, *check.Answer) {
				other := *a
				var text string
				other.Media, text = c.Empty(f.asked)
				other.Body, other.Version = strings.NewReader(text), ""
				return check.New(check.OK, check.ReasonHTTP(200), ""), &other
			}})
	}
	return list
}

// broken is the end of a body that did not come whole.
type broken struct{}

// Read implements io.Reader.
func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// garbage is n octets without sense, the same each time.
func garbage(n int) io.Reader {
	octets := make([]byte, n+1)
	rand.NewChaCha8([32]byte{1}).Read(octets)
	return bytes.NewReader(octets)
}

// failing is a reader that counts, and fails at one request.
type failing struct {
	check.Reader
	at     int   // the request that fails, from 1; 0: none
	fault  fault // in this manner
	cancel func()
	most   int // requests; 0: as many as come
	onMost func()

	requests int
	asked    string // last
	failed   bool   // it has
}

// shorten cuts a list.
func (f *failing) shorten(a *check.Answer) *check.Answer {
	if a.Entries == nil {
		return a
	}
	f.failed = true
	var all []check.Entry
	for e := range a.Entries {
		all = append(all, e)
	}
	left, err := f.fault.entries(all)
	other := *a
	other.Entries = func(yield func(check.Entry, error) bool) {
		for _, e := range left {
			if !yield(e, nil) {
				return
			}
		}
		if err != nil {
			yield(check.Entry{}, err)
		}
	}
	return &other
}

// Read implements check.Reader.
func (f *failing) Read(ctx context.Context, t check.Target, w check.Wanted, take func(*check.Answer) error) (check.Result, error) {
	f.requests++
	f.asked = t.URI.String()
	if f.most != 0 && f.requests > f.most {
		f.onMost()
	}
	if f.requests != f.at {
		return f.Reader.Read(ctx, t, w, take)
	}
	if f.cancel != nil {
		f.cancel()
		return check.Classify(ctx.Err()), nil
	}
	if f.fault.entries != nil {
		return f.Reader.Read(ctx, t, w, func(a *check.Answer) error { return take(f.shorten(a)) })
	}
	if !f.fault.body {
		f.failed = true
		r, a := f.fault.answer(f, w, nil)
		if a != nil {
			a.URI = t.URI
			return r, take(a)
		}
		return r, nil
	}
	var r check.Result
	result, err := f.Reader.Read(ctx, t, w, func(a *check.Answer) error {
		if a.Body == nil {
			return take(a)
		}
		f.failed = true
		var other *check.Answer
		r, other = f.fault.answer(f, w, a)
		return take(other)
	})
	if f.failed && err == nil {
		return r, nil
	}
	return result, err
}
