package prospero

import (
	"bytes"
	"context"
	"encoding/hex"
	"net"
	"net/netip"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"linkcheck/check"
	"linkcheck/check/wire"
	"linkcheck/uri"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// exchange is a recorded question with its answers.
type exchange struct {
	asked    []byte
	answered [][]byte
}

func recorded(t testing.TB) map[string]exchange {
	t.Helper()
	text, err := os.ReadFile("testdata/recorded.txt")
	if err != nil {
		t.Fatal(err)
	}
	all, name, last := map[string]exchange{}, "", byte(0)
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\n")
		kind := line[0]
		if kind == '#' {
			continue
		}
		if kind == '=' {
			name = line[2:]
			continue
		}
		b, err := hex.DecodeString(strings.TrimSpace(line[2:]))
		if err != nil {
			t.Fatal(err)
		}
		x := all[name]
		switch {
		case kind == ' ' && last == 'S':
			n := len(x.answered) - 1
			x.answered[n] = append(x.answered[n], b...)
		case kind == 'S':
			x.answered = append(x.answered, b)
		default:
			x.asked = append(x.asked, b...)
		}
		if kind != ' ' {
			last = kind
		}
		all[name] = x
	}
	if len(all) == 0 {
		t.Fatal("testdata/recorded.txt holds nothing")
	}
	return all
}

// firstID stands for the connection id of the question in steps.
const firstID = 0x4c4c

// as returns a recorded datagram another connection id.
func as(cid byte, datagram []byte) []byte {
	b := bytes.Clone(datagram)
	b[1], b[2] = cid, cid
	return b
}

// step is one question and what is sent in answer to it, in order. other sends
// from another port.
type step struct {
	asked    []byte
	answered [][]byte
	other    bool
}

// server plays steps, and fails the test where the client sends anything else.
func server(t *testing.T, steps ...step) uri.Endpoint {
	t.Helper()
	listen := func() net.PacketConn {
		c, err := net.ListenPacket("udp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	public, other := listen(), listen()
	var wg sync.WaitGroup
	wg.Go(func() {
		buf := make([]byte, 64<<10)
		var ids [][]byte
		for i := 0; ; i++ {
			n, from, err := public.ReadFrom(buf)
			if err != nil {
				if i != len(steps) {
					t.Errorf("%d questions, the script has %d", i, len(steps))
				}
				return
			}
			id := bytes.Clone(buf[1:3])
			if slices.ContainsFunc(ids, func(other []byte) bool { return bytes.Equal(other, id) }) {
				t.Errorf("question %d has an id that another had", i+1)
			}
			ids = append(ids, id)
			if i >= len(steps) || !bytes.Equal(as(0x4c, buf[:n]), steps[i].asked) {
				t.Errorf("question %d is %q", i+1, buf[:n])
				return
			}
			socket := public
			if steps[i].other {
				socket = other
			}
			for _, b := range steps[i].answered {
				if len(b) > 2 && b[0] < 0x20 && b[1] == 0x4c && b[2] == 0x4c {
					b = slices.Concat(b[:1], id, b[3:])
				}
				socket.WriteTo(b, from)
			}
		}
	})
	t.Cleanup(func() { public.Close(); other.Close(); wg.Wait() })
	return uri.Endpoint{Host: "127.0.0.1", Port: public.LocalAddr().(*net.UDPAddr).Port}
}

// dialer is a netguard.Dialer without its guard.
type dialer struct{}

func (dialer) DialContext(context.Context, string, string) (net.Conn, error) {
	return nil, net.ErrClosed
}

func (dialer) ListenPacket(_ context.Context, address string) (net.PacketConn, net.Addr, error) {
	to, err := net.ResolveUDPAddr("udp", address)
	if err != nil {
		return nil, nil, err
	}
	c, err := net.ListenPacket("udp", "127.0.0.1:0")
	return c, to, err
}

type row struct {
	name     string
	object   string
	steps    []step
	outcome  check.Outcome
	reason   check.Reason
	evidence check.Evidence
	reply    string // begins with this
}

func (c row) run(t *testing.T) {
	t.Run(c.name, func(t *testing.T) {
		if c.evidence == check.Strong { // the last question comes again
			c.steps = append(slices.Clone(c.steps), c.steps[len(c.steps)-1])
		}
		u := &uri.Prospero{At: server(t, c.steps...), HSOName: c.object}
		got := New(check.Options{Dialer: dialer{}, Timeout: 300 * time.Millisecond}).Probe(context.Background(), check.Target{URI: u})
		if got.Outcome != c.outcome || got.Reason != c.reason || got.Evidence != c.evidence || !strings.HasPrefix(got.Reply, c.reply) {
			t.Errorf("got %v(%s) %v %q, want %v(%s) %v %q", got.Outcome, got.Reason, got.Evidence, got.Reply, c.outcome, c.reason, c.evidence, c.reply)
		}
		if _, known := got.Reason.Meaning(); !known {
			t.Errorf("reason %s is not on the list", got.Reason)
		}
	})
}

const tree = "/srv/w/wais/pfs/info-tree/"

// The recorded probes, octet for octet but for the connection id.
func TestRecordedProbes(t *testing.T) {
	all := recorded(t)
	for _, c := range []row{
		{name: "probe-file", object: tree + "papers/one.txt", outcome: check.OK, reason: "prospero-object", evidence: check.Strong,
			reply: "ATTRIBUTE OBJECT INTRINSIC SIZE SEQUENCE 8 bytes"},
		{name: "probe-dir", object: tree + "papers", outcome: check.OK, reason: "prospero-object", evidence: check.Strong},
		{name: "probe-missing", object: tree + "nope", outcome: check.Gone, reason: "prospero-not-found", evidence: check.Strong, reply: "FAILURE NOT-FOUND"},
		{name: "probe-outside", object: "/etc", outcome: check.Auth, reason: "prospero-not-authorized", evidence: check.Weak},
	} {
		x := all[c.name]
		c.steps = []step{{asked: as(0x4c, x.asked), answered: [][]byte{as(0x4c, x.answered[0])}}}
		c.run(t)
		c.name, c.steps[0].other = c.name+" from another port", true
		c.outcome, c.reason, c.evidence, c.reply = check.Undetermined, "no-udp-reply", check.None, ""
		c.run(t)
	}
}

// A server answers from the port that was asked, or from 191 (REAL-SERVERS B).
func TestFromServer(t *testing.T) {
	asked := net.UDPAddrFromAddrPort(netip.MustParseAddrPort("192.0.2.1:1525"))
	for from, want := range map[string]bool{
		"192.0.2.1:1525": true, "192.0.2.1:191": true, "[::ffff:192.0.2.1]:1525": true, "192.0.2.1:1526": false,
		"192.0.2.2:1525": false, "192.0.2.2:191": false, "[2001:db8::1]:1525": false,
	} {
		if got := fromServer(net.UDPAddrFromAddrPort(netip.MustParseAddrPort(from)), asked); got != want {
			t.Errorf("from %s: %v", from, got)
		}
	}
}

// Strong evidence takes two answers that agree.
func TestTwoAnswers(t *testing.T) {
	const gone, there = "FAILURE NOT-FOUND\n", "ATTRIBUTE a\n"
	one := func(text string) step {
		if text == "" {
			return step{asked: info("/x")}
		}
		return step{asked: info("/x"), answered: [][]byte{says(0x4c, text)}}
	}
	for _, c := range []struct {
		first, second string // "": silence
		outcome       check.Outcome
		reason        check.Reason
		evidence      check.Evidence
	}{
		{gone, gone, check.Gone, "prospero-not-found", check.Strong},
		{gone, "", check.Gone, "prospero-not-found", check.Weak},
		{gone, "ERROR x\n", check.Gone, "prospero-not-found", check.Weak},
		{gone, there, check.Undetermined, "prospero-answer", check.None},
		{there, gone, check.Undetermined, "prospero-answer", check.None},
		{there, "", check.OK, "prospero-object", check.Weak},
		{gone, "NONE-FOUND\n", check.Undetermined, "prospero-answer", check.None},
		{"FORWARDED INTERNET-D 127.0.0.1(1) ASCII /z 0\n", "FORWARDED INTERNET-D 127.0.0.1(2) ASCII /z 0\n", check.Undetermined, "prospero-answer", check.None},
		{"FORWARDED INTERNET-D 127.0.0.1(1) ASCII /z 0\n", "", check.Reachable, "prospero-forwarded", check.Weak},
	} {
		u := &uri.Prospero{At: server(t, one(c.first), one(c.second)), HSOName: "/x"}
		r := New(check.Options{Dialer: dialer{}, Timeout: 300 * time.Millisecond}).Probe(t.Context(), check.Target{URI: u})
		if r.Outcome != c.outcome || r.Reason != c.reason || r.Evidence != c.evidence || len(r.Hops) > 0 {
			t.Errorf("%q, then %q: %v(%s) %v %q", c.first, c.second, r.Outcome, r.Reason, r.Evidence, r.Reply)
		}
	}
}

// info is the first question about an object, listing the second.
func info(object string) []byte {
	return request(firstID, "VERSION\nGET-OBJECT-INFO ACCESS-METHOD+SIZE+LAST-MODIFIED ASCII '"+object+"' 0\n")
}

func listing(object string) []byte {
	return request(firstID, "VERSION\nDIRECTORY ASCII '"+object+"'\nLIST COMPONENTS\n")
}

// says is a small answer, as servers send it: a header of three octets.
func says(cid byte, text string) []byte { return append([]byte{3, cid, cid}, text...) }

// The rows of OUTCOMES 1.3 and 1.4 on Prospero and of REAL-SERVERS B.
func TestTable(t *testing.T) {
	all := recorded(t)
	answer := func(cid byte, name string) []byte { return as(cid, all[name].answered[0]) }
	asked := func(answers ...[]byte) []step { return []step{{asked: info("/x"), answered: answers}} }
	hello := "VERSION 5 x\n"
	none := says(0x4c, hello+"NONE-FOUND\n")
	then := func(answers ...[]byte) []step {
		return append(asked(none), step{asked: listing("/x"), answered: answers})
	}
	version := request(firstID, "VERSION\n")
	for _, c := range []row{
		{"silence, 1.3", "/x", asked(), check.Undetermined, "no-udp-reply", check.None, ""},
		{"anonymous FTP behind it, B3", "/x", asked(answer(0x4c, "goi-plus-aftp")), check.OK, "prospero-object", check.Strong,
			"ATTRIBUTE OBJECT INTRINSIC ACCESS-METHOD SEQUENCE AFTP INTERNET-D LOCALHOST ASCII /pub/rfc/rfc1.txt BINARY"},
		{"directory without attributes", "/x", then(answer(0x4c, "probe-list")), check.OK, "prospero-object", check.Strong, "LINK L FILE two.txt"},
		{"empty directory", "/x", then(answer(0x4c, "window-1-empty")), check.OK, "prospero-object", check.Strong, "an empty directory"},
		{"neither object nor directory", "/x", then(answer(0x4c, "list-file")), check.Gone, "prospero-not-a-directory", check.Weak, ""},
		{"directory outside", "/x", then(answer(0x4c, "list-outside")), check.Auth, "prospero-not-authorized", check.Weak, ""},
		{"silence to the second question", "/x", then(), check.Undetermined, "no-udp-reply", check.None, ""},
		{"answer to another question", "/x", then(says(0x33, "FAILURE NOT-FOUND\n"), answer(0x4c, "probe-list")), check.OK, "prospero-object", check.Strong, ""},
		{"first packet of three, B9", "/x", asked(answer(0x4c, "window-1-retry")), check.OK, "prospero-object", check.Strong, "LINK L FILE"},
		{"not a directory", "/x", asked(answer(0x4c, "list-file")), check.Gone, "prospero-not-a-directory", check.Strong, ""},
		{"needs a password", "/x", asked(says(0x4c, "FAILURE AUTHENTICATION-REQUIRED\n")), check.Auth, "prospero-not-authorized", check.Weak, ""},
		{"no such attribute", "/x", asked(says(0x4c, "FAILURE NOT-FOUND ATTRIBUTE SIZE\n")), check.Reachable, "prospero-answer", check.Strong, ""},
		{"server failed", "/x", asked(says(0x4c, "FAILURE SERVER-FAILED\n")), check.Temporary, "prospero-server-failed", check.Weak, ""},
		{"other failure", "/x", asked(says(0x4c, "FAILURE UNIMPLEMENTED\n")), check.Reachable, "prospero-answer", check.Strong, ""},
		{"error, B10", "/x", asked(answer(0x4c, "unknown-command")), check.Undetermined, "prospero-answer", check.None, "ERROR Unknown message"},
		{"error for nothing, B10", "/x", asked(answer(0x4c, "empty-request")), check.Undetermined, "prospero-answer", check.None, "ERROR"},
		{"version not supported, 3.2", "/x", asked(answer(0x4c, "version-99")), check.Reachable, "prospero-answer", check.Strong, "VERSION-NOT-SUPPORTED"},
		{"empty answer, B6", "/x", asked(answer(0x4c, "version-5")), check.Reachable, "prospero-answer", check.Strong, ""},
		{"error without a header, B11", "/x", asked(all["garbage-binary"].answered[0]), check.Reachable, "prospero-answer", check.Weak, "ERROR"},
		{"connection id 0 is not ours", "/x", asked(all["version-cid0"].answered[0]), check.Undetermined, "no-udp-reply", check.None, ""},
		{"wrong connection id, then right", "/x", asked(says(0x77, "FAILURE NOT-FOUND\n"), says(0x4c, "ATTRIBUTE a\n")), check.OK, "prospero-object", check.Strong, ""},
		{"second packet before the first", "/x", asked([]byte("\x07\x4c\x4c\x00\x02\x00\x02FAILURE NOT-FOUND\n"), says(0x4c, "ATTRIBUTE a\n")),
			check.OK, "prospero-object", check.Strong, ""},
		{"queued, 3.4", "/x", asked([]byte("\x0b\x4c\x4c\x00\x00\x00\x00\x00\x01\x00\x3c")), check.Reachable, "prospero-answer", check.Weak, "the request was queued"},
		{"queued, then answered", "/x", asked([]byte("\x0b\x4c\x4c\x00\x00\x00\x00\x00\x01\x00\x3c"), says(0x4c, "ATTRIBUTE a\n")), check.OK, "prospero-object", check.Strong, ""},
		{"connection refused, 3.1", "/x", asked([]byte("\x0d\x4c\x4c\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01")), check.Undetermined, "prospero-answer", check.None, ""},
		{"redirected, 3.1", "/x", asked([]byte("\x13\x4c\x4c\x00\x00\x00\x00\x00\x00\x00\x00\x00\x04\x0a\x00\x00\x01\x05\xf5")), check.Reachable, "prospero-forwarded", check.Strong, ""},
		{"words of nobody", "/x", asked(says(0x4c, "hello\n")), check.Undetermined, "garbled", check.None, ""},
		{"archie query, 3.5", "ARCHIE/MATCH(1,0,0,0,0,=)", []step{{asked: version, answered: [][]byte{answer(0x4c, "version")}}}, check.Reachable, "prospero-answer", check.Strong, "VERSION 5"},
		{"no name", "", []step{{asked: version, answered: [][]byte{answer(0x4c, "reply-port-191")}}}, check.Reachable, "prospero-answer", check.Strong, "VERSION 5"},
		{"name with a quote", "it's", []step{{asked: info("it''s"), answered: [][]byte{says(0x4c, "FAILURE NOT-FOUND\n")}}}, check.Gone, "prospero-not-found", check.Strong, ""},
		{"name with an end of line", "a\nb", nil, check.Skipped, "control-character", check.None, ""},
		{"name that fits no packet", strings.Repeat("x", 1300), nil, check.Undetermined, "too-long", check.None, ""},
	} {
		c.run(t)
	}
}

// The version of the object that a URL names is asked for.
func TestObjectVersion(t *testing.T) {
	text := "VERSION\nGET-OBJECT-INFO ACCESS-METHOD+SIZE+LAST-MODIFIED ASCII '/x' 2\n"
	there := step{asked: request(firstID, text), answered: [][]byte{says(0x4c, "ATTRIBUTE a\n")}}
	at := server(t, there, there)
	u := &uri.Prospero{At: at, HSOName: "/x", Fields: []uri.Param{{Name: "OBJECT-VERSION", Value: "2"}}}
	r := New(check.Options{Dialer: dialer{}, Timeout: time.Second}).Probe(context.Background(), check.Target{URI: u})
	if r.Outcome != check.OK {
		t.Errorf("got %v(%s)", r.Outcome, r.Reason)
	}
}

// FORWARDED is followed, and the new address is suggested if the object is there.
func TestForwarded(t *testing.T) {
	for name, c := range map[string]struct {
		answer  string
		outcome check.Outcome
		reason  check.Reason
	}{
		"there":     {"ATTRIBUTE a\n", check.Moved, "prospero-forwarded"},
		"not there": {"FAILURE NOT-FOUND\n", check.Gone, "prospero-not-found"},
		"endless":   {"FORWARDED INTERNET-D 127.0.0.1 ASCII /z 0\n", check.Undetermined, "no-udp-reply"},
	} {
		t.Run(name, func(t *testing.T) {
			there := step{asked: info("/new name"), answered: [][]byte{says(0x4c, c.answer)}}
			second := server(t, there, there)
			line := "FORWARDED INTERNET-D 127.0.0.1(" + wire.Address(second)[len("127.0.0.1:"):] + ") ASCII '/new name' 0\n"
			here := step{asked: info("/x"), answered: [][]byte{says(0x4c, line)}}
			first := server(t, here, here)
			u := &uri.Prospero{At: first, HSOName: "/x"}
			r := New(check.Options{Dialer: dialer{}, Timeout: 300 * time.Millisecond}).Probe(context.Background(), check.Target{URI: u})
			if r.Outcome != c.outcome || r.Reason != c.reason {
				t.Errorf("got %v(%s) %q", r.Outcome, r.Reason, r.Reply)
			}
			to := "prospero://" + wire.Address(second) + "//new%20name"
			if !slices.ContainsFunc(r.Hops, func(h check.Hop) bool { return h.URL == to }) || (r.SuggestedURL == to) != (r.Outcome == check.Moved) {
				t.Errorf("hops %v, suggested %q, want %q", r.Hops, r.SuggestedURL, to)
			}
		})
	}
}
