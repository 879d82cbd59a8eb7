package all

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/internal/lab/labtest"
	"linkcheck/uri"
)

// TestTranscripts probes the server of every recorded session, as far as its answers
// are known, and finds each result in order. With LINKCHECK_RECORD=DIR the results are
// written there, one file a session: to compare what two versions of the program say.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(labtest.Transcripts(t), "*.txt"))
	if err != nil || len(files) < 282 {
		t.Fatalf("%d sessions, %v", len(files), err)
	}
	record := os.Getenv("LINKCHECK_RECORD")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var results strings.Builder
		for _, url := range recordedURLs(filepath.Base(file), string(text)) {
			u, err := uri.Parse(url)
			if err != nil {
				fmt.Fprintf(&results, "%s: %v\n", url, err)
				continue
			}
			table := Table(Options{Options: check.Options{Dialer: &replay{session: string(text)}, Timeout: 5 * time.Second}})
			r := table.Probe(t.Context(), check.Target{URI: u})
			table.Close()
			if _, ok := r.Reason.Meaning(); !ok || r.Outcome == check.Internal {
				t.Errorf("%s: %s: %s(%s) %q", filepath.Base(file), url, r.Outcome, r.Reason, r.Reply)
			}
			r.At, r.Took = time.Time{}, 0
			line, err := json.Marshal(r)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&results, "%s: %s\n", url, line)
		}
		if record == "" {
			continue
		}
		if err := os.WriteFile(filepath.Join(record, filepath.Base(file)), []byte(results.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// recordedURLs lists what to ask the server of a session about.
func recordedURLs(file, session string) []string {
	scheme, _, _ := strings.Cut(file, "-")
	const host = "192.0.2.1"
	switch scheme {
	case "ftp":
		return []string{"ftp://" + host + "/pub/hello.txt", "ftp://" + host + "/pub;type=d", "ftp://alice@" + host + "/"}
	case "nntp":
		return []string{"nntp://" + host + "/test.linkcheck/1", "news://" + host + "/one@archive.example", "news://" + host + "/test.linkcheck"}
	case "telnet":
		return []string{"telnet://" + host + "/"}
	case "wais":
		document := "wais://" + host + "/papers/TEXT/1=localhost%3A210;2=papers;3=0%2079%20/one.txt;"
		return []string{"wais://" + host + "/papers", "wais://" + host + "/papers?onion", document}
	case "z3950":
		return []string{"z39.50s://" + host + "/Default", "z39.50r://" + host + "/Default?007;esn=F;rs=marc"}
	case "prospero":
		return []string{"prospero://" + host + "/", "prospero://" + host + "/srv/papers"}
	}
	_, request, _ := strings.Cut(session, "C: ")
	line, _, _ := strings.Cut(request, "\n")
	selector := ""
	for _, b := range []byte(strings.TrimRight(string(labtest.Unescape(line)), "\r\n")) {
		selector += fmt.Sprintf("%%%02X", b)
	}
	selector = strings.ReplaceAll(selector, "%09%21", "%09%09%21") // the search field before a Gopher+ string
	var urls []string
	for _, kind := range "0179" {
		urls = append(urls, fmt.Sprintf("gopher://%s/%c%s", host, kind, selector))
	}
	return urls
}

// replay is a server that says what it said in a recorded session, whatever it
// is asked; to a command of a line protocol what it answered to its verb.
type replay struct {
	labtest.Replay
	session string

	turns   []recordedTurn
	answers []byte // from which Read takes
	id      []byte // of the last datagram that was sent
}

type recordedTurn struct {
	client bool
	said   []byte
}

// newTurns reads a session in either notation: escaped lines, or dumps.
func newTurns(session string) (turns []recordedTurn) {
	dumped := ""
	for line := range strings.Lines(session) {
		line = strings.TrimRight(line, "\r\n")
		who, what, spoken := strings.Cut(line, ": ")
		spoken = spoken && (who == "C" || who == "S")
		if octets, isDump := labtest.Dumped(line); isDump && dumped != "" {
			turns[len(turns)-1].said = append(turns[len(turns)-1].said, octets...)
			continue
		}
		switch {
		case !spoken || strings.HasPrefix(what, "<"):
			continue
		case strings.Contains(what, " bytes"):
			dumped = who
			turns = append(turns, recordedTurn{client: who == "C"})
		default:
			turns = append(turns, recordedTurn{client: who == "C", said: labtest.Unescape(what)})
		}
	}
	return turns
}

// DialContext begins the session anew.
func (r *replay) DialContext(context.Context, string, string) (net.Conn, error) {
	return &replay{session: r.session, turns: newTurns(r.session)}, nil
}

// Read returns what the server said up to the next turn of the client.
func (r *replay) Read(p []byte) (int, error) {
	if len(r.answers) == 0 {
		for len(r.turns) > 0 && r.turns[0].client {
			r.turns = r.turns[1:]
		}
		for len(r.turns) > 0 && !r.turns[0].client {
			r.answers = append(r.answers, r.turns[0].said...)
			r.turns = r.turns[1:]
		}
	}
	if len(r.answers) == 0 {
		return 0, io.EOF
	}
	n := copy(p, r.answers)
	r.answers = r.answers[n:]
	return n, nil
}

// Write skips to the answer to a command with the same verb.
func (r *replay) Write(p []byte) (int, error) {
	verb := verbOf(p)
	for i, turn := range r.turns {
		if turn.client && verb != "" && verbOf(turn.said) == verb {
			r.turns = r.turns[i+1:]
			break
		}
	}
	return len(p), nil
}

// verbOf returns the first word of a command of FTP or NNTP, "" for other octets.
func verbOf(command []byte) string {
	word, _, _ := strings.Cut(strings.TrimRight(string(command), "\r\n"), " ")
	if len(word) < 3 || len(word) > 12 || strings.Trim(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
		return ""
	}
	return word
}

// ListenPacket begins the session anew, in datagrams.
func (r *replay) ListenPacket(context.Context, string) (net.PacketConn, net.Addr, error) {
	at := &net.UDPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 1525}
	return &replayPackets{replay: replay{session: r.session, turns: newTurns(r.session)}, at: at}, at, nil
}

type replayPackets struct {
	replay
	at net.Addr
}

// WriteTo keeps the connection id of a request of ARDP.
func (r *replayPackets) WriteTo(p []byte, _ net.Addr) (int, error) {
	r.id = append([]byte(nil), p[1:3]...)
	return len(p), nil
}

// ReadFrom returns the next datagram of the server under that id.
func (r *replayPackets) ReadFrom(p []byte) (int, net.Addr, error) {
	for len(r.turns) > 0 && r.turns[0].client {
		r.turns = r.turns[1:]
	}
	if len(r.turns) == 0 {
		return 0, nil, os.ErrDeadlineExceeded
	}
	n := copy(p, r.turns[0].said)
	r.turns = r.turns[1:]
	if n >= 3 && p[0] >= 3 && p[0] < 0x20 {
		copy(p[1:3], r.id)
	}
	return n, r.at, nil
}
