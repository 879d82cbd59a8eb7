package lab

import (
	"bufio"
	"encoding/base64"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync"
)

// Relay is a proxy of the network: HTTP by CONNECT and in absolute form, or SOCKS 5.
type Relay struct {
	User, Password string                                // "": everybody may use it
	Reach          func(target string) (net.Conn, error) // connects to "host:port"

	mu      sync.Mutex
	targets []string
}

// ErrDenied is the error of Reach where the relay will not.
var ErrDenied = errors.New("denied")

// Targets lists what it was asked for, "host:port", or the address of a page.
func (r *Relay) Targets() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.targets
}

func (r *Relay) reach(asked, target string) (net.Conn, error) {
	r.mu.Lock()
	r.targets = append(r.targets, asked)
	r.mu.Unlock()
	return r.Reach(target)
}

// HTTP serves HTTP until the listener is closed.
func (r *Relay) HTTP(l net.Listener) error { return (&http.Server{Handler: r}).Serve(l) }

// ServeHTTP implements http.Handler.
func (r *Relay) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	want := "Basic " + base64.StdEncoding.EncodeToString([]byte(r.User+":"+r.Password))
	if r.User != "" && q.Header.Get("Proxy-Authorization") != want {
		w.WriteHeader(http.StatusProxyAuthRequired)
		return
	}
	q.Header.Del("Proxy-Authorization")
	asked, target := q.Host, q.Host
	if q.Method != http.MethodConnect {
		if !q.URL.IsAbs() {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		if asked = q.URL.String(); q.URL.Port() == "" {
			target = net.JoinHostPort(q.URL.Hostname(), "80")
		}
	}
	c, err := r.reach(asked, target)
	switch {
	case errors.Is(err, ErrDenied):
		w.WriteHeader(http.StatusForbidden)
	case err != nil:
		w.WriteHeader(http.StatusBadGateway)
	case q.Method == http.MethodConnect:
		client, in, err := http.NewResponseController(w).Hijack()
		if err != nil {
			c.Close()
			return
		}
		io.WriteString(client, "HTTP/1.1 200 Connection established\r\n\r\n")
		join(c, client, in)
	default:
		defer c.Close()
		q.Close = true
		err := q.Write(c)
		var resp *http.Response
		if err == nil {
			resp, err = http.ReadResponse(bufio.NewReader(c), q)
		}
		if err != nil {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		defer resp.Body.Close()
		for name, values := range resp.Header {
			w.Header()[name] = values
		}
		w.WriteHeader(resp.StatusCode)
		io.Copy(w, resp.Body)
	}
}

// join copies both ways between a server and a client, of whom in has read ahead.
func join(server, client net.Conn, in io.Reader) {
	go func() {
		defer server.Close()
		io.Copy(server, in)
	}()
	defer client.Close()
	io.Copy(client, server)
}

// SOCKS serves SOCKS 5 (RFC 1928) until the listener is closed.
func (r *Relay) SOCKS(l net.Listener) error {
	for {
		c, err := l.Accept()
		if err != nil {
			return err
		}
		go func() {
			defer c.Close()
			_ = r.socks(c) // the client hears of it as the connection ends
		}()
	}
}

// socks has one conversation.
func (r *Relay) socks(c net.Conn) error {
	read := func(n int) []byte {
		b := make([]byte, n)
		if _, err := io.ReadFull(c, b); err != nil {
			return make([]byte, n)
		}
		return b
	}
	read(int(read(2)[1]))
	if r.User == "" {
		c.Write([]byte{5, 0})
	} else {
		c.Write([]byte{5, 2})
		user := string(read(int(read(2)[1])))
		if password := string(read(int(read(1)[0]))); user != r.User || password != r.Password { // RFC 1929
			c.Write([]byte{1, 1})
			return ErrDenied
		}
		c.Write([]byte{1, 0})
	}
	var host string
	switch kind := read(4)[3]; kind {
	case 1:
		host = net.IP(read(4)).String()
	case 4:
		host = net.IP(read(16)).String()
	default:
		host = string(read(int(read(1)[0])))
	}
	port := read(2)
	target := net.JoinHostPort(host, strconv.Itoa(int(port[0])<<8|int(port[1])))
	server, err := r.reach(target, target)
	reply := []byte{5, 0, 0, 1, 0, 0, 0, 0, 0, 0}
	if errors.Is(err, ErrDenied) {
		reply[1] = 2
	} else if err != nil {
		reply[1] = 5
	}
	c.Write(reply)
	if err == nil {
		join(server, c, c)
	}
	return err
}
