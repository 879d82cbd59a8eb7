package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"
	"golang.org/x/net/html"

	"linkcheck/check"
	"linkcheck/internal/exit"
	"linkcheck/scripts/site/pages"
)

// buildSite makes the site of documentation, with the reference of this program.
func buildSite(t *testing.T) string {
	t.Helper()
	reference, site := filepath.Join(t.TempDir(), "reference"), filepath.Join(t.TempDir(), "site")
	if s := call(t.Context(), "", "man", "--reference", reference); s.code != exit.OK {
		t.Fatal(s)
	}
	n, err := pages.Build(site, []string{"../../docs", "../../SECURITY.md", "../../CONTRIBUTING.md", "../../CHANGELOG.md", reference})
	if err != nil || n < 60 {
		t.Fatalf("%d pages, %v", n, err)
	}
	return site
}

// sitePage is what the test looks at of a page.
type sitePage struct {
	ids                     map[string]bool
	titles, h1, navs, views int
	outside                 []string // elements that fetch something from elsewhere, or run
}

func readPage(t *testing.T, name string) sitePage {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	p := sitePage{ids: map[string]bool{}}
	for z := html.NewTokenizer(bytes.NewReader(text)); ; {
		switch z.Next() {
		case html.ErrorToken:
			return p
		case html.StartTagToken, html.SelfClosingTagToken:
		default:
			continue
		}
		tag := z.Token()
		switch tag.Data {
		case "title":
			p.titles++
		case "h1":
			p.h1++
		case "nav":
			p.navs++
		case "script", "iframe", "style", "object":
			p.outside = append(p.outside, tag.String())
		}
		for _, a := range tag.Attr {
			switch {
			case a.Key == "id" && p.ids[a.Val]:
				t.Errorf("%s: two places are called %s", filepath.Base(name), a.Val)
			case a.Key == "id":
				p.ids[a.Val] = true
			case a.Key == "name" && a.Val == "viewport":
				p.views++
			case (a.Key == "src" || a.Key == "href" && tag.Data == "link") && strings.Contains(a.Val, "/"), strings.HasPrefix(a.Key, "on"):
				p.outside = append(p.outside, tag.String())
			}
		}
	}
}

// TestSite: the site of documentation has every verb, flag, reason, flag of a result and scheme of this
// program; each page stands by itself; and linkcheck finds each of its links in it.
func TestSite(t *testing.T) {
	site := buildSite(t)
	names, err := filepath.Glob(filepath.Join(site, "*.html"))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]sitePage{}
	for _, name := range names {
		p := readPage(t, name)
		all[filepath.Base(name)] = p
		if p.titles != 1 || p.h1 != 1 || p.navs != 1 || p.views != 1 || len(p.outside) > 0 {
			t.Errorf("%s: %+v", filepath.Base(name), p)
		}
	}
	flags := 0
	for _, verb := range everyVerb(newRoot(&app{})) {
		page := strings.ReplaceAll(verb.CommandPath(), " ", "-") + ".html"
		if all[page].h1 == 0 {
			t.Errorf("the site lacks %s", page)
		}
		verb.NonInheritedFlags().VisitAll(func(f *pflag.Flag) {
			if f.Hidden || f.Name == "help" {
				return
			}
			if flags++; !all[page].ids[f.Name] {
				t.Errorf("%s lacks --%s", page, f.Name)
			}
		})
	}
	for page, list := range map[string][]check.Meaning{"reasons.html": check.Reasons(), "result-flags.html": check.Flags()} {
		for _, m := range list {
			if !all[page].ids[strings.Trim(strings.ReplaceAll(m.Code, "*", ""), "-")] {
				t.Errorf("%s lacks %s", page, m.Code)
			}
		}
	}
	if flags < 200 || len(all["schemes.html"].ids) < 60 {
		t.Errorf("%d flags, %d schemes", flags, len(all["schemes.html"].ids))
	}
	siteLinks(t, site, all)
}

// siteLinks holds that each link of the site leads to a page of it, and to a place that is there.
func siteLinks(t *testing.T, site string, all map[string]sitePage) {
	t.Helper()
	const address = "https://docs.example.org/"
	s := call(t.Context(), "", "extract", "--jsonl", "--map", site+"="+address, site)
	if s.code != exit.OK {
		t.Fatal(s)
	}
	inside := 0
	for line := range strings.Lines(s.out) {
		var row struct{ URI, Target, File string }
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatal(err)
		}
		rest, ours := strings.CutPrefix(row.URI, address)
		if !ours {
			continue
		}
		inside++
		page, place, _ := strings.Cut(rest, "#")
		if row.Target == "" || place != "" && !all[page].ids[place] {
			t.Errorf("%s leads to %s, which is not there", filepath.Base(row.File), rest)
		}
	}
	if inside < 1000 {
		t.Errorf("only %d links", inside)
	}
}
