package harvest

import (
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestParseRoot(t *testing.T) {
	for _, tt := range []struct{ word, uri, name, fault string }{
		{"https://Example.ORG", "https://example.org/", "example.org", ""},
		{"http://example.org:80/a/b.html#c", "http://example.org/a/b.html", "example.org", ""},
		{"OAI+https://h.example/oai?set=e&metadataPrefix=marc21", "oai+https://h.example/oai?set=e&metadataPrefix=marc21", "h.example", ""},
		{"sru+http://h.example:9999/db?query=a+b", "sru+http://h.example:9999/db?query=a+b", "h.example", ""},
		{"sitemap+https://h.example/s.xml", "sitemap+https://h.example/s.xml", "h.example", ""},
		{"Z39.50S://H.example:2100/a+b;rs=xml", "z39.50s://h.example:2100/a+b;rs=xml", "h.example", ""},
		{"z39.50r://h.example/books?17", "", "", "a root is one such as z39.50s://host/database"},
		{"z39.50s://h.example/", "", "", "a root is one such as z39.50s://host/database"},
		{"IMAPS://Mail.example:993/Entw%c3%bcrfe", "imaps://mail.example/Entw%C3%BCrfe", "mail.example", ""},
		{"imap://mail.example:1143/INBOX/old", "imap://mail.example:1143/INBOX/old", "mail.example", ""},
		{"imap://mail.example/", "", "", "no mailbox: a root is one such as imaps://host/INBOX"},
		{"imap://mail.example", "", "", "no mailbox: a root is one such as imaps://host/INBOX"},
		{"imap://mail.example/list;UIDVALIDITY=3/;UID=4", "", "", "no mailbox: a root is one such as imaps://host/INBOX"},
		{"imap://mail.example/list?SUBJECT%20maps", "", "", "no mailbox: a root is one such as imaps://host/INBOX"},
		{"imap://ann;AUTH=*@mail.example/list", "", "", "password-file"},
		{"https:/host.example/", "", "", "did you mean https://host.example/?"},
		{"https//host.example/", "", "", "did you mean https://host.example/?"},
		{"htp://host.example/", "", "", "did you mean http://host.example/?"},
		{"www.host.example", "", "", "did you mean https://www.host.example?"},
		{"http://ann:s3cret@h.example/", "", "", "password-file"},
		{"oai+http://ann@h.example/", "", "", "password-file"},
		{"telnet://h.example/", "", "", "there are ftp, gopher, http, https, imap, imaps, news, oai+http"},
		{"mailto:ann@h.example", "", "", "there are ftp, gopher, http, https, imap, imaps, news, oai+http"},
		{"info:doi/10.1000/1", "", "", "there are ftp, gopher, http, https, imap, imaps, news, oai+http"},
		{"oai+ftp://h.example/", "", "", "there are ftp, gopher, http, https, imap, imaps, news, oai+http"},
		{"wat+http://h.example/", "", "", "there are ftp, gopher, http, https, imap, imaps, news, oai+http"},
		{"http://", "", "", "is no URI"},
		{"catalogue.mrc", "", "", ErrPath.Error()},
		{"C:/mail", "", "", ErrPath.Error()},
		{"a:b", "", "", ErrPath.Error()},
		{"/srv/a:b", "", "", ErrPath.Error()},
		{"", "", "", ErrPath.Error()},
	} {
		r, err := ParseRoot(tt.word)
		if tt.fault == "" && (err != nil || r.URI != tt.uri || r.Name != tt.name) {
			t.Errorf("%q: got %q, %q, %v", tt.word, r.URI, r.Name, err)
		}
		if tt.fault != "" && (err == nil || !strings.Contains(err.Error(), tt.fault) || strings.Contains(err.Error(), "s3cret")) {
			t.Errorf("%q: got %q, %v, want %q", tt.word, r.URI, err, tt.fault)
		}
		if tt.fault == ErrPath.Error() && !errors.Is(err, ErrPath) {
			t.Errorf("%q: %v", tt.word, err)
		}
	}
	if r, _ := ParseRoot("oai+https://h.example/a+b?x=+"); r.Address() != "https://h.example/a+b?x=+" {
		t.Errorf("address %q", r.Address())
	}
	if r, _ := ParseRoot("https://h.example/a+b"); r.Address() != "https://h.example/a+b" {
		t.Errorf("address %q", r.Address())
	}
}

func TestSchedule(t *testing.T) {
	read := time.Date(2026, 11, 23, 2, 17, 30, 0, time.UTC) // a Monday
	for _, tt := range []struct{ word, next string }{
		{"1d", "2026-11-23T22:17:30Z"},
		{"7d", "2026-11-29T22:17:30Z"},
		{"2h", "2026-11-23T02:17:30Z"},
		{"monday", "2026-11-30T00:00:00Z"},
		{"Tuesday", "2026-11-24T00:00:00Z"},
		{"sunday", "2026-11-29T00:00:00Z"},
		{"month", "2026-12-01T00:00:00Z"},
		{"always", "2026-11-23T02:17:30Z"},
	} {
		s, err := ParseSchedule(tt.word)
		if got := s.Next(read).Format(time.RFC3339); err != nil || got != tt.next {
			t.Errorf("%s: %s, %v, want %s", tt.word, got, err, tt.next)
		}
		if !s.Next(time.Time{}).IsZero() {
			t.Errorf("%s: what was never read is not due", tt.word)
		}
	}
	for _, word := range []string{"", "d", "0d", "-1d", "1w", "1d ", "1.5d", "9999d", "someday", "1d1h"} {
		if s, err := ParseSchedule(word); err == nil {
			t.Errorf("%q is %v", word, s)
		}
	}
}

func TestInner(t *testing.T) {
	for _, tt := range []struct {
		outer, follow string
		all, inside   string
	}{
		{"http://h/", "", "http://h/ http://h/a/ https://h/a/b.html http://h:8080/a/ http://i/a/ ftp://h/a/ oai+http://h/a/", "http://h/a/ https://h/a/b.html"},
		{"http://h/a/", "", "http://h/ http://h/a http://h/ab/", ""},
		{"http://h/a/", "/b/", "http://h/b/ http://h/c/", "http://h/b/"},
		{"http://h/", "", "http://h/index.html", "http://h/index.html"},
		{"http://h/index.html", "", "http://h/", ""},
		{"http://h/", "", "sitemap+http://h/s.xml", "sitemap+http://h/s.xml"},
		{"http://h/a", "", "http://h/b", ""},
		{"http://h/b", "", "http://h/a", "http://h/a"},
		{"ftp://h/pub/", "", "ftp://h/pub/a/ ftp://h/b/ ftp://i/pub/a/", "ftp://h/pub/a/"},
		{"gopher://h/", "", "gopher://h/1/a gopher://h:7070/1/a", "gopher://h/1/a"},
		{"gopher://h/1/a", "", "gopher://h/ gopher://h/1/a/b", "gopher://h/1/a/b"},
		{"oai+http://h/", "", "oai+http://h/a/ http://h/a/", ""},
	} {
		root, err := ParseRoot(tt.outer)
		if err != nil {
			t.Fatal(err)
		}
		if tt.follow != "" {
			root.Follow = regexp.MustCompile(tt.follow)
		}
		var all []Root
		for word := range strings.FieldsSeq(tt.all) {
			other, err := ParseRoot(word)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, other, other)
		}
		if got := strings.Join(Inner(&root, all), " "); got != tt.inside {
			t.Errorf("in %s of %s: %q, want %q", tt.outer, tt.all, got, tt.inside)
		}
	}
}
