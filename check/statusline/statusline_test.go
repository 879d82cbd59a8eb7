package statusline

import (
	"context"
	"testing"
	"time"

	"go.uber.org/goleak"

	"linkcheck/check"
	"linkcheck/check/checktest"
	"linkcheck/internal/lab/labtest"
	"linkcheck/uri"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The rows of PROTOCOLS section 10 for rtsp.
func TestRTSP(t *testing.T) {
	const asks = "C: DESCRIBE rtsp://media.example/twister?a=1 RTSP/1.0\\r\\nCSeq: 1\\r\\nAccept: application/sdp\\r\\nUser-Agent: linkcheck\\r\\n\\r\\n\n"
	row := func(name, status string, o check.Outcome, r check.Reason) checktest.Row {
		return checktest.Row{Name: name, URL: "rtsp://media.example/twister?a=1", Script: asks + "S: " + status + "\\r\\nCSeq: 1\\r\\n\\r\\n", Outcome: o, Reason: r, Reply: status}
	}
	checktest.Rows(t, RTSP, []checktest.Row{
		row("there", "RTSP/1.0 200 OK", check.OK, "rtsp-200"),
		row("not there", "RTSP/1.0 404 Stream Not Found", check.Gone, "rtsp-404"),
		row("a login", "RTSP/1.0 401 Unauthorized", check.Auth, "rtsp-401"),
		row("no bandwidth", "RTSP/1.0 453 Not Enough Bandwidth", check.Temporary, "rtsp-453"),
		row("its own code", "RTSP/1.0 551 Option not supported", check.Undetermined, "rtsp-551"),
		row("a web server", "HTTP/1.1 400 Bad Request", check.Undetermined, "protocol-mismatch"),
		{Name: "the server", URL: "rtsp://media.example:8554", Script: "C: OPTIONS rtsp://media.example:8554 RTSP/1.0\\r\\nCSeq: 1\\r\\nAccept: application/sdp\\r\\nUser-Agent: linkcheck\\r\\n\\r\\n\nS: RTSP/1.0 200 OK\\r\\n\\r\\n", Outcome: check.OK, Reason: "rtsp-200"},
	})
}

// The rows of PROTOCOLS section 10 for ws and wss.
func TestWebSocket(t *testing.T) {
	const asks = "C: GET /chat?room=1 HTTP/1.1\\r\\nHost: chat.example\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\n" +
		"Sec-WebSocket-Key: bGlua2NoZWNrIGFza3MgIQ==\\r\\nSec-WebSocket-Version: 13\\r\\nUser-Agent: linkcheck\\r\\n\\r\\n\n"
	row := func(name, scheme, tls, status string, o check.Outcome, r check.Reason) checktest.Row {
		return checktest.Row{Name: name, URL: scheme + "://chat.example/chat?room=1", Script: tls + asks + "S: " + status + "\\r\\n\\r\\n", Outcome: o, Reason: r}
	}
	checktest.Rows(t, WebSocket, []checktest.Row{
		row("there", "ws", "", "HTTP/1.1 101 Switching Protocols", check.OK, "http-101"),
		row("in TLS", "wss", "S: <tls>\n", "HTTP/1.1 101 Switching Protocols", check.OK, "http-101"),
		row("gone", "ws", "", "HTTP/1.1 410 Gone", check.Gone, "http-410"),
		row("a page", "ws", "", "HTTP/1.1 200 OK", check.Undetermined, "http-200"),
		row("later", "ws", "", "HTTP/1.1 503 Service Unavailable", check.Temporary, "http-503"),
		row("another protocol", "ws", "", "220 ready", check.Undetermined, "protocol-mismatch"),
	})
}

func TestSuite(t *testing.T) {
	control := []uri.URI{&uri.Generic{Path: "/a\r\nX: y"}, &uri.Generic{Path: "/\x00"}}
	t.Run("rtsp", func(t *testing.T) {
		checktest.Run(t, checktest.Case{New: RTSP, URL: "rtsp://{at}/a", Reply: "RTSP/1.0 200 OK\r\n\r\n", Lying: []string{"RTSP/1.0 99999\r\n", "RTSP/1.0\r\n"}, Control: control})
	})
	t.Run("websocket", func(t *testing.T) {
		checktest.Run(t, checktest.Case{New: WebSocket, URL: "ws://{at}/a", Speaks: "http", Reply: "HTTP/1.1 101 x\r\n\r\n", Lying: []string{"HTTP/1.1 000 x\r\n"}, Control: control})
	})
}

// Whatever a server says, a probe ends with a reason of the list.
func FuzzProbe(f *testing.F) {
	f.Add(byte(0), []byte("RTSP/1.0 200 OK\r\n\r\n"))
	f.Add(byte(1), []byte("HTTP/1.1 101 Switching Protocols\r\n\r\n"))
	probers := []func(check.Options) check.Prober{RTSP, WebSocket}
	var targets []uri.URI
	for _, s := range []string{"rtsp://h.example/a", "ws://h.example/a"} {
		u, err := uri.Parse(s)
		if err != nil {
			f.Fatal(err)
		}
		targets = append(targets, u)
	}
	f.Fuzz(func(t *testing.T, which byte, said []byte) {
		i := int(which) % len(targets)
		r := probers[i](check.Options{Dialer: labtest.NewReplay(said), Timeout: time.Second}).Probe(context.Background(), check.Target{URI: targets[i]})
		if _, listed := r.Reason.Meaning(); !listed || r.Reason == "internal-error" || r.Reason == "panic" {
			t.Errorf("%s(%s) %q", r.Outcome, r.Reason, r.Reply)
		}
	})
}
