package manual

import (
	"regexp"
	"strings"

	"github.com/spf13/pflag"
)

// anchor is the name under which the entry of a code can be linked: that of a flag is its name.
func anchor(code string) string {
	_, flag, found := strings.Cut(code, "--")
	if found {
		flag, _, _ = strings.Cut(flag, " ")
		return flag
	}
	return strings.Trim(notAnchor.ReplaceAllString(strings.ReplaceAll(code, "+", "-plus"), "-"), "-")
}

var notAnchor = regexp.MustCompile(`[^A-Za-z0-9-]+`)

// special are the characters that mean something in Markdown.
var special = regexp.MustCompile("[\\\\`*_{}\\[\\]<>#|!]")

func escaped(text string) string { return special.ReplaceAllString(text, `\$0`) }

// word is a flag within prose.
var word = regexp.MustCompile(`--[a-z][a-z0-9-]*`)

// prose makes Markdown of text that is written for a terminal: what is indented stays as it
// stands, and a flag leads to its entry where lookup knows it.
func prose(text string, lookup func(string) *pflag.Flag) string {
	var b strings.Builder
	for block := range strings.SplitSeq(strings.Trim(text, "\n"), "\n\n") {
		if b.Len() > 0 {
			b.WriteString("\n")
		}
		if strings.HasPrefix(block, " ") || strings.Contains(block, "\n ") {
			b.WriteString("```\n" + block + "\n```\n")
			continue
		}
		b.WriteString(flagsLinked(block, lookup) + "\n")
	}
	return b.String()
}

func flagsLinked(text string, lookup func(string) *pflag.Flag) string {
	var b strings.Builder
	for {
		at := word.FindStringIndex(text)
		if at == nil {
			b.WriteString(escaped(text))
			return b.String()
		}
		flag := text[at[0]:at[1]]
		b.WriteString(escaped(text[:at[0]]))
		if lookup(flag[2:]) != nil {
			b.WriteString("[`" + flag + "`](#" + flag[2:] + ")")
		} else {
			b.WriteString("`" + flag + "`")
		}
		text = text[at[1]:]
	}
}

// unindented takes away the two blanks before each line of an example.
func unindented(text string) string {
	return strings.ReplaceAll(strings.TrimPrefix(text, "  "), "\n  ", "\n")
}
