package repair

import "testing"

func TestRepair(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"www.x.test/a", "http://www.x.test/a"}, {"ftp.wells.test/pub/", "ftp://ftp.wells.test/pub/"}, {"gopher.x.test", "gopher://gopher.x.test"},
		{"lib.x.test:8080/a", "http://lib.x.test:8080/a"}, {"h.ac.uk/x", "http://h.ac.uk/x"}, {"www.museum.wien", "http://www.museum.wien"},
		{"http:/www.x.test/a", "http://www.x.test/a"}, {"http//www.x.test/a?b=c", "http://www.x.test/a?b=c"}, {"HTTP:www.x.test", "http://www.x.test"},
		{`http:\\www.x.test\a\b`, "http://www.x.test/a/b"}, {"http;//www.x.test/", "http://www.x.test/"}, {"http:// www.x.test /a", "http://www.x.test/a"}, {"http://%20www.x.test/a", "http://www.x.test/a"},
		{"https//:www.x.test/", "https://www.x.test/"}, {"http:///www.x.test/", "http://www.x.test/"}, {"ftp:ftp.x.test/pub", "ftp://ftp.x.test/pub"},
		{"htp://www.x.test/a", "http://www.x.test/a"}, {"ttp://x.test.org/a", "http://x.test.org/a"}, {"hppt://www.x.test/", "http://www.x.test/"},
		{"hppt:www.x.test/", "http://www.x.test/"}, {"htps://www.x.test/", "https://www.x.test/"}, {"HTTTP//www.x.test/", "http://www.x.test/"},
		{"http://http://www.x.test/a", "http://www.x.test/a"}, {"http://https://www.x.test/a", "https://www.x.test/a"}, {"http://http//www.x.test/a", "http://www.x.test/a"},
		{"htp://http://www.x.test/a", "http://www.x.test/a"}, {"fpt://ftp.x.test/pub", "ftp://ftp.x.test/pub"},
		{"10.1000/182", "https://doi.org/10.1000/182"},
		// What stands for nothing sure stays as it is.
		{"file.pdf", ""}, {"index.ps", ""}, {"Online text", ""}, {"/pub/a", ""}, {"http://", ""}, {"a.b", ""}, {"www.x.test/a b", ""}, {"http:x", ""},
		{"http://www.x.test/", ""}, {"nosuch:thing", ""}, {"htp://nohost/", ""}, {"xttp://www.x.test/", ""}, {"http://http/x", ""}, {"", ""},
	} {
		got, ok := Slips(c.text)
		if want := c.want; ok != (want != "") || ok && got != want {
			t.Errorf("Slips(%q) = %q, %v, want %q", c.text, got, ok, want)
		}
	}
}
