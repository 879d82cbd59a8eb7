package ftp

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"linkcheck/check"
	"linkcheck/check/wire"
)

const maxReplyLines = 500 // of one multi-line reply

// errNoPassword stops a login that would need a password.
var errNoPassword = errors.New("no password is sent")

// reply is one answer of the server, with all its lines.
type reply struct {
	code int
	text string // the lines without their codes, joined by blanks
}

// control is the control connection as the library sees it. It reads whole lines
// within limits, keeps the last reply, and mends what the library trips over:
//
//   - 120 before the greeting is waited out, a bare "220" gets its blank;
//   - 202 to PASS, "superfluous at this site", is a login (RFC 959 section 5.4);
//   - FEAT is answered here: the library asks for it only to decide which
//     questions it may ask, and all are asked in any case;
//   - PASS is withheld unless the login is anonymous;
//   - TLS is begun below the library, so that it changes nothing above.
type control struct {
	*wire.Conn               // of the connection: budget, deadline, context
	peer       net.Conn      // what lines pass over: Conn, or TLS upon it
	r          *bufio.Reader // of peer
	in         bytes.Buffer  // lines ready for the library
	out        bytes.Buffer  // a command that is not complete yet

	last    reply    // the last complete reply; code 0: a line that is none
	entered reply    // the reply that ended the login well
	open    []string // lines of the reply under way
	lines   int      // how many

	asked    string // the last command, without its arguments
	waited   bool   // a 120 was swallowed
	password bool   // PASS may be sent
	quit     bool   // QUIT was sent
	garbled  bool   // a line came that is no reply
	broken   error  // what ended the conversation
}

// Read gives the library the next line that concerns it.
func (w *control) Read(p []byte) (int, error) {
	for w.in.Len() == 0 {
		if err := w.next(); err != nil {
			return 0, err
		}
	}
	return w.in.Read(p)
}

// next reads one line and puts it into in, unless the library must not see it.
func (w *control) next() error {
	if w.broken != nil {
		return w.broken
	}
	line, err := wire.ReadLine(w.r)
	if err != nil && (line == "" || err != io.EOF) {
		if w.asked == "" && line != "" && (line[0] < '0' || line[0] > '9') { // a telnet host sends no line and waits
			w.last, w.garbled = reply{0, line}, true
		}
		return w.fail(err)
	}
	w.lines++
	if w.lines > maxReplyLines {
		return w.fail(wire.ErrTooLong)
	}
	code, end := w.gather(line)
	if end && code == 120 && !w.waited { // RFC 959 section 4.2: ready in nnn minutes
		w.waited = true
		w.in.Reset()
		return nil
	}
	if len(line) == 3 && code > 0 {
		line += " "
	}
	if text, ok := strings.CutPrefix(line, "202"); ok && w.asked == "PASS" {
		line = "230" + text
	}
	w.in.WriteString(line + "\r\n")
	return nil
}

// gather adds a line to the reply under way: RFC 959 section 4.2, "nnn-" begins
// several lines and "nnn " with the same code ends them.
func (w *control) gather(line string) (code int, end bool) {
	code, more, text := splitReply(line)
	if len(w.open) == 0 {
		if code == 0 {
			w.last, w.garbled = reply{0, line}, true
			return 0, false
		}
		w.last.code = code
	} else if code != w.last.code {
		code, more, text = w.last.code, true, line
	}
	w.open = append(w.open, text)
	if more {
		return code, false
	}
	w.last.text = strings.Join(w.open, " ")
	w.open, w.lines = w.open[:0], 0
	if w.asked == "USER" && code == 230 || w.asked == "PASS" && (code == 230 || code == 202) {
		w.entered = w.last
	}
	return code, true
}

// splitReply reads "nnn text", "nnn-text" or "nnn"; code 0: it is none.
func splitReply(line string) (code int, more bool, text string) {
	code, text, ok := wire.ReplyCode(line)
	switch {
	case !ok || code > 699:
		return 0, false, ""
	case text == "":
		return code, false, ""
	case text[0] == ' ' || text[0] == '-':
		return code, text[0] == '-', strings.TrimSpace(text[1:])
	}
	return 0, false, ""
}

// Write takes the library's commands, a piece at a time.
func (w *control) Write(p []byte) (int, error) {
	w.out.Write(p)
	for {
		line, err := w.out.ReadString('\n')
		if err != nil {
			w.out.WriteString(line)
			return len(p), nil
		}
		if err := w.send(strings.TrimRight(line, "\r\n")); err != nil {
			return 0, err
		}
	}
}

// send takes one command of the library.
func (w *control) send(command string) error {
	switch {
	case w.broken != nil:
		return w.broken
	case command == "FEAT":
		w.in.WriteString("211-Features\r\n MDTM\r\n MLST\r\n211 End\r\n")
		return nil
	case strings.HasPrefix(command, "PASS ") && !w.password:
		return errNoPassword
	case command == "QUIT":
		return w.bye()
	}
	return w.say(command)
}

// say writes a command to the server.
func (w *control) say(command string) error {
	switch {
	case w.broken != nil:
		return w.broken
	case !wire.LineSafe(command):
		return wire.ErrControl
	}
	w.last = reply{}
	w.asked, _, _ = strings.Cut(command, " ")
	if _, err := io.WriteString(w.peer, command+"\r\n"); err != nil {
		return w.fail(err)
	}
	return nil
}

// bye sends QUIT once, and leaves the last reply alone.
func (w *control) bye() error {
	if !w.quit && w.broken == nil {
		w.quit = true
		w.Goodbye(w.peer, w.r, 221)
	}
	return w.broken
}

// Close sends QUIT where the library could not.
func (w *control) Close() error {
	w.bye()
	return w.Conn.Close()
}

func (w *control) fail(err error) error {
	w.broken = cmp.Or(w.broken, err)
	return err
}

// ask puts one question without the library.
func (w *control) ask(command string) (reply, error) {
	if err := w.say(command); err != nil {
		return reply{}, err
	}
	return w.await()
}

// await reads the next reply without the library.
func (w *control) await() (reply, error) {
	w.last = reply{}
	for w.last == (reply{}) && !w.garbled || len(w.open) > 0 {
		if err := w.next(); err != nil {
			return reply{}, err
		}
	}
	w.in.Reset()
	return w.settled(nil)
}

// idle reports that the conversation is whole and nothing is left unread.
func (w *control) idle() bool {
	return w.broken == nil && !w.garbled && len(w.open) == 0 && w.in.Len() == 0 && w.out.Len() == 0 && w.r.Buffered() == 0
}

// settled is the last reply, or why there is none: the end of the conversation,
// a line that is no reply, or what the library says.
func (w *control) settled(err error) (reply, error) {
	switch {
	case w.broken != nil:
		return reply{}, w.broken
	case w.last.code != 0 && len(w.open) == 0:
		return w.last, nil
	case w.garbled:
		return reply{}, check.ResultError(check.Undetermined, check.ReasonGarbled, w.last.text)
	case err == nil:
		err = io.ErrUnexpectedEOF
	}
	return reply{}, err
}

// secure begins TLS (RFC 4217 section 4). protected says whether data
// connections must be TLS as well, flag what is wrong with the certificate.
func (w *control) secure(ctx context.Context, host string) (protected bool, flag check.Flag, err error) {
	if r, err := w.ask("AUTH TLS"); err != nil {
		return false, "", err
	} else if r.code != 234 {
		return false, "", fmt.Errorf("AUTH TLS: %d", r.code)
	}
	c, flag, err := check.StartTLS(ctx, w.peer, host)
	if err != nil {
		return false, "", w.fail(err)
	}
	w.peer, w.r = c, wire.NewReader(c)
	for _, command := range []string{"PBSZ 0", "PROT P"} {
		r, err := w.ask(command)
		if err != nil {
			return false, flag, err
		}
		protected = r.code == 200
	}
	return protected, flag, nil
}
