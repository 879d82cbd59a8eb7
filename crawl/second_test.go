package crawl

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/uri"
)

// doubting is a world whose prober asks once more before a link is dead.
type doubting struct{ *world }

func (w *doubting) Hooks() check.Hooks {
	hooks := w.world.Hooks()
	hooks.Start = w.start
	return hooks
}

func (w *doubting) start(ctx context.Context, t check.Target) (check.Result, *check.Continuation) {
	r := w.Probe(ctx, t)
	if t.Settles == nil || !t.Settles(&r) {
		return r, nil
	}
	return r, &check.Continuation{URI: t.URI, Run: func(ctx context.Context) (check.Result, *check.Continuation) {
		second := w.Probe(ctx, check.Target{URI: t.URI})
		if second.Outcome != check.Gone {
			second.Outcome, second.Reason, second.Evidence = check.Blocked, check.ReasonAnswersDiffer, check.None
		}
		return second, nil
	}}
}

// A link is asked once more on the night on which it would die, with the gap of its
// host, also where a link that shares its probe would; and not before. OUTCOMES 5.1.18.
func TestSecondQuestionBeforeDeath(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &doubting{&world{answer: func(host, path string, n int) check.Result {
			if path == "/there" && n == 4 { // the second question of the fourth night
				return check.New(check.OK, "http-200", "HTTP/1.1 200 OK")
			}
			return check.New(check.Gone, "http-404", "HTTP/1.1 404 Not Found")
		}}}
		st := newStore(t, "http://a.test.net/gone", "http://a.test.net/there", "http://a.test.net/part#one", "http://a.test.net/part#two")
		begin := time.Now()
		for night := range 8 {
			time.Sleep(time.Until(begin.Add(time.Duration(night) * 24 * time.Hour)))
			before := len(w.visits)
			if _, err := Check(t.Context(), st, options(w, func(o *Options) { o.HostDelay = 2 * time.Second })); err != nil {
				t.Fatal(err)
			}
			visits := w.visits[before:]
			want := map[int]int{0: 3, 1: 3, 4: 3, 7: 6}[night]
			if len(visits) != want {
				t.Errorf("night %d: %d requests, want %d: %v", night, len(visits), want, visits)
			}
			for i := range visits[min(1, len(visits)):] {
				if gap := visits[i+1].at.Sub(visits[i].at); gap < 2*time.Second {
					t.Errorf("night %d: a gap of %v", night, gap)
				}
			}
		}
		for url, want := range map[string]judge.State{
			"http://a.test.net/gone": judge.Dead, "http://a.test.net/there": judge.Failing, "http://a.test.net/part#one": judge.Dead, "http://a.test.net/part#two": judge.Dead,
		} {
			u, err := uri.Parse(url)
			if err != nil {
				t.Fatal(err)
			}
			if l, found, err := st.Find(u.String()); err != nil || !found || l.State != want {
				t.Errorf("%s: %v, %v, want %v", url, l.State, err, want)
			}
		}
	})
}
