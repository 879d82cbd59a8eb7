// Package finger asks finger servers (RFC 1288) about a finger URL
// (draft-ietf-uri-url-finger): one line with the user's name, as the link does,
// and the first words of the answer. RFC 1288 has no way to say that there is no
// such user, so any answer means that the server is there, and no more.
package finger

import (
	"context"
	"io"
	"net/url"
	"regexp"
	"strings"

	"linkcheck/check"
	"linkcheck/check/wire"
	"linkcheck/uri"
)

// maxRead is how many octets of the answer are read.
const maxRead = 1 << 10

// foreign matches the first words of other protocols.
var foreign = regexp.MustCompile(`^(HTTP/\d|SSH-\d|220[ -]|\+OK|\* OK)`)

// New makes the prober of finger URLs: it sends the request line and reads the
// beginning of the answer.
func New(o check.Options) check.Prober {
	return check.ProberOf(o, func(ctx context.Context, u *uri.Opaque) check.Result {
		at, ok := u.Endpoint()
		if !ok {
			return check.New(check.NotDereferenceable, check.ReasonNamesOnly, "")
		}
		request, err := requestOf(u)
		if err != nil {
			return check.Classify(err)
		}
		return o.Converse(ctx, at, maxRead, func(c *wire.Conn) check.Result {
			if _, err := io.WriteString(c, request+"\r\n"); err != nil {
				return check.Classify(err)
			}
			answer, err := io.ReadAll(c) // it ends where the server closes: RFC 1288 section 2.1
			if len(answer) == 0 && err == nil {
				err = io.EOF
			}
			return judge(string(answer), err)
		})
	})
}

// requestOf is the path of the URL: the user's name, or nothing for a list. A
// name with "@" would have the server ask another one (RFC 1288 section 2.5.2):
// only the part before it is sent.
func requestOf(u *uri.Opaque) (string, error) {
	_, path, _ := strings.Cut(strings.TrimPrefix(u.Rest, "//"), "/")
	name, err := url.PathUnescape(path)
	if err != nil {
		name = path
	}
	if !wire.LineSafe(name) {
		return "", wire.ErrControl
	}
	name, _, _ = strings.Cut(name, "@")
	return name, nil
}

func judge(text string, err error) check.Result {
	switch {
	case text == "":
		return check.ClassifyFirst(err)
	case foreign.MatchString(text):
		return check.New(check.Undetermined, check.ReasonProtocolMismatch, text)
	}
	return check.New(check.Reachable, check.ReasonFingerAnswer, text)
}
