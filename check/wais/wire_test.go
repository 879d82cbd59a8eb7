package wais

import (
	"bufio"
	"bytes"
	"strings"
	"testing"

	"linkcheck/check"
	"linkcheck/check/checktest"
	"linkcheck/uri"
)

// PROTOCOLS 2.4 and 2.5: what lynx sends, but for its other limits.
func TestRequests(t *testing.T) {
	docid, ok := libwwwID("1=abc;3=x;")
	if !ok || string(docid) != "\x01\x03abc\x03\x01x" {
		t.Fatalf("docid %q", docid)
	}
	for name, c := range map[string]struct{ got, want string }{
		"init": {string(initRequest()), "0000000048z2wais        0\x00\x2e\x14\x03\x01\x80\x04\x01\x80\x05\x02\xff\xff\x06\x02\xff\xff" +
			"\x07\x09linkcheck\x08\x02LC\x09\x09linkcheck\x0a\x030.1"},
		"search": {string(searchRequest("wais-discussion-archives", "lynch")), "0000000059z2wais        0\x00\x2a\x16\x00\x00\x1e\x00\x13\x88\x00\x00\x1e\x01\x11\x00" +
			"\x12\x18wais-discussion-archives\x14\x013c\x0d\x6a\x05lynch\x6f\x01\x01\x72\x01\x01"},
		"retrieval": {string(retrievalRequest("db", "TEXT", docid)), "0000000155z2wais        0\x00\x2b\x16\x00\x00\x0a\x00\x00\x10\x00\x00\x0f\x01\x11\x03FOO\x12\x02db\x14\x011" +
			"\x13\x0f \x1fDocument Text\x02\x013\x15\x6c\x2c\x11un re ig ig ig ig\x2d\x08\x01\x03abc\x03\x01x\x2c\x11wt re ig ig ig ig\x2d\x04TEXT\x2e\x01a" +
			"\x2c\x11wb ro ig ig ig ig\x2d\x010\x2e\x01a\x2c\x11wb rl ig ig ig ig\x2d\x0264\x2e\x01a"},
	} {
		if c.got != c.want {
			t.Errorf("%s:\n got %q\nwant %q", name, c.got, c.want)
		}
	}
}

// PROTOCOLS 2.6, REAL-SERVERS A6 and A14.
func TestDocID(t *testing.T) {
	for _, c := range []struct {
		raw, path string
		want      string
		ok        bool
	}{
		{"1=quake.think.com%3A210;2=db;3=/x;", "", "\x01\x13quake.think.com:210\x02\x02db\x03\x02/x", true},
		{"2=db;3=0%2079%20/x%3Dy%3B", "", "\x02\x02db\x03\x0a0 79 /x=y;", true},
		{"%02%02db%03%02%2Fx", "\x02\x02db\x03\x02/x", "\x02\x02db\x03\x02/x", true},
		{"3=/x;", "3=/x;", "", false},
		{"1=h;2=db;", "1=h;2=db;", "", false},
		{"11=h;2=db;3=x;", "11=h;2=db;3=x;", "", false},
		{"2=db;3=%zz;", "2=db;3=%zz;", "", false},
		{"doc1", "doc1", "", false},
		{"garbage", "garbage", "", false},
		{"", "", "", false},
	} {
		got, ok := docidOf(c.raw, c.path)
		if ok != c.ok || ok && string(got) != c.want {
			t.Errorf("docidOf(%q) = %q %v, want %q %v", c.raw, got, ok, c.want, c.ok)
		}
	}
}

func TestCompressed(t *testing.T) {
	for _, n := range []int{0, 1, 99, 127, 128, 150, 153, 16383, 16384, 1 << 20} {
		f := fields{compressed(n)}
		if got, ok := f.integer(); !ok || got != n || len(f.rest) != 0 {
			t.Errorf("%d became %d %v, %d octets left", n, got, ok, len(f.rest))
		}
	}
}

// Every answer that was recorded can be read.
func TestRecordedAnswers(t *testing.T) {
	read := 0
	for name, turns := range recorded(t) {
		for _, turn := range turns {
			if turn.who != 'S' || turn.octets == nil || name == "init" {
				continue
			}
			body, err := readMessage(bufio.NewReader(bytes.NewReader(turn.octets)))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			a, err := parseAnswer(body)
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			for _, h := range a.headers {
				if h.kind == "" || h.headline == "" || len(h.docid) == 0 {
					t.Errorf("%s: header %+v", name, h)
				}
				if want := strings.Contains(name, "nohit") || name == "help2" || name == "field"; h.catalogue() != want {
					t.Errorf("%s: catalogue %v", name, h.catalogue())
				}
			}
			read++
		}
	}
	if read < 20 {
		t.Errorf("only %d answers", read)
	}
}

func TestSuite(t *testing.T) {
	head := func(n, body string) string { return n + "z2wais        0" + body }
	checktest.Run(t, checktest.Case{
		New:   New,
		URL:   "wais://{at}/db/TEXT/" + simple,
		Reply: string(recorded(t)["init"][1].octets),
		Lying: []string{
			head("9999999999", "x"), head("0999999999", "x"), head("0001048577", "x"), head("0000000010", "ab"),
			head("0000000003", "\x00\xff\x15"), head("0000000002", "\x00\x00"), head("-000000001", ""), head("0000000000", ""),
			head("0000000005", "\x00\x03\x17\x01\x00"), head("0000000004", "\x00\x01\x15\x63"),
			strings.Repeat("0", 4000),
		},
		Control: []uri.URI{
			database("a\r\nQUIT"), database("a\x00"), search("a", "b\nc"), document("a", "TEXT\r", simple),
			document("a", "TEXT", "2=db;3=x%0D%0AQUIT;"), document("a", "TEXT", "2=db;3=x;7=%0A;"), document("a", "TEXT", "2=d%00b;3=x;"),
			&uri.WAIS{Form: uri.WAISDocument, Database: "a", Type: "TEXT", Path: "\x02\x02db\x03\x03x\ny"},
		},
	})
}

// No octets make the readers panic, or give more than they were given.
func FuzzAnswer(f *testing.F) {
	for _, turns := range recorded(f) {
		for _, turn := range turns {
			f.Add(turn.octets)
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		body, err := readMessage(bufio.NewReader(bytes.NewReader(b)))
		if err != nil {
			body = b
		}
		if len(body) > len(b) {
			t.Fatalf("%d octets of %d", len(body), len(b))
		}
		parseInit(body)
		a, err := parseAnswer(body)
		if err != nil {
			return
		}
		for _, h := range a.headers {
			h.catalogue()
		}
		for _, r := range []check.Result{judgeDatabase(a), judgeWords(a), judgeDocument(a)} {
			if _, known := r.Reason.Meaning(); !known {
				t.Errorf("reason %s", r.Reason)
			}
		}
	})
}

// A document id either keeps its shape or is not sent.
func FuzzDocID(f *testing.F) {
	f.Add(simple, simple)
	f.Add(quake2, "")
	f.Add("%02", "\x02\x02db\x03\x02/x")
	f.Fuzz(func(t *testing.T, raw, path string) {
		docid, ok := docidOf(raw, path)
		if !ok {
			return
		}
		if _, has := docidField(docid, fieldLocalID); !has {
			t.Errorf("%q has no local id", docid)
		}
	})
}
