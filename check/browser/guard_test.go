package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/check/netguard"
	"linkcheck/internal/sandbox"
)

// A browser goes where the guard lets us go, and the row says why not.
func TestPrivateAddresses(t *testing.T) {
	at, asked := serve(t, func(w http.ResponseWriter, r *http.Request) {})
	b := begin(t, at)
	for address, want := range map[string]check.Reason{
		"http://" + at.String() + "/":      check.ReasonPrivateAddress,
		"http://nosuch.test.lib.edu/":      check.ReasonDNSNXDomain,
		"https://printer.site.org:9100/":   check.ReasonPortDenied,
		"view-source:http://site.test:80/": check.ReasonLocalResources,
	} {
		if _, _, err := get(t, b, address); err == nil || check.Classify(err).Reason != want {
			t.Errorf("%s: %v, want %s", address, err, want)
		}
	}
	if n := len(asked()); n > 0 {
		t.Errorf("asked %d times", n)
	}
}

// A server that does not answer costs the time of a question and speaks neither for nor
// against a link; and when we are gone the browser is, in the midst of a question.
func TestHangs(t *testing.T) {
	reached := make(chan bool, 10)
	at, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		reached <- true
		<-r.Context().Done()
	})
	b := begin(t, at)
	b.options.Timeout = 15 * time.Second
	begun := time.Now()
	_, _, err := get(t, b, "http://site.test/")
	if took := time.Since(begun); check.Classify(err).Outcome != check.Internal || !strings.Contains(err.Error(), "no answer of the browser in time") || took > b.options.Timeout+grace {
		t.Errorf("%v after %v", err, took)
	}
	<-reached
	b.options.Timeout = time.Minute
	failed := make(chan error)
	go func() {
		_, _, err := get(t, b, "http://site.test/")
		failed <- err
	}()
	select {
	case <-reached:
	case err := <-failed:
		t.Fatal(err)
	}
	for _, h := range b.all { // as at our end, however it comes
		h.to.Close()
		done := time.AfterFunc(20*time.Second, func() { _ = h.cmd.Process.Kill() })
		if state, err := h.cmd.Process.Wait(); err != nil || !state.Exited() {
			t.Errorf("the helper: %v, %v", state, err)
		}
		done.Stop()
	}
	if err := <-failed; check.Classify(err).Outcome != check.Internal {
		t.Errorf("%v", err)
	}
} // begin looks for what is left

// traps count who comes to this machine beside the proxy.
type traps struct {
	tcp, udp       net.Addr
	streams, grams atomic.Int64
}

func newTraps(t *testing.T) *traps {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	u, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close(); u.Close() })
	p := &traps{tcp: l.Addr(), udp: u.LocalAddr()}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			p.streams.Add(1)
			c.Close()
		}
	}()
	go func() {
		for buf := make([]byte, 2000); ; {
			if _, _, err := u.ReadFrom(buf); err != nil {
				return
			}
			p.grams.Add(1)
		}
	}()
	return p
}

// page tries to reach the traps in every way that a page has; its title says when it did.
func (p *traps) page() string {
	host := strings.TrimPrefix(p.tcp.String(), "127.0.0.1:")
	return strings.NewReplacer("TCP", host, "UDP", strings.TrimPrefix(p.udp.String(), "127.0.0.1:")).Replace(`<!doctype html><title>begun</title>
<link rel=dns-prefetch href=//leak.test><link rel=preconnect href=http://127.0.0.1:TCP><link rel=prefetch href=http://127.0.0.1:TCP/p>
<link rel=stylesheet href=http://localhost:TCP/s.css><img src=http://127.0.0.1:TCP/i.png><img src=http://[::1]:TCP/i.png><img src=http://2130706433:TCP/i.png>
<img src=file:///etc/hostname><iframe src=http://127.0.0.1:TCP/frame></iframe><iframe src=file:///etc/></iframe><video src=http://127.0.0.1:TCP/v autoplay></video>
<form id=f method=post action=http://127.0.0.1:TCP/form target=frame><input name=a></form><iframe name=frame></iframe>
<script>
const tried = [];
const attempt = f => { try { tried.push(Promise.resolve(f()).catch(() => 0)) } catch (e) {} };
attempt(() => fetch('http://127.0.0.1:TCP/fetch', {mode: 'no-cors'}));
attempt(() => fetch('http://127.0.0.1:TCP/post', {mode: 'no-cors', method: 'POST', body: 'x'}));
attempt(() => navigator.sendBeacon('http://127.0.0.1:TCP/beacon', 'x'));
attempt(() => new WebSocket('ws://127.0.0.1:TCP/socket'));
attempt(() => new EventSource('http://127.0.0.1:TCP/events'));
attempt(() => new WebTransport('https://127.0.0.1:UDP/').ready);
attempt(() => new Worker('http://127.0.0.1:TCP/worker.js'));
attempt(() => document.getElementById('f').submit());
attempt(() => window.open('view-source:http://127.0.0.1:TCP/'));
attempt(() => window.open('http://127.0.0.1:TCP/window'));
attempt(async () => {
  const c = new RTCPeerConnection({iceServers: [{urls: 'stun:127.0.0.1:UDP'}, {urls: 'turn:127.0.0.1:UDP', username: 'a', credential: 'b'}, {urls: 'turn:127.0.0.1:TCP?transport=tcp', username: 'a', credential: 'b'}]});
  c.createDataChannel('x');
  await c.setLocalDescription(await c.createOffer());
});
Promise.race([Promise.allSettled(tried), new Promise(f => setTimeout(f, 4000))]).then(() => setTimeout(() => document.title = 'done', 4000));
</script>`)
}

// visit shows a page in a browser as a reader would see it, scripts and all, until its
// title is "done".
func visit(t *testing.T, c *chromium, q question) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	var made struct{ TargetID, SessionID string }
	call := func(session, method string, params map[string]any, result any) {
		t.Helper()
		if err := c.call(ctx, session, method, params, result); err != nil {
			t.Fatal(err)
		}
	}
	call("", "Target.createTarget", map[string]any{"url": "about:blank"}, &made)
	call("", "Target.attachToTarget", map[string]any{"targetId": made.TargetID, "flatten": true}, &made)
	tab := made.SessionID
	call(tab, "Fetch.enable", map[string]any{"handleAuthRequests": true}, nil)
	if _, err := c.send(ctx, tab, "Page.navigate", map[string]string{"url": q.URL}); err != nil {
		t.Fatal(err)
	}
	look := func() int {
		id, err := c.send(ctx, tab, "Runtime.evaluate", map[string]string{"expression": "document.title"})
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	for looked := look(); ; {
		m, err := c.next(ctx)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case m.Method == "Fetch.authRequired":
			err = c.logIn(ctx, tab, m, q)
		case m.Method == "Fetch.requestPaused":
			var p paused
			if err = json.Unmarshal(m.Params, &p); err == nil {
				_, err = c.send(ctx, tab, "Fetch.continueRequest", identified{p.ID})
			}
		case m.ID == looked && strings.Contains(string(m.Result), `"done"`):
			return
		case m.ID == looked:
			time.Sleep(200 * time.Millisecond)
			looked = look()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// Even a page that is shown, and runs its scripts, reaches nothing beside the one server:
// with the options of every start, without the confinement by the kernel. The same page
// in a browser without them falls into the traps.
func TestPageCannotLeave(t *testing.T) {
	if testing.Short() {
		t.Skip("two browsers for ten seconds each")
	}
	path := chromiumPath(t)
	for _, guarded := range []bool{true, false} {
		t.Run(fmt.Sprint("guarded ", guarded), func(t *testing.T) {
			trap := newTraps(t)
			at, asked := serve(t, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/html")
				io.WriteString(w, trap.page())
			})
			if !guarded {
				all := options
				defer func() { options = all }()
				options = []string{"--headless=new", "--remote-debugging-pipe", "--no-startup-window", "--no-first-run", "--disable-gpu", "--disable-dev-shm-usage", "--no-proxy-server", "--disable-features=LocalNetworkAccessChecks"}
			}
			p, err := newProxy()
			if err != nil {
				t.Fatal(err)
			}
			defer p.close()
			rule, err := netguard.ParseConnectTo("site.test:80:" + at.String())
			if err != nil {
				t.Fatal(err)
			}
			password, _, leave := p.begin(t.Context(), &netguard.Guard{Resolver: nobody{}, ConnectTo: []netguard.ConnectRule{rule}}, "site.test:80", false)
			defer leave()
			dir, err := os.MkdirTemp("", "lc-")
			if err != nil {
				t.Fatal(err)
			}
			defer os.RemoveAll(dir)
			c, err := start(t.Context(), settings{Path: path, NoSandbox: os.Geteuid() == 0, Proxy: p.port()}, dir)
			if err != nil {
				t.Fatal(err)
			}
			defer c.stop()
			q := question{URL: "http://site.test/", User: user, Password: password}
			if !guarded {
				q.URL = "http://" + at.String() + "/"
			}
			visit(t, c, q)
			if len(asked()) == 0 {
				t.Error("the page was not asked for")
			}
			if streams, grams := trap.streams.Load(), trap.grams.Load(); guarded != (streams == 0) || guarded != (grams == 0) {
				t.Errorf("%d connections and %d datagrams came", streams, grams)
			}
		})
	}
}

// What a helper starts is confined as it is, and told nothing of our environment.
func TestConfined(t *testing.T) {
	if !sandbox.Available() {
		t.Skip("this system has no Landlock that denies reading and writing")
	}
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := errors.Join(os.WriteFile(at("secret"), []byte("sesame"), 0o600), os.Mkdir(at("b"), 0o700)); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	t.Setenv("LINKCHECK_SMTP_PASSWORD", "sesame")
	for _, confined := range []bool{true, false} {
		script := fmt.Sprintf(`#!/bin/sh
cd %s
{ echo x >written; } 2>/dev/null
echo x >"$HOME/own"
echo "1:FATAL:$(cat secret 2>/dev/null) $(cat "$HOME/own") $(ls /home >/dev/null 2>&1 && echo home) $(bash -c 'echo >/dev/tcp/127.0.0.1/%s' 2>/dev/null && echo connected) $(cat /proc/$PPID/environ; env)" | tr '\n\0' '  ' >&2
`, dir, port)
		if err := os.WriteFile(at("b/chromium"), []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
		_, err := Start(Options{Path: at("b/chromium"), NoSandbox: true, Confine: confined})
		if err == nil {
			t.Fatal("a script passes for a browser")
		}
		_, written := os.Stat(at("written"))
		said := err.Error()
		want := `"sesame x home connected `
		if confined {
			want = `" x   `
		}
		if !strings.Contains(said, want) || confined != (written != nil) || strings.Contains(said, "SMTP") {
			t.Errorf("confined %v: %s, want %q; written: %v", confined, said, want, written)
		}
	}
}
