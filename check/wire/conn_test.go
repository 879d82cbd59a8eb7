package wire

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"testing"
	"testing/synctest"
	"time"
)

func pipe(t *testing.T) (client, server net.Conn) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	client, err = net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	if server, err = l.Accept(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close(); server.Close() })
	return client, server
}

func TestConn(t *testing.T) {
	t.Run("budget", func(t *testing.T) {
		client, server := pipe(t)
		go func() { server.Write(make([]byte, 100)); server.Close() }()
		c := newConn(t.Context(), client, 10)
		got, err := io.ReadAll(c)
		if len(got) != 10 || !errors.Is(err, ErrTooLong) || c.BytesRead() != 10 {
			t.Errorf("got %d octets, %v", len(got), err)
		}
	})
	t.Run("deadline", func(t *testing.T) {
		client, _ := pipe(t)
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer cancel()
		_, err := newConn(ctx, client, 10).Read(make([]byte, 1))
		if !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("cancel and reset", func(t *testing.T) {
		client, server := pipe(t)
		ctx, cancel := context.WithCancel(t.Context())
		c := newConn(ctx, client, 10)
		go cancel()
		_, err := c.Read(make([]byte, 1))
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		c.Reset(t.Context(), 10)
		server.Write([]byte("x"))
		if n, err := c.Read(make([]byte, 1)); n != 1 || err != nil {
			t.Errorf("after Reset: %d, %v", n, err)
		}
	})
}

func TestReadLine(t *testing.T) {
	client, server := pipe(t)
	go func() {
		server.Write([]byte("a\r\nb\n\r\nrest"))
		server.Close()
	}()
	r := NewReader(client)
	for _, want := range []string{"a", "b", ""} {
		if got, err := ReadLine(r); got != want || err != nil {
			t.Errorf("got %q, %v, want %q", got, err, want)
		}
	}
	if got, err := ReadLine(r); got != "rest" || err != io.EOF {
		t.Errorf("got %q, %v", got, err)
	}
	reader, writer := pipe(t)
	go func() { writer.Write(make([]byte, 2*MaxLine)) }()
	if _, err := ReadLine(NewReader(reader)); err != ErrLineTooLong {
		t.Errorf("got %v", err)
	}
}

// What a server says to a farewell is read, and waited for, but not for ever.
func TestGoodbye(t *testing.T) {
	for name, c := range map[string]struct {
		says string
		took time.Duration
	}{
		"answered":            {"221 Goodbye.\r\n", 0},
		"in several lines":    {"221-You have transferred 0 bytes.\r\n221-Thank you.\r\n221 Goodbye.\r\n", 0},
		"behind a late reply": {"226 Transfer complete.\r\n221 Goodbye.\r\n", 0},
		"in silence":          {"", 2 * time.Second},
		"without an end":      {"221-more\r\n", 2 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client, server := net.Pipe() // a Write returns once all is read
				defer server.Close()
				read := make(chan error)
				go func() {
					if _, err := io.ReadFull(server, make([]byte, len("QUIT\r\n"))); err != nil {
						read <- err
						return
					}
					_, err := io.WriteString(server, c.says)
					read <- err
				}()
				conn := newConn(t.Context(), client, 0)
				defer conn.Close()
				begin := time.Now()
				go func() {
					conn.Goodbye(conn, NewReader(conn), 221)
					if took := time.Since(begin); took != c.took {
						t.Errorf("took %v of the bubble's clock, want %v", took, c.took)
					}
					conn.Close()
				}()
				if err := <-read; err != nil {
					t.Errorf("the last words were not read: %v", err)
				}
				if _, err := server.Read(make([]byte, 1)); err != io.EOF {
					t.Errorf("after them: %v", err)
				}
			})
		})
	}
}
