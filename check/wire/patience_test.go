package wire

import (
	"context"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestPatience(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		whole, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		p := NewPatience(whole, 5*time.Second)
		r := p.Reader(strings.NewReader("abcd"))
		for range 4 {
			time.Sleep(4 * time.Second)
			r.Read(make([]byte, 1))
		}
		under, stop := context.WithCancel(p)
		defer stop()
		if until, ok := p.Deadline(); p.Err() != nil || !ok || time.Until(until) != 5*time.Second {
			t.Errorf("%v, until %v", p.Err(), until)
		}
		time.Sleep(4 * time.Second)
		io.ReadAll(r) // nothing comes
		time.Sleep(2 * time.Second)
		if <-p.Done(); p.Err() != context.DeadlineExceeded {
			t.Error(p.Err())
		}
		if <-under.Done(); under.Err() != context.DeadlineExceeded {
			t.Error(under.Err())
		}
		p.Again()
		p.End()
		if p.Err() != context.DeadlineExceeded {
			t.Error(p.Err())
		}
		p = NewPatience(whole, time.Hour)
		if until, _ := p.Deadline(); !until.Equal(deadlineOf(whole)) {
			t.Errorf("until %v", until)
		}
		if <-p.Done(); p.Err() != context.DeadlineExceeded { // that of the whole
			t.Error(p.Err())
		}
		p = NewPatience(t.Context(), time.Hour)
		if p.End(); p.Err() != context.Canceled {
			t.Error(p.Err())
		}
		above, cancel := context.WithCancel(t.Context())
		cancel()
		p = NewPatience(above, time.Hour)
		if <-p.Done(); p.Err() != context.Canceled {
			t.Error(p.Err())
		}
	})
}

func deadlineOf(ctx context.Context) time.Time {
	d, _ := ctx.Deadline()
	return d
}
