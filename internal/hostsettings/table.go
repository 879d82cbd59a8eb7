package hostsettings

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"

	"linkcheck/check/netguard"
)

// Settings are those of one server. The zero value of a field says nothing.
type Settings struct {
	UserAgent   string
	Gap         *time.Duration // between two probes
	Connections int            // at once
	Timeout     time.Duration  // of one probe
	Robots      *bool          // false: robots.txt is not heeded
	Proxy       *Proxy         // by which it is reached
	Verdict     map[int]string // what a status means: one of Verdicts
	Skip        string         // why its links are not asked
	Match       string         // of the table that gave Skip or Verdict

	Roots       *x509.CertPool   // whose certificates are believed
	Certificate *tls.Certificate // ours
	Header      http.Header      // fields that are secrets, Authorization among them
	Secrets     []string         // what must not be shown, of Header
}

// Proxy is the word of a table on how its hosts are reached.
type Proxy struct{ Relay *netguard.Relay } // nil: directly

// Verdicts are the words of the key verdict.
var Verdicts = []string{"alive", "blocked", "gone", "temporary"}

// Table holds the tables of a configuration, in their order. The zero value has none.
type Table struct{ rows []*row }

// row is one [[host]]. A nil or zero field is not set.
type row struct {
	where    func(key string) string // file and line, for errors
	match    []pattern
	settings Settings
	robots   string            // the reason
	files    map[string]string // keys that name a file or a variable
	written  map[string]any
}

// fault is an error with file, line and key.
func fault(where func(string) string, key string, err error) error {
	return fmt.Errorf("%s: [[host]] %s: %w", where(key), key, err)
}

// pattern is one host, or those below a name.
type pattern struct {
	text  string // as written
	name  string // A-labels in lower case, or an address
	below bool   // "*.name": not the name itself
	port  int    // 0: any
}

// Empty says that there is no table.
func (t *Table) Empty() bool { return t == nil || len(t.rows) == 0 }

// Judging tells what decides how links are judged, alike on machines that agree. Of what
// stands in files and the environment it says that it is given, and of proxies nothing.
func (t *Table) Judging() string {
	var all []map[string]any
	for _, r := range t.rows {
		told := maps.Clone(r.written)
		delete(told, "proxy")
		for key := range r.files {
			told[key] = true
		}
		all = append(all, told)
	}
	b, _ := json.Marshal(all) // texts, numbers and lists of them
	return string(b)
}

// For gives the settings of a server; nil if it has none. The host is a name or an address.
func (t *Table) For(scheme, host string, port int) (s *Settings) {
	if t.Empty() {
		return nil
	}
	host = normal(host)
	for _, r := range t.rows {
		for _, p := range r.match {
			if !p.matches(host, port) {
				continue
			}
			if s == nil {
				s = &Settings{}
			}
			s.take(&r.settings, p.text, p.port != 0 || scheme == "https" && port == 443)
			break
		}
	}
	return s
}

func (p pattern) matches(host string, port int) bool {
	if p.port != 0 && p.port != port {
		return false
	}
	return host == p.name && !p.below || p.below && strings.HasSuffix(host, "."+p.name)
}

// take sets what other sets; secrets only where they may be sent.
func (s *Settings) take(other *Settings, match string, secrets bool) {
	set(&s.UserAgent, other.UserAgent)
	set(&s.Gap, other.Gap)
	set(&s.Connections, other.Connections)
	set(&s.Timeout, other.Timeout)
	set(&s.Robots, other.Robots)
	set(&s.Proxy, other.Proxy)
	set(&s.Skip, other.Skip)
	set(&s.Roots, other.Roots)
	if other.Verdict != nil {
		s.Verdict = other.Verdict
	}
	if other.Skip != "" || other.Verdict != nil {
		s.Match = match
	}
	if !secrets {
		return
	}
	set(&s.Certificate, other.Certificate)
	if other.Header != nil {
		h := s.Header.Clone()
		if h == nil {
			h = http.Header{}
		}
		for name, values := range other.Header {
			h[name] = values
		}
		s.Header, s.Secrets = h, slices.Concat(s.Secrets, other.Secrets)
	}
}

func set[T comparable](to *T, value T) {
	var zero T
	if value != zero {
		*to = value
	}
}

// Connections is how many connections a host may have at once; 0: it is not set.
func (t *Table) Connections(host string) int {
	if s := t.For("", host, 0); s != nil {
		return s.Connections
	}
	return 0
}

// IgnoresRobots says whether robots.txt is not heeded.
func (s *Settings) IgnoresRobots() bool { return s != nil && s.Robots != nil && !*s.Robots }

// normal is a host as patterns have it.
func normal(host string) string {
	host = strings.TrimSuffix(strings.ToLower(strings.Trim(host, "[]")), ".")
	if strings.ContainsFunc(host, func(r rune) bool { return r > unicode.MaxASCII }) {
		if a, err := idna.Lookup.ToASCII(host); err == nil {
			return a
		}
	}
	return host
}

// parseMatch reads NAME, *.NAME or an address, each with a port or without.
func parseMatch(text string) (p pattern, err error) {
	bad := fmt.Errorf("%.200q is no host such as www.example.org, *.example.org or example.org:8080", text)
	name := text
	if _, err := netip.ParseAddr(text); err != nil {
		if host, port, err := net.SplitHostPort(text); err == nil {
			n, err := strconv.ParseUint(port, 10, 16)
			if err != nil || n == 0 {
				return p, bad
			}
			name, p.port = host, int(n)
		}
	}
	if rest, ok := strings.CutPrefix(name, "*."); ok {
		name, p.below = rest, true
	}
	p.text, p.name = text, normal(name)
	if _, err := netip.ParseAddr(p.name); err == nil && !p.below {
		return p, nil
	}
	if p.name == "" || strings.ContainsFunc(p.name, func(r rune) bool {
		return r != '.' && r != '-' && r != '_' && (r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r))
	}) || strings.Contains("."+p.name+".", "..") {
		return p, bad
	}
	return p, nil
}

// wide says whether a pattern names the hosts of many owners.
func (p pattern) wide() bool {
	suffix, _ := publicsuffix.PublicSuffix(p.name)
	return p.below && suffix == p.name
}

// Unheeded lists the hosts whose robots.txt is not heeded, each with the reason.
func (t *Table) Unheeded() (list []string) {
	if t.Empty() {
		return nil
	}
	for _, r := range t.rows {
		if r.settings.IgnoresRobots() {
			list = append(list, fmt.Sprintf("robots.txt is not heeded on %s: %s", r.names(), r.robots))
		}
	}
	return list
}

func (r *row) names() string {
	var names []string
	for _, p := range r.match {
		names = append(names, p.text)
	}
	return strings.Join(names, ", ")
}
