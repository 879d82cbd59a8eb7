// Package dict asks dictionary servers (RFC 2229) for the definition or the matches
// that a dict URL names, and reads no more than the status of the answer. uri/dict.go
// reads the URLs.
package dict

import (
	"bufio"
	"cmp"
	"context"
	"io"
	"strconv"
	"strings"

	"linkcheck/check"
	"linkcheck/check/wire"
	"linkcheck/uri"
)

// banner is the status of a server that is ready.
const banner = 220

// outcomes is what a status code says (RFC 2229); any other is undetermined.
var outcomes = map[int]check.Outcome{
	150:    check.OK, // n definitions retrieved
	152:    check.OK, // n matches found
	banner: check.Reachable,
	420:    check.Temporary, // server temporarily unavailable
	421:    check.Temporary, // server shutting down
	530:    check.Blocked,   // access denied
	531:    check.Auth,      // use "SHOW INFO" for server information
	532:    check.Auth,      // unknown mechanism
	550:    check.Gone,      // no such database
	552:    check.Gone,      // no match
}

// New makes the prober of dict URLs. A probe takes these steps:
//
//  1. connect and read the banner;
//  2. name ourselves with CLIENT, whatever the server says to it (section 3.10);
//  3. DEFINE or MATCH as the URL has it; nothing for a server;
//  4. judge the answer by its code, say QUIT and go without the text.
func New(o check.Options) check.Prober {
	o = o.WithDefaults()
	return check.ProberOf(o, func(ctx context.Context, u *uri.Dict) check.Result {
		if !wire.LineSafe(u.Word, u.Database, u.Strategy, o.UserAgent) {
			return check.Classify(wire.ErrControl)
		}
		return o.Converse(ctx, u.At, o.MaxBytes, func(c *wire.Conn) check.Result {
			return session{r: wire.NewReader(c), w: c}.probe(u, o.UserAgent)
		})
	})
}

type session struct {
	r *bufio.Reader
	w io.Writer
}

func (s session) probe(u *uri.Dict, client string) check.Result {
	line, err := s.answer()
	switch code, known := codeOf(line); {
	case line == "" && err != nil:
		return check.ClassifyFirst(err)
	case code != banner:
		return judge(line, u, err)
	case err == nil && known && u.Word != "":
		if _, err = s.ask("CLIENT " + quoted(client)); err != nil {
			return check.Classify(err)
		}
		line, err = s.ask(command(u))
	}
	io.WriteString(s.w, "QUIT\r\n")
	return judge(line, u, err)
}

// ask sends a command and gives the status line of the answer.
func (s session) ask(command string) (string, error) {
	if _, err := io.WriteString(s.w, command+"\r\n"); err != nil {
		return "", err
	}
	return s.answer()
}

// answer reads a line; the end of the stream after one is no error.
func (s session) answer() (string, error) {
	line, err := wire.ReadLine(s.r)
	if err == io.EOF && line != "" {
		err = nil
	}
	return line, err
}

// command is DEFINE of section 3.2 or MATCH of section 3.3.
func command(u *uri.Dict) string {
	if u.Match {
		return "MATCH " + quoted(u.Database) + " " + quoted(u.Strategy) + " " + quoted(u.Word)
	}
	return "DEFINE " + quoted(u.Database) + " " + quoted(u.Word)
}

// quoted writes a string of section 2.2; an atom stands for itself.
func quoted(s string) string {
	if s != "" && !strings.ContainsAny(s, " \t\"'\\") {
		return s
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// codeOf reads the three digits at the beginning of a status line.
func codeOf(line string) (code int, ok bool) {
	code, text, ok := wire.ReplyCode(line)
	return code, ok && (text == "" || text[0] == ' ')
}

// judge says what a status line means. A server may have fewer definitions than it
// had, which is no word that there are none.
func judge(line string, u *uri.Dict, err error) check.Result {
	if err != nil {
		return check.Classify(err)
	}
	code, ok := codeOf(line)
	if !ok {
		return check.New(check.Undetermined, check.ReasonProtocolMismatch, line)
	}
	words := append(strings.Fields(line), "", "")
	if n, err := strconv.Atoi(words[1]); err == nil && outcomes[code] == check.OK && n < u.N {
		return check.New(check.Suspect, check.ReasonDictFewer, line)
	}
	return check.New(cmp.Or(outcomes[code], check.Undetermined), check.ReasonDict(code), line)
}
