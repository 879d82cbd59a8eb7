package crawl

import (
	"testing"

	"linkcheck/check"
	"linkcheck/uri"
)

// What three links of a server say speaks for the others, unless one was ever
// answered (OUTCOMES 5.1.5): f fails, a is answered.
func TestServerFailures(t *testing.T) {
	at := uri.Endpoint{Host: "a.test.net", Port: 80}
	for came, want := range map[string]bool{"": false, "f": false, "ff": false, "fff": true, "ffff": true, "afff": false, "ffaff": false, "fffa": false, "fffaffff": false} {
		f := serverFailures{}
		for i, c := range came {
			r := check.New(check.Unreachable, "tcp-refused", "no")
			r.Attempts, r.Bytes, r.Took = 1, int64(i), 1
			f.learn(at, c == 'f', &r)
		}
		r := f.known(at)
		if known := r != nil; known != want || known && (r.Reason != "tcp-refused" || r.Attempts != 0 || r.Bytes != 0 || r.Took != 0) {
			t.Errorf("%s: %v, %+v", came, known, r)
		}
		if f.known(uri.Endpoint{Host: at.Host, Port: 81}) != nil {
			t.Errorf("%s: known of another port", came)
		}
	}
	f := serverFailures{}
	for range 2 * enoughFailures {
		f.learn(uri.Endpoint{Port: 80}, true, &check.Result{})
	}
	if f.known(uri.Endpoint{Port: 80}) != nil {
		t.Error("known of no host")
	}
}

// A server that is there and says little fails for its links alone.
func TestIsServerFailure(t *testing.T) {
	for reason, want := range map[check.Reason]bool{
		"dns-nxdomain": true, "dns-no-address": true, "dns-servfail": true, "dns-timeout": true, "tcp-refused": true, "tcp-timeout": true, "no-route": true,
		"tcp-reset": false, "timeout": false, "eof": false, "closed": false, "tls-handshake": false, "http-503": false, "cancelled": false, "local-resources": false,
	} {
		if isServerFailure(reason) != want {
			t.Errorf("%s: %v", reason, !want)
		}
	}
}

// What reached no server costs no gap.
func TestMayHaveAsked(t *testing.T) {
	for _, c := range []struct {
		r    check.Result
		want bool
	}{
		{check.New(check.OK, "http-200", ""), true}, {check.New(check.Unreachable, "tcp-refused", ""), true}, {check.New(check.Temporary, "timeout", ""), true},
		{check.New(check.Unreachable, "dns-nxdomain", ""), false}, {check.New(check.Temporary, "dns-timeout", ""), false},
		{check.New(check.Invalid, "uri-port-bad", ""), false}, {check.New(check.NotDereferenceable, "names-only", ""), false},
		{check.New(check.Unsupported, "no-client", ""), false}, {check.New(check.Skipped, "robots", ""), false},
		{check.Result{Outcome: check.Skipped, Reason: "robots", Bytes: 12}, true},
	} {
		if got := mayHaveAsked(&c.r); got != c.want {
			t.Errorf("%s(%s): %v", c.r.Outcome, c.r.Reason, got)
		}
	}
}
