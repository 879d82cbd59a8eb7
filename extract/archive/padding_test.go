package archive_test

import (
	"slices"
	"strings"
	"testing"

	"linkcheck/extract/doc"
	"linkcheck/extract/extracttest"
	"linkcheck/internal/testdoc"
)

// What stands before and behind an archive: zeros of a tape or a block device are
// padding, programs unpack what follows them, all else is told.
func TestPadding(t *testing.T) {
	zeros, noise := strings.Repeat("\x00", 10240), "\x7f\x00\x01"+strings.Repeat("\x80\x00\x9f", 2000)
	text := testdoc.Gzip("http://a.example/\n")
	tar, zip := testdoc.Tar(t, "a.txt", "http://a.example/"), testdoc.Zip(t, "a.txt", "http://a.example/")
	record := testdoc.Gzip(testdoc.WARC("resource", "x:y", "text/plain", "http://a.example/"))
	const one = "link http://a.example/"
	for _, c := range []struct {
		name, file, data string
		want             []string // links and damage
	}{
		{"gzip, RFC 1952 section 2.2", "a.txt.gz", text + text, []string{one, one}},
		{"gzip and zeros", "a.txt.gz", text + zeros, []string{one}},
		{"gzip and one zero", "a.txt.gz", text + "\x00", []string{one}},
		{"members between zeros", "a.txt.gz", text + zeros + text + zeros, []string{one, one}},
		{"gzip and garbage", "a.txt.gz", text + "garbage, no member", []string{one, "damage: a.txt.gz: gzip: invalid header"}},
		{"gzip, zeros and garbage", "a.txt.gz", text + zeros + "garbage, no member", []string{one, "damage: a.txt.gz: gzip: invalid header"}},
		{"gzip and the beginning of a member", "a.txt.gz", text + text[:5], []string{one, "damage: a.txt.gz: unexpected EOF"}},
		{"gzip in gzip, both with zeros", "a.txt.gz.gz", testdoc.Gzip(text+zeros) + zeros, []string{one}},
		{"web archive and zeros", "a.warc.gz", record + zeros + record + zeros, []string{one, one}},
		{"web archive and garbage", "a.warc.gz", record + "garbage" + record, []string{one, "damage: a.warc.gz: offset 145: bytes between records that are no record: passed over", one}},
		{"tar and zeros", "a.tar", tar + zeros, []string{one}},
		{"tar and what the buffer held", "a.tar", tar + noise, []string{one}},
		{"tar behind tar", "a.tar", tar + zeros + tar, []string{one, one}},
		{"packed tars", "a.tgz", testdoc.Gzip(tar) + testdoc.Gzip(tar) + zeros, []string{one, one}},
		{"zip and zeros", "a.zip", zip + zeros, []string{one}},
		{"zip behind a program", "a.exe", "MZ\x90\x00" + noise + zip, []string{one}},
		{"zip behind a program of DOS", "a.exe", "MZ\x00\x01" + noise + zip, []string{one}},
		{"zip behind a script", "a.zip", "#!/bin/sh\nexec unzip $0\n" + noise + zip, []string{one}},
		{"zip once split, APPNOTE.TXT 8.5.4", "a.zip", "PK00" + zip, []string{one}},
		{"zip of nothing", "a.zip", "PK\x05\x06" + strings.Repeat("\x00", 18), nil},
		{"program", "a.exe", "MZ\x90\x00" + noise, nil},
		{"tar called a zip", "a.zip", tar, []string{one}},
		{"picture called a zip", "a.zip", "GIF89a" + noise, nil},
		{"called a zip", "a.zip", noise, []string{"damage: a.zip: zip: zip: not a valid zip file"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := extracttest.Findings(c.file, c.data, doc.Options{}, func(*doc.Found) string { return "link" })
			if !slices.Equal(got, c.want) {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

// A zip that fits into the buffer is read where it stands: an archive may hold 100,000, and
// a file for each would cost more than all else.
func TestSmallZipsAreNoFiles(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir()+"/missing")
	small, large := testdoc.Zip(t, "a.txt", "http://a.example/"), strings.Repeat("\x00", 2*doc.ReaderSize)
	for data, want := range map[string]int{small: 1, testdoc.Tar(t, "a.zip", small, "b.exe", "MZ\x00\x01"+small): 2, "MZ\x90\x00": 0} {
		if got := whole(t, "a.zip", strings.NewReader(data), doc.Options{}); got != want {
			t.Errorf("%.20q: %d links, want %d", data, got, want)
		}
	}
	if got := extracttest.Rows("a.zip", small+large, doc.Options{}); len(got) != 1 || !strings.HasPrefix(got[0], "damage: ") {
		t.Errorf("a large one needs a temporary file: %q", got)
	}
}
