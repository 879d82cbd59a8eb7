package interop

import (
	"bufio"
	"errors"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"

	"linkcheck/check"
	"linkcheck/check/all"
)

// relay stands between a client and the server at addr, and keeps the lines that both
// said in the order in which it heard them, and how each ended.
type relay struct {
	listener net.Listener
	running  sync.WaitGroup
	mu       sync.Mutex
	said     []string
}

func newRelay(t *testing.T, addr string) *relay {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &relay{listener: l}
	r.running.Go(func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", addr)
			if err != nil {
				t.Error(err)
				client.Close()
				return
			}
			r.running.Go(func() { r.pass(server, client, "S: ") })
			r.running.Go(func() { r.pass(client, server, "C: "); server.Close() })
		}
	})
	t.Cleanup(func() { l.Close(); r.running.Wait() })
	return r
}

func (r *relay) pass(from, to net.Conn, who string) {
	in := bufio.NewReader(from)
	for {
		line, err := in.ReadString('\n')
		if err == nil {
			r.note(who + strings.TrimSpace(line)) // before the answer can come
			_, err = io.WriteString(to, line)
		}
		switch {
		case err == nil:
			continue
		case errors.Is(err, io.EOF):
			r.note(who + "end")
		default: // a reset, or one to whom nothing can be said
			r.note(who + err.Error())
		}
		return
	}
}

func (r *relay) note(line string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.said = append(r.said, line)
}

// goodbye checks that a probe through the relay ends its session as it should: QUIT, the
// server's last word, and then the end. A client that goes before that word resets the
// connection, which servers write into their logs.
func goodbye(t *testing.T, addr, url, code string) {
	t.Helper()
	r := newRelay(t, addr)
	probeAll(t, newProbers(t, all.Options{}), r.listener.Addr().String(), []expectation{{url, check.OK, codeOf(url), check.Strong}})
	r.listener.Close()
	r.running.Wait()
	quit, end := slices.Index(r.said, "C: QUIT"), slices.Index(r.said, "C: end")
	word := slices.IndexFunc(r.said, func(s string) bool { return strings.HasPrefix(s, "S: "+code) })
	if quit < 0 || word < quit || end < word {
		t.Errorf("QUIT, %s, end: %d %d %d\n%s", code, quit, word, end, strings.Join(r.said, "\n"))
	}
}

// codeOf is the reason with which what is there is found.
func codeOf(url string) check.Reason {
	if strings.HasPrefix(url, "ftp:") {
		return "ftp-213"
	}
	return "nntp-223"
}

func TestGoodbyeFTP(t *testing.T) {
	const file = "ftp://{at}/pub/hello.txt"
	t.Run("vsftpd", func(t *testing.T) { goodbye(t, vsftpd(t, ""), file, "221") })
	t.Run("proftpd", func(t *testing.T) { goodbye(t, proftpd(t, ""), file, "221") })
	t.Run("pure-ftpd", func(t *testing.T) { goodbye(t, pureftpd(t), file, "221") })
	t.Run("pyftpdlib", func(t *testing.T) { goodbye(t, pyftpdlib(t, "handler.tls_control_required = False\n"), file, "221") })
}

func TestGoodbyeNNTP(t *testing.T) {
	addr, _ := inn(t, guests, "")
	post(t, addr, "test.linkcheck", "one@archive.example", false)
	goodbye(t, addr, "news://{at}/one@archive.example", "205")
}
