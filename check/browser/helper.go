package browser

import (
	"bufio"
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// HelperArgument is the only argument of the program when it is to be a helper.
const HelperArgument = "__browser-helper"

// Help is the process of a helper: it answers questions until in ends, as it does when the
// process that asks is gone, however that ended. It gives the exit code.
func Help(in io.Reader, out io.Writer) int {
	// A signal to all processes of a service is for the one that asks; a browser is
	// started with none ignored.
	signal.Notify(make(chan os.Signal, 1), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	r := bufio.NewReader(in)
	var s settings
	if receive(r, &s) != nil {
		return 1
	}
	scratch, err := os.MkdirTemp("", "linkcheck-b-")
	if err != nil {
		_ = send(out, reply{Fault: err.Error()})
		return 1
	}
	defer func() {
		empty(scratch)
		_ = os.Remove(scratch)
	}()
	bound()
	if s.Confine {
		if err := confine(s, scratch); err != nil {
			_ = send(out, reply{Fault: err.Error()})
			return 1
		}
	}
	ctx, questions := read(r)
	h := &helper{settings: s, scratch: scratch}
	err = nil
	if h.Agent == "" {
		err = h.try(ctx)
	}
	if err != nil {
		_ = send(out, reply{Fault: err.Error()})
		return 1
	}
	if send(out, reply{Words: h.Agent}) != nil {
		return 1
	}
	for q := range questions {
		if send(out, h.answer(ctx, q)) != nil {
			return 1
		}
	}
	return 0
}

// read gives the questions as they come, and a context that is over when no more can come.
func read(r *bufio.Reader) (context.Context, <-chan question) {
	ctx, cancel := context.WithCancel(context.Background())
	questions := make(chan question)
	go func() {
		defer close(questions)
		defer cancel()
		for {
			var q question
			if receive(r, &q) != nil {
				return
			}
			questions <- q // whoever asks waits for the answer: only the end can come before
		}
	}()
	return ctx, questions
}

// helper starts a browser for each question.
type helper struct {
	settings
	scratch string
}

// try starts the browser, learns what it calls itself, and ends it.
func (h *helper) try(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, h.Patience)
	defer cancel()
	c, err := start(ctx, h.settings, h.scratch)
	if err != nil {
		return err
	}
	defer c.stop()
	h.Agent, err = c.version(ctx)
	return err
}

// answer asks a question of a browser that is started for it.
func (h *helper) answer(ctx context.Context, q question) reply {
	ctx, cancel := context.WithTimeout(ctx, q.Patience)
	defer cancel()
	c, err := start(ctx, h.settings, h.scratch)
	if err != nil {
		return reply{Fault: err.Error()}
	}
	defer c.stop()
	a, err := c.ask(ctx, q, h.Agent)
	if err != nil {
		return reply{Fault: c.why(err).Error()}
	}
	return a
}
