package browser

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
)

const (
	maxMessage = 4 << 20 // octets of one message
	maxWaiting = 1000    // events that came while an answer was waited for
)

var errEnded = errors.New("the browser ended")

// devtools is a connection that speaks the DevTools protocol: JSON, each message ended by
// a NUL. It is for one goroutine.
type devtools struct {
	out     *os.File
	in      chan message
	done    chan struct{} // closed: nobody reads in
	last    int           // number of a command
	waiting []message
}

// message is an answer to a command, or an event.
type message struct {
	ID      int             `json:"id"`
	Method  string          `json:"method"`
	Session string          `json:"sessionId"`
	Params  json.RawMessage `json:"params"`
	Result  json.RawMessage `json:"result"`
	Error   *struct {
		Message string `json:"message"`
	} `json:"error"`
}

// newDevtools reads messages from in until it ends or stop is called.
func newDevtools(in io.Reader, out *os.File) *devtools {
	d := &devtools{out: out, in: make(chan message), done: make(chan struct{})}
	go func() {
		defer close(d.in)
		for r := bufio.NewReader(in); ; {
			text, err := readUpTo(r, 0, maxMessage)
			var m message
			if err != nil || json.Unmarshal(text, &m) != nil {
				return
			}
			select {
			case d.in <- m:
			case <-d.done:
				return
			}
		}
	}()
	return d
}

func (d *devtools) stop() { close(d.done) }

// send sends a command and gives its number.
func (d *devtools) send(ctx context.Context, session, method string, params any) (int, error) {
	d.last++
	text, err := json.Marshal(struct {
		ID      int    `json:"id"`
		Method  string `json:"method"`
		Session string `json:"sessionId,omitempty"`
		Params  any    `json:"params"`
	}{d.last, method, session, params})
	if err != nil {
		return 0, err
	}
	if end, ok := ctx.Deadline(); ok {
		_ = d.out.SetWriteDeadline(end) // a pipe that has none is read until the browser is ended
	}
	if _, err = d.out.Write(append(text, 0)); errors.Is(err, syscall.EPIPE) {
		err = errEnded // before it read the command
	}
	return d.last, err
}

// call sends a command and waits for its result, which may be nil.
func (d *devtools) call(ctx context.Context, session, method string, params, result any) error {
	id, err := d.send(ctx, session, method, params)
	for err == nil {
		var m message
		if m, err = d.read(ctx); err != nil {
			break
		}
		switch {
		case m.ID != id && len(d.waiting) >= maxWaiting:
			return errLong
		case m.ID != id:
			d.waiting = append(d.waiting, m)
		case m.Error != nil:
			return fmt.Errorf("%s: %.200q", method, m.Error.Message)
		case result != nil:
			return json.Unmarshal(m.Result, result)
		default:
			return nil
		}
	}
	return fmt.Errorf("%s: %w", method, err)
}

// next is the message that came first and was not given yet.
func (d *devtools) next(ctx context.Context) (m message, err error) {
	if len(d.waiting) > 0 {
		m, d.waiting = d.waiting[0], d.waiting[1:]
		return m, nil
	}
	return d.read(ctx)
}

func (d *devtools) read(ctx context.Context) (message, error) {
	select {
	case <-ctx.Done():
		return message{}, ctx.Err()
	case m, ok := <-d.in:
		if !ok {
			return message{}, errEnded
		}
		return m, nil
	}
}
