package gopher

import (
	"slices"
	"strings"
	"testing"

	"linkcheck/check"
	"linkcheck/uri"
)

// Whatever a server says, the judgement is one that the table knows, and
// nothing but an error of the server's own making is gone.
func FuzzJudge(f *testing.F) {
	for _, r := range rows {
		for _, s := range r.scripts {
			f.Add(r.item, r.plus != "", r.search != "", []byte(s))
		}
	}
	f.Add(byte('1'), true, false, []byte("--1\r\n3 x\r\n0a\tb\tc\t70\r\n"))
	f.Fuzz(func(t *testing.T, item byte, plus, words bool, answer []byte) {
		q := question{item: item, plus: plus, words: words}
		r, _ := q.judge(answer, nil)
		if r.Outcome == check.Unknown || r.Reason == "" {
			t.Errorf("no judgement of %q", answer)
		}
		if len(r.Reply) > 512 || strings.ContainsAny(r.Reply, "\r\n\t\x00") {
			t.Errorf("reply %q", r.Reply)
		}
		if r.Outcome == check.Gone && len(menu(answer)) > 0 && r.Reason == "gopher-error-item" {
			t.Errorf("gone with items: %q", answer)
		}
	})
}

// The URL of every item of a menu is plain ASCII without blanks.
func FuzzMenu(f *testing.F) {
	f.Add([]byte("0About\t0/About\tvm\t7070\t+\r\niinfo\tx\ty\t1\r\n.\r\n"))
	f.Add([]byte("hWeb\tURL:http://example.org/\t::1\t70\r\n"))
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, i := range menu(body) {
			if i.Port < 0 || i.Port > 65535 || i.isError() || i.isInfo() {
				t.Errorf("item %+v", i)
			}
			if s := escape(i.Selector); strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' }) {
				t.Errorf("selector %q", s)
			}
		}
	})
}

func TestRequest(t *testing.T) {
	str := func(s string) *string { return &s }
	for _, c := range []struct {
		u    uri.Gopher
		want string
		plus bool
	}{
		{uri.Gopher{Type: '0', Selector: "f"}, "f", false},
		{uri.Gopher{Type: '7', Selector: "/s", Search: str("")}, "/s\t", false},
		{uri.Gopher{Type: '7', Selector: "/s", Search: str("a b")}, "/s\ta b", false},
		{uri.Gopher{Type: '0', Selector: "f", Search: str(""), Plus: str("+")}, "f\t!", true},
		{uri.Gopher{Type: '0', Selector: "f", Search: str(""), Plus: str("")}, "f", false},
		{uri.Gopher{Type: '0', Selector: "f", Search: str(""), Plus: str("!+ABSTRACT +SMELL")}, "f\t!+ABSTRACT +SMELL", true},
		{uri.Gopher{Type: '0', Selector: "f", Plus: str("+text/plain\t1\r\n+-1\r\nx\r\n.\r\n")}, "f\t!", true},
		{uri.Gopher{Type: '7', Selector: "s", Search: str("w"), Plus: str("+")}, "s\tw\t+", true},
	} {
		if got, plus := requestOf(&c.u); got != c.want || plus != c.plus {
			t.Errorf("%+v: %q %v, want %q %v", c.u, got, plus, c.want, c.plus)
		}
	}
}

func TestLines(t *testing.T) {
	for body, want := range map[string][]string{
		"": nil, "a": {"a"}, "a\nb": {"a", "b"}, "a\r\n\r\nb\r\n": {"a", "", "b"}, "a\n.\nb": {"a"}, ".\r\n": nil, "..\n": {".."},
	} {
		if got := lines([]byte(body)); !slices.Equal(got, want) {
			t.Errorf("%q: %q", body, got)
		}
	}
}

// Only a short text that says no is doubted: a long one may be about such things.
func TestErrorTextIsShort(t *testing.T) {
	for n, want := range map[int]bool{20: true, shortText - 1: true, shortText: false, 10 * shortText: false} {
		text := "not found" + strings.Repeat("!", n-len("not found"))
		if _, is := judgeErrorText([]byte(text)); is != want {
			t.Errorf("%d octets: %v", n, is)
		}
		menu := question{item: '1'}.judgeMenu([]byte("i" + text + "\t\t\t0\r\n"))
		if (menu.Reason == "error-text") != want {
			t.Errorf("%d octets of information: %s", n, menu.Reason)
		}
	}
}
