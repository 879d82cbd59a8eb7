package lab

import (
	"bufio"
	"errors"
	"net"
	"strings"
	"sync"
	"time"
)

const (
	maxLine = 4 << 10          // of a request
	idle    = 10 * time.Second // that a client may keep a connection in silence
)

// serve answers each connection of l with talk until l is closed; then it ends
// the conversations that are still going on.
func serve(l net.Listener, talk func(net.Conn)) error {
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

// eachLine returns talk the lines of a client until it says stop or the client
// goes.
func eachLine(c net.Conn, talk func(line string) bool) {
	r := bufio.NewReaderSize(c, maxLine)
	for {
		line, err := r.ReadSlice('\n')
		if err != nil || !talk(strings.TrimRight(string(line), "\r\n")) {
			return
		}
	}
}
