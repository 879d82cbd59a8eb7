// Package words is the catalogue of what reports say: sentences and words, one file
// a language (en.txt, de.txt), and how the language writes numbers and days. Codes
// are never translated; they are parts of the keys.
package words

import (
	"cmp"
	"embed"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
)

//go:embed *.txt
var files embed.FS

// Languages lists the languages of reports.
func Languages() []string { return []string{"en", "de"} }

// Catalogue holds the texts of one language by key. It is safe for concurrent use.
type Catalogue struct {
	Lang  string
	tag   language.Tag
	texts map[string]string
}

// Open reads the catalogue of a language tag: "de_AT.UTF-8" is German, "" is
// English. It is an error if there are no words in the language.
func Open(tag string) (*Catalogue, error) {
	lang := "en"
	if tag != "" {
		lang, _, _ = strings.Cut(strings.ToLower(strings.ReplaceAll(tag, "_", "-")), "-")
	}
	data, err := files.ReadFile(lang + ".txt")
	if err != nil {
		return nil, fmt.Errorf("report: no words in language %q: want one of %s", tag, strings.Join(Languages(), " "))
	}
	c := &Catalogue{Lang: lang, tag: language.Make(lang), texts: map[string]string{}}
	for line := range strings.Lines(string(data)) {
		if key, text, ok := strings.Cut(strings.TrimSpace(line), " = "); ok && line[0] != '#' {
			c.texts[key] = text
		}
	}
	return c, nil
}

// Text gives a text with its placeholders not filled; "" if there is none.
func (c *Catalogue) Text(key string) string { return c.texts[key] }

// Keys gives the keys of all texts, sorted.
func (c *Catalogue) Keys() []string { return slices.Sorted(maps.Keys(c.texts)) }

// Get fills a text: args are name, value, name, value ... A key without text
// shows itself, so nothing is ever silently empty.
func (c *Catalogue) Get(key string, args ...string) string {
	return Fill(cmp.Or(c.texts[key], key), args...)
}

// Fill replaces {name} by its value in args, which are name, value, name, value ...; a
// placeholder without value is removed.
func Fill(text string, args ...string) string {
	if len(args) == 0 || !strings.Contains(text, "{") {
		return text
	}
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "{")
		b.WriteString(before)
		name, after, closed := strings.Cut(rest, "}")
		if !ok || !closed {
			return b.String()
		}
		for i := 0; i+1 < len(args); i += 2 {
			if args[i] == name {
				b.WriteString(args[i+1])
			}
		}
		text = after
	}
}

// Find gives the key of a code under a prefix: that of the code itself, or of the
// longest beginning of it that ends in "*".
func (c *Catalogue) Find(prefix, code string) (key string, ok bool) {
	if _, ok := c.texts[prefix+code]; ok {
		return prefix + code, true
	}
	wild := append([]byte(prefix), code...)
	for n := len(wild); n > len(prefix); n-- {
		wild = append(wild[:n], '*')
		if _, ok := c.texts[string(wild)]; ok {
			return string(wild), true
		}
	}
	return "", false
}

// Count gives "1 link" or "12,408 links", and fills in what else there is.
func (c *Catalogue) Count(key string, n int, args ...string) string {
	form := forms[plural.Cardinal.MatchPlural(c.tag, max(n, -n), 0, 0, 0, 0)]
	if c.texts[key+form] == "" {
		form = forms[plural.Other]
	}
	return c.Get(key+form, append(args, "n", c.Number(n))...)
}

// forms are the ends of keys for the plural forms of CLDR; a language has some of them, and
// always the last.
var forms = map[plural.Form]string{plural.Zero: ".zero", plural.One: ".one", plural.Two: ".two", plural.Few: ".few", plural.Many: ".many", plural.Other: ".other"}

// Number groups the digits of n.
func (c *Catalogue) Number(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + c.texts["thousands"] + s[i:]
	}
	return s
}

// Day gives a date in words, in UTC.
func (c *Catalogue) Day(t time.Time) string { return c.date(t, "date") }

// ShortDay gives a date with the beginning of its month's name, in UTC.
func (c *Catalogue) ShortDay(t time.Time) string { return c.date(t, "date.short") }

func (c *Catalogue) date(t time.Time, layout string) string {
	if t.IsZero() {
		return c.Get("never")
	}
	s := t.UTC().Format(c.texts[layout])
	months, ok := c.texts["months"]
	if !ok {
		return s
	}
	english := t.UTC().Month().String()
	month := strings.Fields(months)[t.UTC().Month()-1]
	if strings.Contains(s, english) {
		return strings.Replace(s, english, month, 1)
	}
	return strings.Replace(s, english[:3], string([]rune(month)[:3]), 1)
}

// Shorten cuts text to at most n bytes at a rune, with an ellipsis.
func Shorten(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return strings.ToValidUTF8(text[:n], "") + "…"
}
