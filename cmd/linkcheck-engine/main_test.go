package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"linkcheck/fleet"
)

// It says when it is ready, has the folder for itself, and ends in order.
func TestEngine(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	ctx, stop := context.WithCancel(t.Context())
	out, in := io.Pipe()
	code := make(chan int)
	var told bytes.Buffer
	go func() { code <- run(ctx, []string{"--listen", "127.0.0.1:0", "--dir", dir}, in, &told) }()
	line, err := bufio.NewReader(out).ReadString('\n')
	url, ready := strings.CutPrefix(strings.TrimSpace(line), "ready ")
	if err != nil || !ready {
		t.Fatalf("%q, %v", line, err)
	}
	n, err := fleet.Dial(ctx, url, fleet.Set{Name: "x", TTL: time.Second, Replicas: 1, Octets: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	n.Close()
	var second bytes.Buffer
	if got := run(ctx, []string{"--listen", "127.0.0.1:0", "--dir", dir}, io.Discard, &second); got != 5 || !strings.Contains(second.String(), "another engine") {
		t.Errorf("a second one in the folder: %d, %s", got, &second)
	}
	stop()
	if got := <-code; got != 0 || told.Len() > 0 {
		t.Errorf("%d, %s", got, &told)
	}
}

func TestUsage(t *testing.T) {
	busy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	dir := t.TempDir()
	tests := []struct {
		args   string
		code   int
		stdout string
		stderr string
	}{
		{"--help", 0, "--listen ADDRESS", ""},
		{"", 2, "", "--dir is missing"},
		{"--nonsense", 2, "", "unknown flag"},
		{"--dir " + dir + " more", 2, "", `"more" is no flag`},
		{"--listen localhost --dir " + dir, 2, "", "no address with a port"},
		{"--listen 0.0.0.0:4222 --dir " + dir, 2, "", "open to other machines"},
		{"--listen [::]:4222 --dir " + dir, 2, "", "open to other machines"},
		{"--listen " + busy.Addr().String() + " --dir " + dir, 4, "", "address already in use"},
	}
	for _, tt := range tests {
		var stdout, stderr bytes.Buffer
		code := run(t.Context(), strings.Fields(tt.args), &stdout, &stderr)
		if code != tt.code || !strings.Contains(stdout.String(), tt.stdout) || !strings.Contains(stderr.String(), tt.stderr) || tt.stderr == "" && stderr.Len() > 0 {
			t.Errorf("%s: %d\n%s\n%s", tt.args, code, &stdout, &stderr)
		}
	}
}
