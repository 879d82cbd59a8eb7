// Package dict asks dictionary servers (RFC 2229) for the definition or the matches
// that a dict URL names, and reads no more than the status of the answer. uri/dict.go
// reads the URLs.
package dict

import (
	"bufio"
	"context"
	"io"
	"strconv"
	"strings"

	"linkcheck/check"
	"linkcheck/check/wire"
	"linkcheck/uri"
)

// Status codes of RFC 2229.
const (
	codeDefinitions = 150 // n definitions retrieved
	codeMatches     = 152 // n matches found
	codeBanner      = 220
	codeBusy        = 420 // server temporarily unavailable
	codeShutdown    = 421
	codeDenied      = 530
	codeUseAuth     = 531 // use "SHOW INFO" for server information
	codeUnknownMech = 532
	codeNoDatabase  = 550
	codeNoMatch     = 552
)

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
	banner, err := s.answer()
	code, known := codeOf(banner)
	switch {
	case banner == "" && err != nil:
		return check.ClassifyFirst(err)
	case err != nil || !known || code != codeBanner || u.Word == "":
		r := judge(banner, u, err)
		if code == codeBanner {
			io.WriteString(s.w, "QUIT\r\n")
		}
		return r
	}
	if _, err = s.ask("CLIENT " + quoted(client)); err != nil {
		return check.Classify(err)
	}
	line, err := s.ask(command(u))
	r := judge(line, u, err)
	io.WriteString(s.w, "QUIT\r\n")
	return r
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
	outcome := check.Undetermined
	switch code {
	case codeDefinitions, codeMatches:
		outcome = check.OK
		words := strings.Fields(line)
		if len(words) < 2 {
			break
		}
		if n, err := strconv.Atoi(words[1]); err == nil && n < u.N {
			return check.New(check.Suspect, check.ReasonDictFewer, line)
		}
	case codeBanner:
		outcome = check.Reachable
	case codeBusy, codeShutdown:
		outcome = check.Temporary
	case codeDenied:
		outcome = check.Blocked
	case codeUseAuth, codeUnknownMech:
		outcome = check.Auth
	case codeNoDatabase, codeNoMatch:
		outcome = check.Gone
	}
	return check.New(outcome, check.ReasonDict(code), line)
}
