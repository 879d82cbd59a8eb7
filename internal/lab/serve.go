package lab

import (
	"bufio"
	"errors"
	"io"
	"net"
	"strings"
	"sync"
	"time"
)

const (
	maxLine = 4 << 10          // of a request
	idle    = 10 * time.Second // that a client may keep a connection in silence
)

// Serve answers each connection of l with talk until l is closed; then it closes the
// connections that are still open, and returns when every talk has.
func Serve(l net.Listener, talk func(net.Conn)) error {
	var live sync.Map // net.Conn -> nothing
	var wg sync.WaitGroup
	defer wg.Wait()
	defer func() {
		live.Range(func(c, _ any) bool { c.(net.Conn).Close(); return true })
	}()
	for {
		c, err := l.Accept()
		if errors.Is(err, net.ErrClosed) {
			return nil
		}
		if err != nil {
			return err
		}
		live.Store(c, nil)
		wg.Go(func() {
			defer live.Delete(c)
			defer c.Close()
			c.SetDeadline(time.Now().Add(idle))
			talk(c)
		})
	}
}

// serveLines greets each client and answers its lines until it says QUIT. session makes
// the function that answers the lines of one connection.
func serveLines(l net.Listener, greeting string, session func() (answer func(line string) string)) error {
	return Serve(l, func(c net.Conn) {
		answer := session()
		io.WriteString(c, greeting)
		for r := bufio.NewReaderSize(c, maxLine); ; {
			octets, err := r.ReadSlice('\n')
			if err != nil {
				return
			}
			line := strings.TrimRight(string(octets), "\r\n")
			if _, err := io.WriteString(c, answer(line)+"\r\n"); err != nil || strings.EqualFold(line, "QUIT") {
				return
			}
		}
	})
}

// serveLine reads one line of each client, answers it, and closes.
func serveLine(l net.Listener, answer func(line string) string) error {
	return Serve(l, func(c net.Conn) {
		line, err := bufio.NewReader(io.LimitReader(c, maxLine)).ReadString('\n')
		if err == nil {
			io.WriteString(c, answer(strings.TrimRight(line, "\r\n")))
		}
	})
}
