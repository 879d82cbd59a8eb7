package alive

import (
	"bufio"
	"context"
	"io"
	"net/url"
	"regexp"
	"strings"

	"linkcheck/check"
	"linkcheck/check/wire"
	"linkcheck/uri"
)

// version is the first line of a daemon and of its client, rsyncd.conf(5) and the source of
// rsync say so: the protocol, then perhaps the checksums that it knows.
var version = regexp.MustCompile(`^@RSYNCD: \d+(\.\d+)?( |$)`)

// ours is the version that we speak: the last before checksums are to be agreed on.
const ours = "@RSYNCD: 30.0\n"

// Rsync makes the prober of rsync URLs (RFC 5781). A probe takes these steps:
//
//  1. read the version of the daemon; without a module in the URL that is all;
//  2. say ours and the name of the module;
//  3. read what it says of the module, past the message of the day, and go: no file is asked for.
func Rsync(o check.Options) check.Prober {
	return proberOf(o, "", func(_ context.Context, c io.Writer, r *bufio.Reader, u *uri.Opaque) check.Result {
		module, _, _ := strings.Cut(strings.TrimPrefix(u.Parts().Path, "/"), "/")
		module, err := url.PathUnescape(module)
		if err != nil || !wire.LineSafe(module) {
			return check.Classify(wire.ErrControl)
		}
		result := greeted(r, version.MatchString)
		if result.Outcome != check.Reachable || module == "" {
			return result
		}
		if _, err = io.WriteString(c, ours+module+"\n"); err != nil {
			return check.Classify(err)
		}
		return ofModule(r)
	})
}

// ofModule reads what a daemon says of a module.
func ofModule(r *bufio.Reader) check.Result {
	for {
		line, err := wire.ReadLine(r)
		if line == "" && err != nil {
			return check.Classify(err)
		}
		low := strings.ToLower(line)
		switch {
		case line == "@RSYNCD: OK":
			return check.New(check.OK, check.ReasonRsyncModule, line)
		case strings.HasPrefix(line, "@RSYNCD: AUTHREQD"):
			return check.New(check.Auth, check.ReasonRsyncLogin, "@RSYNCD: AUTHREQD") // what follows is a challenge
		case strings.HasPrefix(low, "@error: unknown module"):
			return check.New(check.Gone, check.ReasonRsyncNoModule, line)
		case strings.HasPrefix(low, "@error: access denied"):
			return check.New(check.Blocked, check.ReasonAccessList, line)
		case strings.HasPrefix(low, "@error: max connections"):
			return check.New(check.Temporary, check.ReasonFull, line)
		case strings.HasPrefix(low, "@error"), line == "@RSYNCD: EXIT":
			return check.New(check.Undetermined, check.ReasonProtocolMismatch, line)
		}
		if err != nil {
			return check.Classify(err)
		}
	}
}
