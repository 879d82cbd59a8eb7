// Package pages makes a site of plain pages of Markdown files that name each other.
//
// Files, in reading order:
//   - pages.go: the site: what is read, who reads what, what is written
//   - render.go: one page: its links, its headings, its tables
//   - page.html, style.css: how a page looks
package pages

import (
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

//go:embed page.html
var pageText string

//go:embed style.css
var style []byte

var page = template.Must(template.New("page").Parse(pageText))

// home is the source of the first page.
const home = "INDEX.md"

// sections say for whom a page is, in the order of the list beside every page. What none
// names is for developers, but pages of verbs, to which those of the reference lead.
var sections = []struct {
	Title string
	Files []string
}{
	{"For librarians", []string{"LIBRARIANS.md", "MEND.md", "ARCHIVES.md", "LINT.md"}},
	{"For those who run it", []string{"OPERATIONS.md", "FLEET.md", "SECURITY.md", "BENCHMARKS.md", "CHANGELOG.md"}},
	{"Reference", []string{"reference.md", "flags.md", "reasons.md", "result-flags.md", "schemes.md", "linkcheck-exit-codes.md"}},
	{"For developers", []string{"CONTRIBUTING.md", "DESIGN.md", "GLOSSARY.md", "API.md"}},
}

// Page is one page as the template sees it.
type Page struct {
	File, Title string
	Body        template.HTML
	Contents    []Heading
	Sections    []Section
}

// Heading is one of a page, with its anchor.
type Heading struct {
	ID, Text string
	Level    int
}

// Section is a part of the list of pages.
type Section struct {
	Title string
	Links []Link
}

// Link is a page in that list; Here is set on the page itself.
type Link struct {
	File, Title string
	Here        bool
}

// Build makes a site in a folder, which is made, of Markdown files and of folders with such
// files and pictures. It returns the number of pages.
func Build(out string, sources []string) (int, error) {
	texts, pictures, err := read(sources)
	if err != nil {
		return 0, err
	}
	if texts[home] == nil {
		return 0, fmt.Errorf("there is no %s", home)
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return 0, err
	}
	list := make([]*Page, 0, len(texts))
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		p, err := render(name, texts[name], func(name string) bool { return texts[name] != nil })
		if err != nil {
			return 0, fmt.Errorf("%s: %w", name, err)
		}
		list = append(list, p)
	}
	for _, p := range list {
		p.Sections = sectionsOf(list, p.File)
		var b bytes.Buffer
		if err := page.Execute(&b, p); err != nil {
			return 0, err
		}
		if err := os.WriteFile(filepath.Join(out, p.File), b.Bytes(), 0o644); err != nil {
			return 0, err
		}
	}
	pictures["style.css"] = style
	for name, data := range pictures {
		if err := os.WriteFile(filepath.Join(out, name), data, 0o644); err != nil {
			return 0, err
		}
	}
	return len(list), nil
}

// read gives the Markdown files, and the pictures, by their names without folders.
func read(sources []string) (texts, pictures map[string][]byte, err error) {
	texts, pictures = map[string][]byte{}, map[string][]byte{}
	var names []string
	for _, source := range sources {
		info, err := os.Stat(source)
		if err != nil {
			return nil, nil, err
		}
		if !info.IsDir() {
			names = append(names, source)
			continue
		}
		inside, err := filepath.Glob(filepath.Join(source, "*"))
		if err != nil {
			return nil, nil, err
		}
		names = append(names, inside...)
	}
	for _, name := range names {
		into := pictures
		switch filepath.Ext(name) {
		case ".md":
			into = texts
		case ".png", ".svg":
		default:
			continue
		}
		base := filepath.Base(name)
		if into[base] != nil {
			return nil, nil, fmt.Errorf("there are two files %s", base)
		}
		if into[base], err = os.ReadFile(name); err != nil {
			return nil, nil, err
		}
	}
	return texts, pictures, nil
}

// fileOf is the page of a Markdown file.
func fileOf(source string) string {
	if source == home {
		return "index.html"
	}
	return strings.ToLower(strings.TrimSuffix(source, ".md")) + ".html"
}

// sectionsOf lists the pages for the reader of one of them.
func sectionsOf(list []*Page, here string) []Section {
	titles := map[string]string{}
	for _, p := range list {
		titles[p.File] = p.Title
	}
	var all []Section
	for _, s := range sections {
		section := Section{Title: s.Title}
		for _, name := range s.Files {
			if file := fileOf(name); titles[file] != "" {
				section.Links = append(section.Links, Link{file, titles[file], file == here})
				delete(titles, file)
			}
		}
		all = append(all, section)
	}
	delete(titles, fileOf(home))
	rest := &all[len(all)-1].Links
	for _, file := range slices.SortedFunc(maps.Keys(titles), func(a, b string) int { return cmp.Compare(titles[a], titles[b]) }) {
		if !strings.HasPrefix(file, "linkcheck") {
			*rest = append(*rest, Link{file, titles[file], file == here})
		}
	}
	return all
}
