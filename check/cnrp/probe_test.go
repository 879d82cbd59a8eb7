package cnrp

import (
	"context"
	"fmt"
	"math"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"linkcheck/check"
	"linkcheck/check/checktest"
	"linkcheck/check/wire"
	"linkcheck/internal/lab/labtest"
	"linkcheck/uri"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func ptr(s string) *string { return &s }

// PROTOCOLS 4.2, with the examples of RFC 3368 section 5.
func TestQuery(t *testing.T) {
	for _, c := range []struct {
		u    uri.Go
		want string
	}{
		{uri.Go{}, "<servicequery/>"},
		{uri.Go{CommonName: ptr("")}, "<servicequery/>"},
		{uri.Go{CommonName: ptr("Mercedes Benz")}, "<query><commonname>Mercedes Benz</commonname></query>"},
		{uri.Go{CommonName: ptr("Martin J. Dürst")}, "<query><commonname>Martin J. Dürst</commonname></query>"},
		{uri.Go{CommonName: ptr("AT&T <x>")}, "<query><commonname>AT&amp;T &lt;x&gt;</commonname></query>"},
		{uri.Go{CommonName: ptr("Mercedes Benz"), Pairs: []uri.AVPair{{Attribute: "geography", Value: "US-ga"}}},
			`<query><commonname>Mercedes Benz</commonname><property name="geography">US-ga</property></query>`},
		{uri.Go{CommonName: ptr("Mercedes Benz"), Pairs: []uri.AVPair{{Attribute: "geography", Type: ptr("iso3166-2"), Value: "US-ga"}}},
			`<query><commonname>Mercedes Benz</commonname><property name="geography" type="iso3166-2">US-ga</property></query>`},
		{uri.Go{ID: ptr("5432345")}, "<query><id>5432345</id></query>"},
	} {
		want := `<?xml version="1.0" encoding="UTF-8"?>` + "\n" +
			`<!DOCTYPE cnrp PUBLIC "-//IETF//DTD CNRP 1.0//EN" "http://ietf.org/dtd/cnrp-1.0.dtd">` + "\n<cnrp>" + c.want + "</cnrp>\n"
		if got := query(&c.u); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// post is the script of one exchange: what must be asked, and what is answered.
func post(body, status, kind, answer string) string {
	c := fmt.Sprintf(`C: POST / HTTP/1.1\r\nHost: cnrp.lab:1096\r\nUser-Agent: linkcheck\r\nConnection: close\r\nContent-Length: %d\r\n`, len(body)) +
		`Accept: application/cnrp+xml\r\nContent-Type: application/cnrp+xml\r\n\r\n` + strings.ReplaceAll(body, "\n", `\n`) + "\n"
	return c + fmt.Sprintf(`S: HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s`, status, kind, len(answer), strings.ReplaceAll(answer, "\n", `\n`)) + "\n"
}

func results(inner string) string {
	return prologue + "<cnrp><results>" + inner + "</results></cnrp>\n"
}

const (
	aService = `<service ttl="43200" id="i0"><serviceuri>http://cnrp.lab/</serviceuri></service>`
	anItem   = `<resourcedescriptor><commonname>Mercedes Benz</commonname><id>5432345</id><resourceuri>http://www.lab/mb</resourceuri>` +
		`<serviceref ref="i0"/><property name="id">9</property></resourcedescriptor>`
	aReferral = `<referral><serviceref ref="i1"/></referral>`
)

// The rows of OUTCOMES 1.3 and 1.4 on go, and of PROTOCOLS 4.3.
func TestTable(t *testing.T) {
	server, byName, byID := uri.Go{}, uri.Go{CommonName: ptr("Mercedes Benz")}, uri.Go{ID: ptr("5432345")}
	status := func(code string) string { return results(`<status code="` + code + `">words</status>`) }
	type row struct {
		name         string
		u            uri.Go
		http, answer string
		outcome      check.Outcome
		reason       check.Reason
		evidence     check.Evidence
		flags        []string
	}
	rows := []row{
		{"service, 1.3", server, "200 OK", results(aService), check.Reachable, "cnrp-service", check.Strong, nil},
		{"service without words", server, "200 OK", results(""), check.Reachable, "cnrp-service", check.Strong, nil},
		{"service with a status first", server, "200 OK", results(`<status code="1.1.1">hello</status>` + aService), check.Reachable, "cnrp-service", check.Strong, nil},
		{"name found, 1.4", byName, "200 OK", results(aService + anItem + anItem), check.OK, "cnrp-found", check.Strong, nil},
		{"name not found, 1.4", byName, "200 OK", results(aService + `<status code="2.1.0">no match</status>`), check.Reachable, "search-no-hit", check.Strong, nil},
		{"name not found, without a status", byName, "200 OK", results(aService), check.Reachable, "search-no-hit", check.Strong, nil},
		{"only referrals, 1.4", byName, "200 OK", results(aService + aReferral), check.Reachable, "cnrp-referral", check.Strong, []string{"referral"}},
		{"results and referrals", byName, "200 OK", results(aService + anItem + aReferral), check.OK, "cnrp-found", check.Strong, nil},
		{"id found, 1.3", byID, "200 OK", results(aService + anItem), check.OK, "cnrp-found", check.Strong, nil},
		{"id not found, 1.3", byID, "200 OK", results(aService + `<status code="2.1.0"/>`), check.Gone, "cnrp-no-item", check.Strong, nil},
		{"id not found, without a status", byID, "200 OK", results(aService), check.Gone, "cnrp-no-item", check.Strong, nil},
		{"id only referred, 1.4", byID, "200 OK", results(aService + aReferral), check.Reachable, "cnrp-referral", check.Strong, []string{"referral"}},
		{"another id", byID, "200 OK", results(strings.ReplaceAll(anItem, "5432345", "1")), check.Suspect, "cnrp-other-item", check.Weak, nil},
		{"one item without an id", byID, "200 OK", results("<resourcedescriptor><resourceuri>x</resourceuri></resourcedescriptor>"), check.OK, "cnrp-found", check.Strong, nil},
		{"busy", byID, "200 OK", status("4.2.1"), check.Temporary, "cnrp-421", check.Weak, nil},
		{"maintenance", byName, "503 Maintenance", status("4.2.2"), check.Temporary, "cnrp-422", check.Weak, nil},
		{"internal error", byName, "200 OK", status("4.2.3"), check.Temporary, "cnrp-423", check.Weak, nil},
		{"not interpretable", byName, "200 OK", status("4.1.0"), check.Undetermined, "cnrp-410", check.None, nil},
		{"too complex", byName, "200 OK", status("4.2.0"), check.Undetermined, "cnrp-420", check.None, nil},
		{"partial without results", byID, "200 OK", status("3.1.1"), check.Undetermined, "cnrp-311", check.None, nil},
		{"failed", byID, "200 OK", status("5.1.0"), check.Undetermined, "cnrp-510", check.None, nil},
		{"service ended", byID, "200 OK", status("5.2.1"), check.Gone, "cnrp-521", check.Strong, nil},
		{"status of no form", byID, "200 OK", status("many words"), check.Undetermined, "garbled", check.None, nil},
		{"web server 404, 1.4", byID, "404 Not Found", "<html><body>Not Found</body></html>", check.Undetermined, "protocol-mismatch", check.None, nil},
		{"web server 405, 1.4", byID, "405 Method Not Allowed", "", check.Undetermined, "protocol-mismatch", check.None, nil},
		{"web server 200", server, "200 OK", "<!DOCTYPE html><html><body>Hello</body></html>", check.Undetermined, "protocol-mismatch", check.None, nil},
		{"redirect", server, "302 Found", "", check.Undetermined, "protocol-mismatch", check.None, nil},
		{"401", server, "401 Unauthorized", "", check.Auth, "http-401", check.None, nil},
		{"407", server, "407 Proxy Authentication Required", "", check.Auth, "http-407", check.None, nil},
		{"408", server, "408 Request Timeout", "", check.Temporary, "http-408", check.Weak, nil},
		{"429", server, "429 Too Many Requests", "", check.Blocked, "http-429", check.None, nil},
		{"451", server, "451 Unavailable For Legal Reasons", "", check.Blocked, "http-451", check.None, nil},
		{"499: of no list", server, "499 Client Closed Request", "", check.Undetermined, "protocol-mismatch", check.None, nil},
		{"500", server, "500 Internal Server Error", "", check.Temporary, "http-500", check.Weak, nil},
		{"501: no such method", server, "501 Not Implemented", "", check.Undetermined, "protocol-mismatch", check.None, nil},
		{"505: another protocol", server, "505 HTTP Version Not Supported", "", check.Undetermined, "protocol-mismatch", check.None, nil},
		{"403", server, "403 Forbidden", "no", check.Blocked, "http-403", check.None, nil},
		{"502", server, "502 Bad Gateway", "", check.Temporary, "http-502", check.Weak, nil},
		{"broken document of a web server", server, "404 Not Found", "<cnrp><results><service>", check.Undetermined, "protocol-mismatch", check.None, nil},
		{"broken document", server, "200 OK", "<cnrp><results><service>", check.Undetermined, "garbled", check.None, nil},
		{"too deep", server, "200 OK", "<cnrp><results>" + strings.Repeat("<a>", 40), check.Undetermined, "garbled", check.None, nil},
		{"a query for an answer", server, "200 OK", query(&server), check.Undetermined, "protocol-mismatch", check.None, nil},
	}
	for _, c := range rows {
		t.Run(c.name, func(t *testing.T) {
			got := probe(t, c.u, post(query(&c.u), c.http, mediaType, c.answer))
			if got.Outcome != c.outcome || got.Reason != c.reason || got.Evidence != c.evidence || !slices.Equal(got.Flags, c.flags) {
				t.Errorf("got %v(%s) %v %v %q", got.Outcome, got.Reason, got.Evidence, got.Flags, got.Reply)
			}
			if _, known := got.Reason.Meaning(); !known {
				t.Errorf("reason %s is not on the list", got.Reason)
			}
		})
	}
}

// to reaches one server by whatever name.
type to struct{ s *labtest.Server }

func (d to) DialContext(ctx context.Context, network, _ string) (net.Conn, error) {
	return d.s.Dialer().DialContext(ctx, network, wire.Address(d.s.At))
}

func (to) ListenPacket(context.Context, string) (net.PacketConn, net.Addr, error) {
	return nil, nil, net.ErrClosed
}

// probe asks a scripted server under the name cnrp.lab.
func probe(t *testing.T, u uri.Go, scripts ...string) check.Result {
	t.Helper()
	s := labtest.Serve(t, scripts...)
	if u.Form != 2 {
		u.At = &uri.Endpoint{Host: "cnrp.lab", Port: 1096}
	}
	o := Options{Options: check.Options{Dialer: to{s}, Timeout: time.Second}, Services: []string{"cnrp.lab", "cnrp.lab:1096"}}
	return New(o).Probe(context.Background(), check.Target{URI: &u})
}

// Services are asked in order until one knows the name; all must say no before
// it is no.
func TestServices(t *testing.T) {
	u := uri.Go{Form: 2, CommonName: ptr("BMW")}
	id := uri.Go{Form: 2, ID: ptr("5432345")}
	none := New(Options{}).Probe(context.Background(), check.Target{URI: &u})
	if none.Outcome != check.NotDereferenceable || none.Reason != "no-cnrp-service" {
		t.Errorf("without services: %v(%s)", none.Outcome, none.Reason)
	}
	yes, no := results(aService+anItem), results(aService+`<status code="2.1.0"/>`)
	busy := results(`<status code="4.2.1">busy</status>`)
	for _, c := range []struct {
		name    string
		u       uri.Go
		answers []string
		outcome check.Outcome
		reason  check.Reason
	}{
		{"the first knows", u, []string{yes}, check.OK, "cnrp-found"},
		{"the second knows", u, []string{no, yes}, check.OK, "cnrp-found"},
		{"none knows", id, []string{no, no}, check.Gone, "cnrp-no-item"},
		{"one is busy", id, []string{busy, no}, check.Temporary, "cnrp-421"},
		{"the other is busy", id, []string{no, busy}, check.Temporary, "cnrp-421"},
	} {
		var scripts []string
		for _, a := range c.answers {
			scripts = append(scripts, post(query(&c.u), "200 OK", mediaType, a))
		}
		if r := probe(t, c.u, scripts...); r.Outcome != c.outcome || r.Reason != c.reason {
			t.Errorf("%s: %v(%s)", c.name, r.Outcome, r.Reason)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	now := func() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }
	for value, want := range map[string]time.Duration{
		"": 0, "120": 2 * time.Minute, "-1": 0, "soon": 0, "99999999999999": 0,
		"Sat, 21 Nov 2026 12:01:00 GMT": time.Minute, "Sat, 21 Nov 2026 11:00:00 GMT": 0,
	} {
		if got := check.RetryAfter(http.Header{"Retry-After": {value}}, now, math.MaxInt64); got != want {
			t.Errorf("%q: %v, want %v", value, got, want)
		}
	}
}

func TestEndpoint(t *testing.T) {
	for in, want := range map[string]uri.Endpoint{
		"cnrp.lab": {Host: "cnrp.lab", Port: 1096}, "cnrp.lab:80": {Host: "cnrp.lab", Port: 80},
		"[::1]:80": {Host: "::1", Port: 80}, "[::1]": {Host: "::1", Port: 1096},
	} {
		if got := endpoint(in); got != want {
			t.Errorf("endpoint(%q) = %+v", in, got)
		}
	}
}

func TestSuite(t *testing.T) {
	head := "HTTP/1.1 200 OK\r\nContent-Type: application/cnrp+xml\r\n"
	checktest.Run(t, checktest.Case{
		Speaks: "http",
		New:    func(o check.Options) check.Prober { return New(Options{Options: o}) },
		URL:    "go://{at}?id=5432345",
		Reply:  fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", head, len(results(aService+anItem)), results(aService+anItem)),
		Lying: []string{
			head + "Content-Length: 9999999999\r\n\r\n<cnrp>", head + "Content-Length: -1\r\n\r\n", head + "Transfer-Encoding: chunked\r\n\r\nffffffff\r\n",
			"HTTP/1.1 100 Continue\r\n\r\n" + strings.Repeat("HTTP/1.1 100 Continue\r\n\r\n", 20), "HTTP/1.1 999999 x\r\n\r\n",
			head + "\r\n" + strings.Repeat("<cnrp>", 1000), head + "\r\n<!DOCTYPE x [<!ENTITY a \"&a;&a;\">]><cnrp>&a;</cnrp>",
		},
		Control: []uri.URI{
			&uri.Go{At: &uri.Endpoint{Host: "127.0.0.1", Port: 1}, CommonName: ptr("a\x00b")},
			&uri.Go{At: &uri.Endpoint{Host: "127.0.0.1", Port: 1}, ID: ptr("a\r\nb")},
		},
	})
}

// No document makes the reader panic, and what is written can be read.
func FuzzParse(f *testing.F) {
	f.Add(results(aService + anItem + aReferral + `<status code="2.1.0">x</status>`))
	f.Add("<cnrp><results>")
	f.Add("<html>&amp;")
	f.Fuzz(func(t *testing.T, body string) {
		for _, u := range []uri.Go{{}, {CommonName: ptr("x")}, {ID: ptr("x")}} {
			r := judge(&u, 200, []byte(body))
			if _, known := r.Reason.Meaning(); !known {
				t.Errorf("reason %q", r.Reason)
			}
		}
		u := uri.Go{ID: &body}
		written := strings.Replace(strings.Replace(query(&u), "<query>", "<results><resourcedescriptor>", 1), "</query>", "</resourcedescriptor></results>", 1)
		a, err := parse([]byte(written))
		if err != nil || len(a.items) != 1 {
			t.Errorf("%v, %d items", err, len(a.items))
		}
	})
}

func TestCodeReason(t *testing.T) {
	for code, want := range map[string]check.Reason{
		"4.2.1": "cnrp-421", "5": "cnrp-5", "1.2.3.4.5": "cnrp-12345", "1.2.3.4.5.6": "garbled", "": "garbled", "..": "garbled", "4.x": "garbled",
	} {
		if got := codeReason(code); got != want {
			t.Errorf("%q: %s, want %s", code, got, want)
		}
	}
}
