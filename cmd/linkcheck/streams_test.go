package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"

	"linkcheck/internal/exit"
)

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// Every verb says when its answer could not be written.
func TestFullOutput(t *testing.T) {
	l := newLibrary(t, map[string]string{"a.txt": "see http://a.test/ now"})
	for _, args := range [][]string{{"schemes"}, {"explain", "http://a.test/"}, {"normalize", "http://a.test/"},
		{"compare", "a:b", "c:d"}, {"extract", l.docs()}, {"check", "info:lccn/1"}, {"help", "exit-codes"}} {
		var err bytes.Buffer
		if code := run(t.Context(), nil, args, bytes.NewReader(nil), fullDisk{}, &err); code != exit.Distrusted || !bytes.Contains(err.Bytes(), []byte("no space left")) {
			t.Errorf("%v: exit %d, %s", args, code, &err)
		}
	}
}

// Ctrl-C ends a program that waits for standard input.
func TestInterruptedInput(t *testing.T) {
	for _, args := range [][]string{{"normalize"}, {"compare"}, {"check", "-"}, {"extract", "-"}} {
		ctx, cancel := context.WithCancel(t.Context())
		in, w := io.Pipe()
		done := make(chan int)
		var out, err bytes.Buffer
		go func() { done <- run(ctx, nil, args, in, &out, &err) }()
		cancel()
		if code := <-done; code != exit.Interrupted || !bytes.Contains(err.Bytes(), []byte("interrupted")) {
			t.Errorf("%v: exit %d, %s", args, code, &err)
		}
		w.Close()
	}
}
