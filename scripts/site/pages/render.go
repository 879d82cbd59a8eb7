package pages

import (
	"bytes"
	"errors"
	"fmt"
	"html/template"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// markdown reads the papers. What looks like an element there is text.
var markdown = goldmark.New(
	goldmark.WithParser(parser.NewParser(
		parser.WithBlockParsers(without(parser.DefaultBlockParsers(), parser.NewHTMLBlockParser())...),
		parser.WithInlineParsers(without(parser.DefaultInlineParsers(), parser.NewRawHTMLParser())...),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
	)),
	goldmark.WithExtensions(extension.Table),
	goldmark.WithParserOptions(parser.WithAutoHeadingID(), parser.WithAttribute()),
)

func without(list []util.PrioritizedValue, one any) []util.PrioritizedValue {
	return slices.DeleteFunc(list, func(v util.PrioritizedValue) bool { return v.Value == one })
}

// render makes a page of the Markdown of a file. has says whether a file is of the site.
func render(name string, source []byte, has func(string) bool) (*Page, error) {
	doc := markdown.Parser().Parse(text.NewReader(source))
	p := &Page{File: fileOf(name)}
	if err := ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			return ast.WalkContinue, p.heading(n, source)
		case *ast.Link:
			if to, anchor, _ := strings.Cut(string(n.Destination), "#"); has(path.Base(to)) {
				n.Destination = []byte(address(path.Base(to), anchor))
			}
			return ast.WalkSkipChildren, nil
		case *ast.CodeSpan:
			return ast.WalkSkipChildren, nil
		}
		return ast.WalkContinue, nil
	}); err != nil {
		return nil, err
	}
	linkNames(doc, source, name, has)
	if p.Title == "" {
		return nil, errors.New("it has no title")
	}
	var b bytes.Buffer
	if err := markdown.Renderer().Render(&b, source, doc); err != nil {
		return nil, err
	}
	p.Body = template.HTML(framed(b.String()))
	return p, nil
}

// heading takes a heading for the title, or into the contents.
func (p *Page) heading(n *ast.Heading, source []byte) error {
	words := plain(n, source)
	if n.Level == 1 {
		if p.Title != "" {
			return fmt.Errorf("it has two titles: %q", words)
		}
		p.Title = words
		return nil
	}
	id, _ := n.AttributeString("id")
	anchor, ok := id.([]byte)
	if !ok {
		return fmt.Errorf("the heading %q has no anchor", words)
	}
	p.Contents = append(p.Contents, Heading{string(anchor), words, n.Level})
	return nil
}

// plain is the text of a node.
func plain(n ast.Node, source []byte) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			b.Write(c.Segment.Value(source))
		default:
			b.WriteString(plain(c, source))
		}
	}
	return b.String()
}

func address(file, anchor string) string {
	if anchor != "" {
		anchor = "#" + anchor
	}
	return fileOf(file) + anchor
}

// linkNames makes links of the names of other pages that stand in backquotes, as the papers
// name each other: `docs/DESIGN.md`, or `DESIGN.md` beside it.
func linkNames(doc ast.Node, source []byte, self string, has func(string) bool) {
	var named []ast.Node
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if _, link := n.(*ast.Link); link {
			return ast.WalkSkipChildren, nil
		}
		if file := path.Base(plain(n, source)); entering && n.Kind() == ast.KindCodeSpan && file != self && has(file) {
			named = append(named, n)
		}
		return ast.WalkContinue, nil
	})
	for _, n := range named {
		link := ast.NewLink()
		link.Destination = []byte(address(path.Base(plain(n, source)), ""))
		n.Parent().ReplaceChild(n.Parent(), n, link)
		link.AppendChild(link, n)
	}
}

// A table or a block of code may be wider than a telephone: it scrolls in a frame of its own,
// which the keyboard can reach.
var wide = regexp.MustCompile(`(?s)<table>.*?</table>|<pre>`)

func framed(body string) string {
	return wide.ReplaceAllStringFunc(body, func(found string) string {
		if found == "<pre>" {
			return `<pre tabindex="0">`
		}
		return `<div class="wide" role="group" aria-label="Table" tabindex="0">` + found + "</div>"
	})
}
