package netguard

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"
)

// ConnectRule sends connections meant for one address to another, as curl's
// option --connect-to does. An address in ToHost is dialled even where it is
// private: the operator wrote it.
type ConnectRule struct {
	Host   string // as in the URI, lower case, without brackets; "": every host
	Port   int    // 0: every port
	ToHost string // address or name; "": unchanged
	ToPort int    // 0: unchanged
}

// ParseConnectTo reads "HOST:PORT:ADDR:PORT". Any part may be empty; an IPv6
// address stands in brackets.
func ParseConnectTo(s string) (ConnectRule, error) {
	fail := func(why string) (ConnectRule, error) {
		return ConnectRule{}, fmt.Errorf("connect-to %.200q: %s", s, why)
	}
	var part [4]string
	rest := s
	for i := range part {
		end := strings.IndexByte(rest, ':')
		if strings.HasPrefix(rest, "[") {
			shut := strings.IndexByte(rest, ']')
			if shut < 0 {
				return fail("bracket not closed")
			}
			if end = shut + 1; end < len(rest) && rest[end] != ':' {
				return fail("text behind a bracket")
			}
		}
		if last := i == len(part)-1; last != (end < 0 || end == len(rest)) {
			return fail("want HOST:PORT:ADDR:PORT")
		} else if last {
			part[i] = rest
		} else {
			part[i], rest = rest[:end], rest[end+1:]
		}
	}
	r := ConnectRule{Host: strings.ToLower(unbracket(part[0])), ToHost: unbracket(part[2])}
	for i, to := range map[int]*int{1: &r.Port, 3: &r.ToPort} {
		if n, err := strconv.ParseUint(part[i], 10, 16); err == nil && n > 0 {
			*to = int(n)
		} else if part[i] != "" {
			return fail("bad port")
		}
	}
	return r, nil
}

func unbracket(host string) string {
	return strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
}

// destination is a host and port to reach, and how far a rule vouches for it.
type destination struct {
	host      string
	port      int
	hostNamed bool // a rule names the host: reserved names pass
	portNamed bool // it names a port of it too, or where it leads: denied ports pass
	literal   bool // the rule gave the address itself: it needs no judgement
}

// reroute applies the first rule that matches.
func reroute(rules []ConnectRule, host string, port int) destination {
	p := destination{host: host, port: port}
	for _, r := range rules {
		if r.Host != "" && r.Host != strings.ToLower(host) || r.Port != 0 && r.Port != port {
			continue
		}
		p.hostNamed = r.Host != ""
		p.portNamed = p.hostNamed && (r.Port != 0 || r.ToPort != 0)
		if r.ToPort != 0 {
			p.port = r.ToPort
		}
		if r.ToHost != "" {
			_, err := netip.ParseAddr(r.ToHost)
			p.host, p.literal = r.ToHost, err == nil
		}
		return p
	}
	return p
}
