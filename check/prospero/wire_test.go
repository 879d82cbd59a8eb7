package prospero

import (
	"slices"
	"strings"
	"testing"

	"linkcheck/check/checktest"
	"linkcheck/uri"
)

// REAL-SERVERS B4 and B5.
func TestTokens(t *testing.T) {
	for _, c := range []struct {
		line string
		want []string
	}{
		{"", []string{""}},
		{"SIZE SEQUENCE 8' bytes'", []string{"SIZE", "SEQUENCE", "8 bytes"}},
		{"ASCII AFTP'/pub/rfc/rfc1.txt' 0", []string{"ASCII", "AFTP/pub/rfc/rfc1.txt", "0"}},
		{"LOCAL '' '' ''", []string{"LOCAL", "", "", ""}},
		{"LINK  L FILE", []string{"LINK", "", "L", "FILE"}},
		{"'it''s here' x", []string{"it's here", "x"}},
		{"'open", []string{"open"}},
		{"a'b'c'd'", []string{"abcd"}},
	} {
		if got := tokens(c.line); !slices.Equal(got, c.want) {
			t.Errorf("tokens(%q) = %q, want %q", c.line, got, c.want)
		}
	}
}

// PROTOCOLS 3.1: what is missing in a header has its default.
func TestParsePacket(t *testing.T) {
	for _, c := range []struct {
		in   string
		want packet
		ok   bool
	}{
		{"", packet{}, false},
		{"\x00", packet{}, false},
		{"\x02\x4c", packet{}, false},
		{"\x09\x4c\x4c", packet{}, false},
		{"\x01abc", packet{number: 1, text: "abc"}, true},
		{"\x03\x4c\x4babc", packet{number: 1, cid: 0x4c4b, text: "abc"}, true},
		{"\x04\x4c\x4b\x00abc", packet{number: 1, cid: 0x4c4b, text: "abc"}, true},
		{"\x07\x12\x34\x00\x02\x00\x03x", packet{number: 2, cid: 0x1234, text: "x"}, true},
		{"\x0d\x12\x34\x00\x00\x00\x00\x00\x00\x00\x05\x80\x01", packet{cid: 0x1234, wait: 5, option: 1}, true},
		{"ERROR x\n", packet{bare: true, number: 1, text: "ERROR x\n"}, true},
		{"HTTP/1.0 400\r\n", packet{bare: true, number: 1, text: "HTTP/1.0 400\r\n"}, false},
		{"\xff\xff", packet{bare: true, number: 1, text: "\xff\xff"}, false},
	} {
		if got, ok := parsePacket([]byte(c.in)); got != c.want || ok != c.ok {
			t.Errorf("parsePacket(%q) = %+v %v", c.in, got, ok)
		}
	}
}

func TestSuite(t *testing.T) {
	checktest.Run(t, checktest.Case{
		UDP:   true,
		New:   New,
		URL:   "prospero://{at}//x",
		Reply: string(says(0x4c, "VERSION 5 P53.17May94b\nFAILURE NOT-FOUND\n")),
		Lying: []string{"\x1f\x4c\x4c", "\x03\x4c", "\x07\x4c\x4c\xff\xff\xff\xffFAILURE NOT-FOUND\n",
			"\x0f\x4c\x4c\x00\x01\x00\x01\x00\x00\x00\x00\x08\x00\x00\x01", strings.Repeat("'", 1500), "\x03\x4c\x4c" + strings.Repeat("ATTRIBUTE", 200)},
		Control: []uri.URI{
			&uri.Prospero{At: uri.Endpoint{Host: "127.0.0.1", Port: 1}, HSOName: "a\nDELETE-LINK b"},
			&uri.Prospero{At: uri.Endpoint{Host: "127.0.0.1", Port: 1}, HSOName: "a\x00b"},
			&uri.Prospero{At: uri.Endpoint{Host: "127.0.0.1", Port: 1}, HSOName: "a", Fields: []uri.Param{{Name: "object-version", Value: "1\r\nX"}}},
		},
	})
}

// No datagram makes the readers panic or say what is not on the list, and a
// quoted name is one token again.
func FuzzPacket(f *testing.F) {
	for _, x := range recorded(f) {
		for _, b := range x.answered {
			f.Add(b)
		}
	}
	f.Add(says(0x4c, "FORWARDED INTERNET-D h(99999) ASCII '/new''name' 0\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		p, ok := parsePacket(b)
		if len(p.text) > len(b) {
			t.Fatalf("%d octets of %d", len(p.text), len(b))
		}
		if ok {
			if r := judge(p).result; r.Reason != "" {
				if _, known := r.Reason.Meaning(); !known {
					t.Errorf("reason %s", r.Reason)
				}
			}
		}
		if got := tokens(quote(string(b))); len(got) != 1 || got[0] != string(b) {
			t.Errorf("quoted %q became %q", b, got)
		}
	})
}
