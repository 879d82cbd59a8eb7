package browser

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
)

// Messages are JSON, one a line. A helper answers one before it hears the next.

// settings are the first line that a helper reads.
type settings struct {
	Path      string        // of the browser
	NoSandbox bool          // the browser's own
	Confine   bool          // the helper enters a sandbox of ours
	Proxy     uint16        // port on loopback
	Agent     string        // what the browser calls itself; "": it is tried
	Patience  time.Duration // with that
}

// question is every other line.
type question struct {
	URL            string
	Agent          string // added to what the browser calls itself
	Cookies        []cookie
	User, Password string // of the proxy
	Limit          int64  // octets of the body
	Patience       time.Duration
}

// cookie is one as the DevTools protocol takes it.
type cookie struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	URL    string `json:"url"`
	Secure bool   `json:"secure"`
}

// reply is what a helper answers.
type reply struct {
	Fault  string   // of this machine or of the browser: nothing was learned
	Failed string   // why the browser has no answer of the server, such as net::ERR_EMPTY_RESPONSE
	Status int      // else
	Words  string   // of the status
	Header []header // of the answer
	Body   []byte
}

type header struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// maxLine bounds a line: a body of a megabyte and the header of an answer.
const maxLine = 2 << 20

var errLong = errors.New("a message is too long")

// send writes a message.
func send(w io.Writer, message any) error {
	line, err := json.Marshal(message)
	if err == nil {
		_, err = w.Write(append(line, '\n'))
	}
	return err
}

// receive reads a message.
func receive(r *bufio.Reader, message any) error {
	line, err := readUpTo(r, '\n', maxLine)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(line, message); err != nil {
		return fmt.Errorf("not a message: %w", err)
	}
	return nil
}

// readUpTo reads what comes before a delimiter.
func readUpTo(r *bufio.Reader, end byte, limit int) (line []byte, err error) {
	for {
		part, err := r.ReadSlice(end)
		line = append(line, part...)
		switch {
		case len(line) > limit:
			return nil, errLong
		case err == nil:
			return line[:len(line)-1], nil
		case err != bufio.ErrBufferFull:
			return nil, err
		}
	}
}

// decoded is a part of a body as the DevTools protocol gives it.
func decoded(data string, base64Encoded bool) []byte {
	if !base64Encoded {
		return []byte(data)
	}
	octets, _ := base64.StdEncoding.DecodeString(data) // what comes before a fault
	return octets
}
