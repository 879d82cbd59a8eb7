package check

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"
	"strings"
)

// roots is the key under which a context holds whose certificates are believed.
type roots struct{}

// WithRoots lets StartTLS under the context believe these; nil: those of the system.
func WithRoots(ctx context.Context, pool *x509.CertPool) context.Context {
	return context.WithValue(ctx, roots{}, pool)
}

// StartTLS begins TLS upon conn. A bad certificate is no broken link: it is
// accepted, and the flag says what a verifying client would have refused
// (tls-expired, tls-name, tls-untrusted; "" nothing). OUTCOMES section 1.2.
func StartTLS(ctx context.Context, conn net.Conn, host string) (c *tls.Conn, flag Flag, err error) {
	host = strings.Trim(host, "[]")
	c = tls.Client(conn, &tls.Config{ServerName: host, InsecureSkipVerify: true, MinVersion: tls.VersionTLS10})
	if err := c.HandshakeContext(ctx); err != nil {
		return nil, "", err
	}
	certs := c.ConnectionState().PeerCertificates // at least one, where we are the client
	between := x509.NewCertPool()
	for _, cert := range certs[1:] {
		between.AddCert(cert)
	}
	believed, _ := ctx.Value(roots{}).(*x509.CertPool)
	if _, err := certs[0].Verify(x509.VerifyOptions{DNSName: host, Intermediates: between, Roots: believed}); err != nil {
		flag = Flag(Classify(err).Reason) // tls-expired, tls-name, tls-untrusted: both a reason and a flag
	}
	return c, flag, nil
}
