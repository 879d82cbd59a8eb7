package interop

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/check/all"
	"linkcheck/check/netguard"
	"linkcheck/uri"
)

// TestRelays: pages, a line protocol and failures through tinyproxy and microsocks, which
// both want a password.
func TestRelays(t *testing.T) {
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/a" {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		io.WriteString(w, "<title>The mill</title><p>It stands where it stood, and its wheel turns.")
	}))
	defer page.Close()
	gopher, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer gopher.Close()
	go func() {
		for {
			c, err := gopher.Accept()
			if err != nil {
				return
			}
			c.Read(make([]byte, 100))
			io.WriteString(c, "0About\t/about\texample.org\t70\r\n.\r\n")
			c.Close()
		}
	}()
	web, menu, nobody := page.Listener.Addr().String(), gopher.Addr().String(), fmt.Sprintf("127.0.0.1:%d", port(t))
	n, m, dir := port(t), port(t), publicDir(t)
	_, menuPort, _ := net.SplitHostPort(menu)
	_, nobodyPort, _ := net.SplitHostPort(nobody)
	config := fmt.Sprintf("Port %d\nListen 127.0.0.1\nTimeout 20\nAllow 127.0.0.1\nBasicAuth ann s3cret\nConnectPort %s\nConnectPort %s\n", n, menuPort, nobodyPort)
	tiny := daemon(t, n, command(need(t, "tinyproxy"), "-d", "-c", write(t, dir, "tinyproxy.conf", config)))
	socks := daemon(t, m, command(need(t, "microsocks"), "-i", "127.0.0.1", "-p", fmt.Sprint(m), "-u", "ann", "-P", "s3cret"))
	for _, tt := range []struct{ relay, url, want string }{
		{"http://ann:s3cret@" + tiny, "http://" + web + "/a", "ok(http-200)"}, {"http://ann:s3cret@" + tiny, "http://" + web + "/b", "gone(http-404)"}, {"http://ann:s3cret@" + tiny, "gopher://" + menu + "/1", "ok(gopher-menu)"},
		{"http://ann:s3cret@" + tiny, "http://" + nobody + "/a", "unreachable(no-route)"}, {"http://ann:other@" + tiny, "http://" + web + "/a", "internal(own-network)"}, {"http://ann:other@" + tiny, "gopher://" + menu + "/1", "internal(own-network)"},
		{"socks5://ann:s3cret@" + socks, "http://" + web + "/a", "ok(http-200)"}, {"socks5://ann:s3cret@" + socks, "http://" + web + "/b", "gone(http-404)"}, {"socks5://ann:s3cret@" + socks, "gopher://" + menu + "/1", "ok(gopher-menu)"},
		{"socks5://ann:s3cret@" + socks, "http://" + nobody + "/a", "unreachable(no-route)"}, {"socks5://ann:other@" + socks, "http://" + web + "/a", "internal(own-network)"},
	} {
		relay, err := netguard.ParseRelay(tt.relay)
		if err != nil {
			t.Fatal(err)
		}
		guard := &netguard.Guard{AllowPrivate: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, Relays: func(string, string, int) *netguard.Relay { return relay }}
		o := all.Options{Options: check.Options{Dialer: guard, Timeout: 10 * time.Second}}
		o.Web.NoSoft404 = true
		p := all.Table(o)
		u, err := uri.Parse(tt.url)
		if err != nil {
			t.Fatal(err)
		}
		if r := p.Probe(t.Context(), check.Target{URI: u}); fmt.Sprintf("%s(%s)", r.Outcome, r.Reason) != tt.want || strings.Contains(r.Reply, "s3cret") {
			t.Errorf("%s by %s: %s(%s) %q, want %s", tt.url, relay, r.Outcome, r.Reason, r.Reply, tt.want)
		}
		p.Close()
	}
}
