package prospero

import (
	"cmp"
	"net/url"
	"strconv"
	"strings"

	"linkcheck/check"
	"linkcheck/uri"
)

// answer is the judgement of a datagram: a result, or what to ask next.
type answer struct {
	result    check.Result
	noneFound bool          // the object has none of the attributes asked for
	forwarded *uri.Prospero // the object is elsewhere
}

func decidedBy(o check.Outcome, r check.Reason, line string) answer {
	return answer{result: check.New(o, r, line)}
}

// judge reads the lines of an answer; the first that is conclusive decides.
func judge(p packet) answer {
	switch {
	case p.bare:
		v := decidedBy(check.Reachable, check.ReasonProsperoAnswer, p.text)
		v.result = v.result.WithEvidence(check.Weak) // it says to no question that it answers it
		return v
	case p.option == optionRefused:
		return decidedBy(check.Undetermined, check.ReasonProsperoAnswer, "connection refused by the server")
	}
	otherwise := decidedBy(check.Reachable, check.ReasonProsperoAnswer, p.text)
	known := p.text == ""
	for line := range strings.Lines(p.text) {
		line = strings.TrimRight(line, "\r\n")
		switch word(line) {
		case "VERSION", "VERSION-NOT-SUPPORTED", "WARNING", "SUCCESS", "UNRESOLVED", "MULTI-PACKET", "Prospero":
			known = true
		case "ATTRIBUTE":
			return decidedBy(check.OK, check.ReasonProsperoObject, locator(p.text))
		case "LINK":
			return decidedBy(check.OK, check.ReasonProsperoObject, line)
		case "NONE-FOUND":
			otherwise.noneFound = true
			return otherwise
		case "FAILURE":
			return failure(line)
		case "FORWARDED":
			return forwarded(line)
		case "ERROR":
			return decidedBy(check.Undetermined, check.ReasonProsperoAnswer, line)
		}
	}
	if !known {
		return decidedBy(check.Undetermined, check.ReasonGarbled, p.text)
	}
	return otherwise
}

// failure reads a FAILURE line. NOT-AUTHORIZED often means that the server has
// no such area, not that a password would help (REAL-SERVERS B12).
func failure(line string) answer {
	t := append(tokens(line), "", "")
	switch t[1] {
	case "NOT-FOUND":
		switch t[2] {
		case "ACL", "FILTER", "PARAMETER", "ATTRIBUTE": // not the object is missing
			return decidedBy(check.Reachable, check.ReasonProsperoAnswer, line)
		}
		return decidedBy(check.Gone, check.ReasonProsperoNotFound, line)
	case "NOT-A-DIRECTORY":
		return decidedBy(check.Gone, check.ReasonProsperoNotADirectory, line)
	case "NOT-AUTHORIZED", "AUTHENTICATION-REQUIRED", "AUTHENTICATION-DATA":
		v := decidedBy(check.Auth, check.ReasonProsperoNotAuthorized, line)
		v.result = v.result.WithEvidence(check.Weak)
		return v
	case "SERVER-FAILED":
		return decidedBy(check.Temporary, check.ReasonProsperoServerFailed, line)
	}
	return decidedBy(check.Reachable, check.ReasonProsperoAnswer, line)
}

// forwarded reads "FORWARDED host-type host hsoname-type hsoname version".
func forwarded(line string) answer {
	v := decidedBy(check.Reachable, check.ReasonProsperoForwarded, line)
	t := tokens(line)
	if len(t) < 5 || t[2] == "" {
		return v
	}
	host, rest, _ := strings.Cut(strings.ToLower(t[2]), "(")
	port, err := strconv.ParseUint(strings.TrimSuffix(rest, ")"), 10, 16)
	if err != nil || port == 0 {
		port = defaultPort
	}
	v.forwarded = &uri.Prospero{At: uri.Endpoint{Host: host, Port: int(port)}, HSOName: t[4]}
	return v
}

// locator is the line that says how the object is really fetched, if it is by
// another protocol; else the first attribute.
func locator(text string) string {
	first := ""
	for line := range strings.Lines(text) {
		t := tokens(strings.TrimRight(line, "\r\n"))
		if t[0] != "ATTRIBUTE" {
			continue
		}
		joined := strings.Join(t, " ")
		first = cmp.Or(first, joined)
		if len(t) > 5 && t[3] == "ACCESS-METHOD" && t[5] != "LOCAL" && t[5] != "PROSPERO-CONTENTS" {
			return joined
		}
	}
	return first
}

// address writes a prospero URL.
func address(u *uri.Prospero) string {
	a := "prospero://" + u.At.Host
	if u.At.Port != defaultPort {
		a += ":" + strconv.Itoa(u.At.Port)
	}
	return a + "/" + strings.ReplaceAll(url.PathEscape(u.HSOName), "%2F", "/")
}
