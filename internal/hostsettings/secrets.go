package hostsettings

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/textproto"
	"slices"
	"strings"

	"golang.org/x/net/http/httpguts"

	"linkcheck/internal/openfile"
)

// secretKeys are the keys of what only the hosts of the table are told.
var secretKeys = []string{"headers-file", "basic-auth-file", "bearer-env", "bearer-file", "client-cert", "client-key"}

// notOurs are fields that the protocol sets, and cookies, which live within one probe.
var notOurs = []string{"Connection", "Content-Length", "Cookie", "Expect", "Host", "Keep-Alive", "Proxy-Authorization", "Te", "Trailer", "Transfer-Encoding", "Upgrade"}

const maxSecret = 64 << 10 // octets of a file

// Load reads the files and variables that the tables name. Errors and warnings name them
// and never what is in them.
func (t *Table) Load(ctx context.Context, getenv func(string) string, warn func(string)) error {
	if t.Empty() {
		return nil
	}
	for _, r := range t.rows {
		l := loader{ctx, getenv, warn, r}
		for _, part := range []struct {
			key  string
			read func(key, name string) error
		}{{"headers-file", l.headers}, {"basic-auth-file", l.basic}, {"bearer-env", l.variable}, {"bearer-file", l.bearer}, {"client-cert", l.certificate}, {"ca-file", l.roots}} {
			if name := r.files[part.key]; name != "" {
				if err := part.read(part.key, name); err != nil {
					return fault(r.where, part.key, err)
				}
			}
		}
		if r.settings.Header != nil && slices.ContainsFunc(r.match, func(p pattern) bool { return p.port == 80 }) {
			warn(fmt.Sprintf("%s: secrets are sent to %s without encryption (RFC 7617 section 4)", r.where("match"), r.names()))
		}
	}
	return nil
}

type loader struct {
	ctx    context.Context
	getenv func(string) string
	warn   func(string)
	row    *row
}

// read reads a file, and warns of one with secrets that others can read.
func (l loader) read(name string, secret bool) ([]byte, error) {
	f, err := openfile.Read(l.ctx, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && secret && info.Mode().Perm()&0o077 != 0 {
		l.warn(fmt.Sprintf("%s holds a secret and is open to others: chmod 600 makes it yours", name))
	}
	b, err := io.ReadAll(io.LimitReader(f, maxSecret+1))
	if len(b) > maxSecret {
		return nil, fmt.Errorf("%s is larger than %d octets", name, maxSecret)
	}
	return b, err
}

// line reads a file of one line.
func (l loader) line(name string) (string, error) {
	b, err := l.read(name, true)
	if err != nil {
		return "", err
	}
	s := strings.TrimRight(string(b), "\r\n")
	if s == "" || !httpguts.ValidHeaderFieldValue(s) {
		return "", fmt.Errorf("%s is not one line", name)
	}
	return s, nil
}

// add adds a field, and what of it must not be shown.
func (l loader) add(field, value string, hidden ...string) {
	s := &l.row.settings
	if s.Header == nil {
		s.Header = http.Header{}
	}
	s.Header[field] = []string{value}
	s.Secrets = append(s.Secrets, hidden...)
}

func (l loader) basic(_, name string) error {
	s, err := l.line(name)
	if err != nil {
		return err
	}
	user, password, ok := strings.Cut(s, ":") // RFC 7617 section 2
	if !ok || user == "" && password == "" {
		return fmt.Errorf("%s is not user:password", name)
	}
	code := base64.StdEncoding.EncodeToString([]byte(s))
	l.add("Authorization", "Basic "+code, password, code, s)
	return nil
}

func (l loader) token(s, from string) error {
	if strings.ContainsAny(s, " \t") || !httpguts.ValidHeaderFieldValue(s) { // RFC 6750 section 2.1
		return fmt.Errorf("%s holds no token: blanks and control characters stand in none", from)
	}
	l.add("Authorization", "Bearer "+s, s)
	return nil
}

func (l loader) bearer(_, name string) error {
	s, err := l.line(name)
	if err != nil {
		return err
	}
	return l.token(s, name)
}

func (l loader) variable(_, name string) error {
	s := l.getenv(name)
	if s == "" {
		return fmt.Errorf("%.200q is not set in the environment", name)
	}
	return l.token(s, name)
}

// headers reads lines "Name: value". Empty lines and those that begin with '#' say nothing.
func (l loader) headers(_, name string) error {
	b, err := l.read(name, true)
	if err != nil {
		return err
	}
	found := false
	for i, line := range strings.Split(string(b), "\n") {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		field, value, ok := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		field = textproto.CanonicalMIMEHeaderKey(field)
		switch {
		case !ok || value == "" || !httpguts.ValidHeaderFieldName(field) || !httpguts.ValidHeaderFieldValue(value):
			return fmt.Errorf("%s:%d is not Name: value", name, i+1)
		case slices.Contains(notOurs, field):
			return fmt.Errorf("%s:%d: the field %s is not for settings", name, i+1, field)
		}
		found = true
		l.add(field, value, value)
	}
	if !found {
		return fmt.Errorf("%s has no line Name: value", name)
	}
	return nil
}

func (l loader) certificate(_, name string) error {
	public, err := l.read(name, false)
	if err != nil {
		return err
	}
	private, err := l.read(l.row.files["client-key"], true)
	if err != nil {
		return err
	}
	pair, err := tls.X509KeyPair(public, private)
	if err != nil {
		return fmt.Errorf("%s and %s are no certificate and its key in PEM", name, l.row.files["client-key"])
	}
	l.row.settings.Certificate = &pair
	return nil
}

func (l loader) roots(_, name string) (err error) {
	b, err := l.read(name, false)
	if err != nil {
		return err
	}
	l.row.settings.Roots, err = Roots(name, b)
	return err
}

// Roots are the certificates of the system and those of a file in PEM.
func Roots(name string, text []byte) (*x509.CertPool, error) {
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(text) {
		return nil, errors.New(name + " holds no certificate in PEM")
	}
	return pool, nil
}
