package check

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"unicode/utf8"

	"linkcheck/check/netguard"
	"linkcheck/check/wire"
	"linkcheck/uri"
)

// OUTCOMES section 1.3, "common, before any bytes".
func TestClassify(t *testing.T) {
	op := func(op string, err error) error { return &net.OpError{Op: op, Net: "tcp", Err: err} }
	tests := []struct {
		err      error
		outcome  Outcome
		reason   Reason
		evidence Evidence
	}{
		{&netguard.Refusal{Rule: netguard.NoPrivateAddress}, Skipped, "private-address", None},
		{&net.DNSError{IsNotFound: true, Err: "no such host"}, Unreachable, "dns-nxdomain", Strong},
		{&net.DNSError{IsNotFound: true, Err: netguard.NoAddress}, Unreachable, "dns-no-address", Weak},
		{&net.DNSError{IsTemporary: true, Err: "server misbehaving"}, Temporary, "dns-servfail", Weak},
		{&net.DNSError{IsTimeout: true}, Temporary, "dns-timeout", Weak},
		{op("dial", os.NewSyscallError("connect", syscall.ECONNREFUSED)), Unreachable, "tcp-refused", Weak},
		{op("dial", os.NewSyscallError("connect", syscall.EHOSTUNREACH)), Unreachable, "no-route", Weak},
		{op("dial", os.NewSyscallError("connect", syscall.ENETUNREACH)), Unreachable, "no-route", Weak},
		{op("dial", context.DeadlineExceeded), Temporary, "tcp-timeout", Weak},
		{op("dial", os.ErrDeadlineExceeded), Temporary, "tcp-timeout", Weak},
		{op("dial", os.NewSyscallError("connect", syscall.ETIMEDOUT)), Temporary, "tcp-timeout", Weak},
		{op("read", os.ErrDeadlineExceeded), Temporary, "timeout", Weak},
		{op("read", os.NewSyscallError("read", syscall.ECONNRESET)), Temporary, "tcp-reset", Weak},
		{op("write", os.NewSyscallError("write", syscall.EPIPE)), Temporary, "tcp-reset", Weak},
		{io.EOF, Temporary, "eof", Weak},
		{io.ErrUnexpectedEOF, Temporary, "eof", Weak},
		{context.Canceled, Internal, "cancelled", None},
		{op("dial", context.Canceled), Internal, "cancelled", None},
		{op("dial", os.NewSyscallError("socket", syscall.EMFILE)), Internal, "local-resources", None},
		{op("dial", os.NewSyscallError("socket", syscall.EAFNOSUPPORT)), Internal, "local-resources", None},
		{fmt.Errorf("%w: %w", netguard.ErrNoRoute, op("dial", os.NewSyscallError("connect", syscall.ENETUNREACH))), Internal, "local-resources", None},
		{&tls.CertificateVerificationError{Err: x509.CertificateInvalidError{Reason: x509.Expired}}, Undetermined, "tls-expired", None},
		{&tls.CertificateVerificationError{Err: x509.HostnameError{Certificate: &x509.Certificate{}}}, Undetermined, "tls-name", None},
		{&tls.CertificateVerificationError{Err: x509.UnknownAuthorityError{}}, Undetermined, "tls-untrusted", None},
		{tls.RecordHeaderError{Msg: "first record does not look like a TLS handshake"}, Undetermined, "tls-handshake", None},
		{op("remote error", tls.AlertError(40)), Undetermined, "tls-handshake", None},
		{wire.ErrTooLong, Undetermined, "too-long", None},
		{wire.ErrLineTooLong, Undetermined, "line-too-long", None},
		{wire.ErrControl, Skipped, "control-character", None},
		{ResultError(Gone, "ftp-550", "no"), Gone, "ftp-550", Strong},
		{op("read", fmt.Errorf("odd")), Undetermined, "garbled", None}, // it could tell a timeout, and tells none
		{fmt.Errorf("odd"), Undetermined, "garbled", None},
	}
	for _, tt := range tests {
		for _, err := range []error{tt.err, fmt.Errorf("wrapped: %w", tt.err)} {
			r := Classify(err)
			if r.Outcome != tt.outcome || r.Reason != tt.reason || r.Evidence != tt.evidence {
				t.Errorf("%v: got %s(%s) %s, want %s(%s) %s", err, r.Outcome, r.Reason, r.Evidence, tt.outcome, tt.reason, tt.evidence)
			}
			if _, ok := r.Reason.Meaning(); !ok {
				t.Errorf("%s is not on the list of reasons", r.Reason)
			}
		}
	}
}

func TestReasons(t *testing.T) {
	last := ""
	for _, m := range Reasons() {
		if m.Code <= last || m.Says == "" {
			t.Errorf("%q after %q: %q", m.Code, last, m.Says)
		}
		last = m.Code
	}
	for code, want := range map[Reason]bool{"http-404": true, "http-": false, "http-40x": false, "ftp-550": true, "uri-port-bad": true, "uri-": false, "nonsense": false, "z3950-1056": true} {
		if _, ok := code.Meaning(); ok != want {
			t.Errorf("Meaning(%q) = %v", code, ok)
		}
	}
}

func TestCleanReply(t *testing.T) {
	tests := map[string]string{
		"  550 no\r\n such\tfile\x00 ":   "550 no such file",
		"\x1b[31mred\x1b[0mdish":         "reddish",
		"\x1b[2J\x1b[1;1HMELVYL\x1b[":    "MELVYL [",
		"Biblioth\xe8que, \xc3\xa9t\xe9": "Bibliothèque, été",
		"\x95\xff":                       "ÿ",
		"\x1b[\xe8t\x1b[1\x7fm":          "[èt [1 m", // no ends of a control sequence
		"\x1b[mplain":                    "plain",
		"A\x1b[1;1HB\x1b[1mC":            "A BC",
		"a\u202eb":                       "a b",
		"a\ufffdb\tc":                    "a\ufffdb c", // what a server replaced itself stays
		"":                               "",
	}
	for in, want := range tests {
		if got := CleanReply(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
	if got := CleanReply(strings.Repeat("ü", 1000)); len(got) > maxReply || !utf8.ValidString(got) || len(got) < maxReply-1 {
		t.Errorf("%d octets, valid %v", len(got), utf8.ValidString(got))
	}
}

func TestRun(t *testing.T) {
	o := Options{}.WithDefaults()
	_, _, line, _ := runtime.Caller(0)
	r := o.Run(t.Context(), func(context.Context) Result { panic("boom") }) // on the line after
	if r.Outcome != Internal || r.Reason != "panic" || r.Attempts != 1 || r.Reply != fmt.Sprintf("boom at classify_test.go:%d", line+1) {
		t.Errorf("got %+v", r)
	}
	r = o.Run(t.Context(), func(context.Context) Result { return New(OK, "http-200", "").WithFlags("b", "a", "b") })
	if strings.Join(r.Flags, " ") != "a b" || r.At.IsZero() {
		t.Errorf("got %+v", r)
	}
}

// What is cancelled before it begins does not begin.
// Addresses of results are cut, passwords masked before that, and no part of an address
// is suggested.
func TestRunCutsAddresses(t *testing.T) {
	long := "http://ann:" + strings.Repeat("p", 5000) + "@h.org/" + strings.Repeat("ä", 5000)
	o := Options{}.WithDefaults()
	got := o.Run(t.Context(), func(context.Context) Result {
		return Result{FinalURL: long, SuggestedURL: long, Hops: slices.Repeat([]Hop{{301, long}}, 9)}
	})
	if n := got.Size(); n > maxURL+maxHops || !utf8.ValidString(got.FinalURL) || !strings.HasSuffix(got.FinalURL, cutMark) {
		t.Errorf("%d octets, %.60q", n, got.FinalURL)
	}
	if strings.Contains(got.FinalURL+got.Hops[0].URL, "pppp") || got.SuggestedURL != "" || !slices.Equal(got.Flags, []string{"url-cut"}) {
		t.Errorf("%.60q, suggested %.60q, flags %q", got.FinalURL, got.SuggestedURL, got.Flags)
	}
	short := "http://h.org/" + strings.Repeat("p", maxURL-13)
	got = o.Run(t.Context(), func(context.Context) Result {
		return Result{FinalURL: short, SuggestedURL: short, Hops: []Hop{{301, short}}}
	})
	if got.FinalURL != short || got.SuggestedURL != short || got.Hops[0].URL != short || got.Flags != nil {
		t.Errorf("%d octets were cut", len(short))
	}
}

func TestRunCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := Options{}.WithDefaults().Run(ctx, func(context.Context) Result {
		t.Error("it began")
		return New(OK, "http-200", "")
	})
	if r.Reason != "cancelled" || r.Outcome != Internal || r.Attempts != 1 {
		t.Errorf("got %+v", r)
	}
}

func TestProberOf(t *testing.T) {
	p := ProberOf(Options{}, func(ctx context.Context, u *uri.Telnet) Result {
		if _, ok := ctx.Deadline(); !ok {
			t.Error("no deadline")
		}
		return New(Reachable, "tcp-accepted", u.At.Host)
	})
	for text, want := range map[string]Outcome{"telnet://a.test/": Reachable, "http://a.test/": Internal} {
		u, err := uri.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if r := p.Probe(t.Context(), Target{URI: u}); r.Outcome != want || r.At.IsZero() {
			t.Errorf("%s: got %+v, want %s", text, r, want)
		}
	}
}

type failingDNS struct{ err error }

func (d failingDNS) Resolve(context.Context, string) ([]netip.Addr, error) { return nil, d.err }

// A resolver that fails says why; one that gives no address says that there is none.
func TestNoAddress(t *testing.T) {
	for reason, err := range map[Reason]error{
		"dns-servfail": &net.DNSError{Err: "server misbehaving", IsTemporary: true}, "dns-nxdomain": &net.DNSError{Err: "no such host", IsNotFound: true},
		"dns-no-address": nil,
	} {
		g := netguard.Guard{Resolver: failingDNS{err}}
		route, err := g.Lookup(t.Context(), "a.org:80")
		if err == nil || len(route.Addrs) != 0 {
			t.Fatalf("%s: %v", reason, route)
		}
		if got := Classify(err); got.Reason != reason {
			t.Errorf("%s(%s) for %v, want %s", got.Outcome, got.Reason, err, reason)
		}
	}
}
