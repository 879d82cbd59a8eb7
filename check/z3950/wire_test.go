package z3950

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
)

// The worked octets of PROTOCOLS 1.2 to 1.6.
func TestRequests(t *testing.T) {
	for _, c := range []struct {
		name string
		got  []byte
		want string
	}{
		{"init", initRequest(true, oneRecord), "b430 830205e0 840206c0 8503010000 8603010000 9f6e09 6c696e6b636865636b 9f6f09 6c696e6b636865636b 9f7003 302e31"},
		{"init of version 2", initRequest(false, oneRecord), "b430 830205c0 840206c0 8503010000 8603010000 9f6e09 6c696e6b636865636b 9f6f09 6c696e6b636865636b 9f7003 302e31"},
		{"search", searchRequest([]string{"Default"}, "elecworld.v30.n19", true), `b65f 8d0100 8e0101 8f0100 9001ff 910764656661756c74
			b20a 9f690744656661756c74 b53c a13a 06072a8648ce130301 a02f bf662c bf2c15 30099f7801019f79020408 30089f7801049f790168
			9f2d11 656c6563776f726c642e7633302e6e3139`},
		{"search without structure", searchRequest([]string{"a", "b"}, "x", false), `b643 8d0100 8e0101 8f0100 9001ff 910764656661756c74
			b208 9f690161 9f690162 b522 a120 06072a8648ce130301 a015 bf6612 bf2c0b 30099f7801019f79020408 9f2d0178`},
		{"present", presentRequest(1, 1, "f", syntaxOID([]string{"marc"})), "b81f 9f1f0764656661756c74 9e0101 9d0101 b303800166 9f68072a8648ce13050a"},
		{"close", closeRequest(), "bf3005 9f81530100"},
	} {
		if want := octets(t, c.want); !bytes.Equal(c.got, want) {
			t.Errorf("%s:\n got %x\nwant %x", c.name, c.got, want)
		}
	}
}

func TestSyntaxOID(t *testing.T) {
	for _, c := range []struct {
		names string
		want  string
	}{
		{"marc", "2a8648ce13050a"}, {"USmarc", "2a8648ce13050a"}, {"SUTRS", "2a8648ce130565"}, {"grs-1", "2a8648ce130569"},
		{"xml", "2a8648ce13056d0a"}, {"nonsense sutrs", "2a8648ce130565"}, {"1.2.840.10003.5.10", "2a8648ce13050a"},
		{"300", "2a8648ce1305822c"}, {"nonsense", ""}, {"", ""},
	} {
		if got := syntaxOID(strings.Fields(c.names)); got != string(octets(t, c.want)) {
			t.Errorf("syntaxOID(%q) = %x, want %s", c.names, got, c.want)
		}
	}
}

// A reader must take long and indefinite lengths, tags over 30 and nothing more.
func TestReadAPDU(t *testing.T) {
	deep := strings.Repeat("b580", maxDepth) + strings.Repeat("0000", maxDepth)
	many := "b580" + strings.Repeat("810141", maxNodes) + "0000"
	for _, c := range []struct {
		name, in string
		want     error
	}{
		{"short", "b503 8c0101", nil},
		{"long length", "b58103 8c0101", nil},
		{"longer length", "b584000000038c0101", nil},
		{"indefinite", "b580 8c0101 0000", nil},
		{"indefinite within definite", "b509 a180 8c0101 0000 8101", errBadBER},
		{"indefinite in definite", "b507 a180 8c0101 0000", nil},
		{"tag over 30", "bf300a 9f81530100 8303616263", nil},
		{"tag 211", "bf3005 9f81530100", nil},
		{"nothing", "", io.EOF},
		{"only a tag", "b5", io.ErrUnexpectedEOF},
		{"cut in the length", "b582", io.ErrUnexpectedEOF},
		{"cut in the body", "b510 8c0101", io.ErrUnexpectedEOF},
		{"no end of contents", "b580 8c0101", io.ErrUnexpectedEOF},
		{"length of 1 GiB", "b58440000000", errTooBig},
		{"length of 127 octets", "b5ff" + strings.Repeat("ff", 127), errTooBig},
		{"child longer than its parent", "b503 8c7f01", errBadBER},
		{"primitive of indefinite length", "9580", errBadBER},
		{"stray end of contents", "0000", errBadBER},
		{"endless tag", "bfffffffffff", errBadBER},
		{"too deep", deep, errTooDeep},
		{"too many", many, errTooBig},
	} {
		n, err := readAPDU(bufio.NewReader(bytes.NewReader(octets(t, c.in))))
		if !errors.Is(err, c.want) {
			t.Errorf("%s: error %v, want %v", c.name, err, c.want)
		}
		if (n == nil) != (err != nil) {
			t.Errorf("%s: element %v beside error %v", c.name, n, err)
		}
	}
}

// The recorded answers: what a real server says is read as it was meant.
func TestRecordedAnswers(t *testing.T) {
	all := recorded(t)
	read := func(name string) *node {
		t.Helper()
		in := bufio.NewReader(bytes.NewReader(all[name]))
		n, err := readAPDU(in)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if in.Buffered() > 0 {
			t.Fatalf("%s: %d octets left over", name, in.Buffered())
		}
		return n
	}
	for name, want := range map[string]initResponse{
		"zebra-init":         {accepted: true, v3: true, server: "Zebra Information Server/GFS/YAZ 2.2.7/5.34.0 dec0c8a0b762132468cc8264c1b220eae1c67bd7"},
		"ztest-init":         {accepted: true, v3: true, server: "GFS/YAZ 5.34.0 dec0c8a0b762132468cc8264c1b220eae1c67bd7"},
		"zebra-no-password":  {v3: true, diag: &diagnostic{1011, ""}},
		"zebra-bad-password": {v3: true, diag: &diagnostic{1011, "alice"}},
	} {
		got, ok := parseInit(read(name))
		if !ok || got.accepted != want.accepted || got.v3 != want.v3 || want.server != "" && got.server != want.server {
			t.Errorf("%s: %+v %v", name, got, ok)
		}
		if (got.diag == nil) != (want.diag == nil) || got.diag != nil && got.diag.code != want.diag.code {
			t.Errorf("%s: diagnostic %+v, want %+v", name, got.diag, want.diag)
		}
	}
	for name, want := range map[string]searchResponse{
		"zebra-one-hit": {hits: 1}, "ztest-one-hit": {hits: 1}, "zebra-no-hit": {}, "ztest-no-hit": {},
		"zebra-109": {diag: &diagnostic{109, "nosuch"}}, "zebra-114": {diag: &diagnostic{114, "9999"}},
		"ztest-two-databases": {diag: &diagnostic{23, ""}},
	} {
		got, ok := parseSearch(read(name))
		if !ok || got.hits != want.hits || (got.diag == nil) != (want.diag == nil) || got.diag != nil && *got.diag != *want.diag {
			t.Errorf("%s: %+v %v, want %+v", name, got, ok, want)
		}
	}
	for name, code := range map[string]int{"zebra-record": 0, "ztest-record": 0, "zebra-out-of-range": 13} {
		d, ok := parsePresent(read(name))
		if !ok || (d != nil) != (code != 0) || d != nil && d.code != code {
			t.Errorf("%s: %+v %v, want diagnostic %d", name, d, ok, code)
		}
	}
}

// No octets make the reader panic or hold more than its limit; it takes from
// the stream the one element that it gives, no octet more; and what is written
// is read again.
func FuzzReadAPDU(f *testing.F) {
	for _, b := range recorded(f) {
		f.Add(b)
	}
	f.Add(searchRequest([]string{"a", "b"}, "x", true))
	f.Fuzz(func(t *testing.T, b []byte) {
		in := bytes.NewReader(b)
		n, err := readAPDU(in)
		taken := len(b) - in.Len()
		if taken > maxAPDU {
			t.Errorf("read %d octets", taken)
		}
		if err == nil {
			again := bytes.NewReader(b[:taken])
			if m, err := readAPDU(again); err != nil || again.Len() != 0 || !reflect.DeepEqual(n, m) {
				t.Errorf("the octets of the element alone: %v, %d left", err, again.Len())
			}
			parseInit(n)
			parseSearch(n)
			parsePresent(n)
			closedBy(n)
		}
		if len(b) > maxAPDU/2 {
			return
		}
		request, err := readAPDU(bytes.NewReader(searchRequest([]string{string(b)}, string(b), true)))
		if err != nil {
			t.Fatal(err)
		}
		docid := request.child(21).child(1).child(0).child(102).child(45).text()
		if docid != string(b) || request.child(18).child(105).text() != string(b) {
			t.Errorf("docid %q came back as %q", b, docid)
		}
	})
}

// Lengths have the shortest form up to 255 octets, and four octets above, as in the
// requests that servers were seen to read.
func TestLengths(t *testing.T) {
	for size, want := range map[int]string{0: "8d00", 0x7f: "8d7f", 0x80: "8d8180", 0xff: "8d81ff", 0x100: "8d8400000100", 0x12345: "8d8400012345"} {
		body := bytes.Repeat([]byte{'x'}, size)
		if got, want := prim(13, body...), append(octets(t, want), body...); !bytes.Equal(got, want) {
			t.Errorf("%d octets begin with %.6x, want %.6x", size, got, want)
		}
	}
}
