package web

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/check/netguard"
	"linkcheck/internal/lab"
)

// issuer signs certificates for the tests.
type issuer struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newIssuer(t *testing.T) issuer {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "issuer"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageCertSign}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return issuer{cert, key}
}

func (i issuer) sign(t *testing.T, name string, until time.Time) tls.Certificate {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: name}, DNSNames: []string{name},
		NotBefore: until.Add(-2 * time.Hour), NotAfter: until}
	der, err := x509.CreateCertificate(rand.Reader, template, i.cert, &key.PublicKey, i.key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

// OUTCOMES section 1.3: TLS problems are retried unverified once and become a flag.
func TestTLS(t *testing.T) {
	ours, strange := newIssuer(t), newIssuer(t)
	pool := x509.NewCertPool()
	pool.AddCert(ours.cert)
	good := ours.sign(t, "site.org", time.Now().Add(time.Hour))
	tests := []struct {
		name    string
		config  *tls.Config
		path    string
		outcome check.Outcome
		reason  check.Reason
		flags   string
	}{
		{"good", &tls.Config{Certificates: []tls.Certificate{good}}, "/a", check.OK, "http-200", ""},
		{"good, HTTP/2", &tls.Config{Certificates: []tls.Certificate{good}, NextProtos: []string{"h2", "http/1.1"}}, "/a", check.OK, "http-200", ""},
		{"expired", &tls.Config{Certificates: []tls.Certificate{ours.sign(t, "site.org", time.Now().Add(-time.Hour))}}, "/a", check.OK, "http-200", "tls-expired"},
		{"expired, gone", &tls.Config{Certificates: []tls.Certificate{ours.sign(t, "site.org", time.Now().Add(-time.Hour))}}, "/b", check.Gone, "http-404", "tls-expired"},
		{"other name", &tls.Config{Certificates: []tls.Certificate{ours.sign(t, "other.org", time.Now().Add(time.Hour))}}, "/a", check.OK, "http-200", "tls-name"},
		{"self-signed", &tls.Config{Certificates: []tls.Certificate{strange.sign(t, "site.org", time.Now().Add(time.Hour))}}, "/a", check.OK, "http-200", "tls-untrusted"},
		{"TLS 1.0", &tls.Config{Certificates: []tls.Certificate{good}, MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS10}, "/a", check.OK, "http-200", "tls-old"},
		{"RSA key exchange", &tls.Config{Certificates: []tls.Certificate{good}, MaxVersion: tls.VersionTLS12, CipherSuites: []uint16{tls.TLS_RSA_WITH_AES_128_CBC_SHA}}, "/a", check.OK, "http-200", "tls-old"},
		{"client certificate wanted", &tls.Config{Certificates: []tls.Certificate{good}, ClientAuth: tls.RequireAnyClientCert, MaxVersion: tls.VersionTLS12}, "/a", check.Auth, "client-certificate", ""},
		{"client certificate wanted, TLS 1.3", &tls.Config{Certificates: []tls.Certificate{good}, ClientAuth: tls.RequireAnyClientCert}, "/a", check.Auth, "client-certificate", ""},
		{"client certificate wanted, h2", &tls.Config{Certificates: []tls.Certificate{good}, ClientAuth: tls.RequireAnyClientCert, NextProtos: []string{"h2"}}, "/a", check.Auth, "client-certificate", ""},
		{"client certificate taken, but not wanted", &tls.Config{Certificates: []tls.Certificate{good}, ClientAuth: tls.RequestClientCert}, "/a", check.OK, "http-200", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			proto := make(chan string, 10)
			addr := serveTLS(t, tt.config, lab.Site{"/a": func(w http.ResponseWriter, r *http.Request) {
				proto <- r.Proto
				fine(w, r)
			}})
			p := New(Options{Options: check.Options{Dialer: &netguard.Guard{ConnectTo: rules4(t, addr)}}, NoSoft404: true})
			p.strict.transport.TLSClientConfig.RootCAs = pool
			defer p.Close()
			r := p.Probe(t.Context(), check.Target{URI: parse(t, "https://site.org"+tt.path)})
			if r.Outcome != tt.outcome || r.Reason != tt.reason || strings.Join(r.Flags, " ") != tt.flags {
				t.Errorf("got %s(%s) %q %v", r.Outcome, r.Reason, r.Reply, r.Flags)
			}
			if strings.Contains(tt.name, "HTTP/2") {
				if got := <-proto; got != "HTTP/2.0" {
					t.Errorf("spoke %s", got)
				}
			}
		})
	}
	t.Run("a flaw is found once a site", func(t *testing.T) {
		var hellos atomic.Int32
		stale := ours.sign(t, "site.org", time.Now().Add(-time.Hour))
		addr := serveTLS(t, &tls.Config{GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
			hellos.Add(1)
			return &stale, nil
		}}, lab.Site{"*": fine})
		p := New(Options{Options: check.Options{Dialer: &netguard.Guard{ConnectTo: rules4(t, addr)}}, NoSoft404: true})
		defer p.Close()
		for _, path := range []string{"/a", "/b", "/c"} {
			r := p.Probe(t.Context(), check.Target{URI: parse(t, "https://site.org"+path)})
			if r.Outcome != check.OK || strings.Join(r.Flags, " ") != "tls-expired" {
				t.Errorf("%s: got %s(%s) %q %v", path, r.Outcome, r.Reason, r.Reply, r.Flags)
			}
		}
		if n := hellos.Load(); n != 2 { // one that was broken off, one for all requests
			t.Errorf("%d connections", n)
		}
	})
	t.Run("no TLS there", func(t *testing.T) {
		addr := raw(t, "HTTP/1.1 400 Bad Request\r\n\r\n")
		p := New(Options{Options: check.Options{Dialer: &netguard.Guard{ConnectTo: rules4(t, addr)}}})
		defer p.Close()
		if r := p.Probe(t.Context(), check.Target{URI: parse(t, "https://site.org/")}); r.Reason != "protocol-mismatch" {
			t.Errorf("got %s(%s) %q", r.Outcome, r.Reason, r.Reply)
		}
	})
}

// A body without end over HTTP/2 is bounded by flow control, not by our patience.
func TestHTTP2Flood(t *testing.T) {
	i := newIssuer(t)
	addr := serveTLS(t, &tls.Config{Certificates: []tls.Certificate{i.sign(t, "site.org", time.Now().Add(time.Hour))}, NextProtos: []string{"h2"}},
		lab.Site{"/a": func(w http.ResponseWriter, r *http.Request) {
			block := make([]byte, 32<<10)
			for {
				if _, err := w.Write(block); err != nil {
					return
				}
			}
		}})
	c := &counting{Dialer: &netguard.Guard{ConnectTo: rules4(t, addr)}}
	p := New(Options{Options: check.Options{Dialer: c}, NoSoft404: true, IgnoreRobots: true})
	p.strict.transport.TLSClientConfig.InsecureSkipVerify = true
	r := p.Probe(t.Context(), check.Target{URI: parse(t, "https://site.org/a")})
	p.Close()
	if r.Outcome != check.OK || r.Reply != "HTTP/2.0 200 OK" {
		t.Errorf("got %s(%s) %q", r.Outcome, r.Reason, r.Reply)
	}
	if got := c.n.Load(); got > 1<<20 {
		t.Errorf("read %d octets", got)
	}
}

// counting counts what is read.
type counting struct {
	netguard.Dialer
	n atomic.Int64
}

func (c *counting) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := c.Dialer.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return &counted{conn, &c.n}, nil
}

type counted struct {
	net.Conn
	n *atomic.Int64
}

func (c *counted) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.n.Add(int64(n))
	return n, err
}

func serveTLS(t *testing.T, config *tls.Config, site lab.Site) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &http.Server{Handler: lab.Web{"site.org": site}, TLSConfig: config, ErrorLog: log.New(io.Discard, "", 0)}
	if len(config.NextProtos) == 0 {
		s.TLSNextProto = map[string]func(*http.Server, *tls.Conn, http.Handler){}
	}
	done := make(chan struct{})
	go func() { defer close(done); s.ServeTLS(l, "", "") }()
	t.Cleanup(func() { s.Close(); <-done })
	return l.Addr().String()
}

// RFC 8446 section 4.4.2.4: a server that asked for a certificate and goes no further without
// one may be heard as an alert, a reset or a mere end. Without its question they say nothing.
func TestCertificateWanted(t *testing.T) {
	alert := errors.New("remote error: tls: certificate required")
	for _, lost := range []error{alert, syscall.ECONNRESET, syscall.EPIPE, io.EOF, fmt.Errorf("http2: %w", io.ErrUnexpectedEOF), errors.New(endedBeforeRequest)} {
		for _, asked := range []bool{true, false} {
			s := &session{}
			s.certificate.Store(asked)
			r := check.Classify(s.explain(lost))
			if wanted := r.Outcome == check.Auth && r.Reason == check.ReasonClientCertificate; wanted != asked {
				t.Errorf("%v, a certificate asked for %v: %s(%s)", lost, asked, r.Outcome, r.Reason)
			}
		}
	}
}
