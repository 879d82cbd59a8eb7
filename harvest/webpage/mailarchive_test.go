package webpage

import (
	"slices"
	"testing"
)

func TestMailArchives(t *testing.T) {
	for name, text := range map[string]string{
		"http://w.example/pipermail/list/1996-March/thread.html":            "http://w.example/pipermail/list/1996-March.txt",
		"http://w.example/pipermail/list/1996-March/000012.html":            "http://w.example/pipermail/list/1996-March.txt",
		"http://w.example/pipermail/list/Week-of-Mon-20260105/subject.html": "http://w.example/pipermail/list/Week-of-Mon-20260105.txt",
		"http://w.example/pipermail/list/2026q1/date.html":                  "http://w.example/pipermail/list/2026q1.txt",
		"http://w.example/pipermail/list/1996/author.html":                  "http://w.example/pipermail/list/1996.txt",
		"http://w.example/pipermail/list/1996-March/about.html":             "",
		"http://w.example/maps/thread.html":                                 "",
	} {
		got := append(MonthText(name), "")
		if got[0] != text {
			t.Errorf("the text of %s is %q", name, got[0])
		}
	}
	pages := []string{"/l/date.html", "/l/thread.html", "/l/author.html", "/m/maillist.html", "/m/threads.html", "/m/subject.html", "/x/thread.html", "/x/date.html"}
	linked := func(name string) bool { return slices.Contains(pages, name) }
	for name, other := range map[string]bool{"/l/date.html": false, "/l/thread.html": true, "/l/author.html": true, "/m/threads.html": true, "/m/maillist.html": false,
		"/x/thread.html": false, "/l/0012.html": false} {
		if IsOtherOrder(name, linked) != other {
			t.Errorf("%s lists in another order: %v", name, !other)
		}
	}
}

func TestPageHead(t *testing.T) {
	for page, want := range map[string]Head{
		`<title> A &amp;
 B </title><link rel="stylesheet" href=x><link rel="Canonical" href=" /a?b&amp;c ">`: {"A & B", "/a?b&c", ""},
		`<base href="/x/"><title>T</title><body><link rel=canonical href=/late>`:                                       {"T", "", "/x/"},
		`<link rel="canonical nofollow" href=/1><link rel=canonical href=/2><title><a href=x></title><title>T</title>`: {"<a href=x>", "/1", ""},
		``: {},
	} {
		if got := ReadHead([]byte(page)); got != want {
			t.Errorf("%q: %q", page, got)
		}
	}
}
