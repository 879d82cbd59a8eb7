package wire

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"testing"
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
