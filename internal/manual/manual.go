// Package manual writes the reference of a program as pages of Markdown: one for each verb
// with its flags, one for each list of codes, an index of all flags, and a first page.
// The pages name each other by file.
//
// Files, in reading order:
//   - manual.go: the pages
//   - meanings.go: codes of results as entries
//   - markdown.go: text of the program as Markdown
package manual

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// First is the file of the first page.
const First = "reference.md"

// List is a closed list of codes, each with what it means.
type List struct {
	File, Title string // such as "reasons.md", "Reasons"
	Says        string // what the codes are, in a paragraph
	Entries     []Entry
}

// Entry is a code with its meaning, a paragraph each.
type Entry struct {
	Code string
	Says []string
}

// Write writes the pages of all verbs below root and of the lists into a folder.
func Write(dir string, root *cobra.Command, lists []List) error {
	pages := map[string][]byte{}
	verbs := shown(root)
	for _, verb := range verbs {
		pages[fileOf(verb)] = verbPage(verb)
	}
	for _, list := range lists {
		pages[list.File] = listPage(list)
	}
	pages["flags.md"] = flagsPage(verbs)
	pages[First] = firstPage(verbs, lists)
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		if err := os.WriteFile(filepath.Join(dir, name), pages[name], 0o644); err != nil {
			return err
		}
	}
	return nil
}

// shown are root and all verbs and topics below it that its help names.
func shown(root *cobra.Command) []*cobra.Command {
	list := []*cobra.Command{root}
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() && c.Name() != "help" || c.IsAdditionalHelpTopicCommand() {
			list = append(list, shown(c)...)
		}
	}
	return list
}

func fileOf(verb *cobra.Command) string {
	return strings.ReplaceAll(verb.CommandPath(), " ", "-") + ".md"
}

func verbPage(verb *cobra.Command) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s\n\n%s.\n", verb.CommandPath(), escaped(strings.TrimSuffix(verb.Short, ".")))
	if verb.Long != "" {
		fmt.Fprintf(&b, "\n%s", prose(verb.Long, verb.Flags().Lookup))
	}
	if verb.Runnable() {
		fmt.Fprintf(&b, "\n## Usage\n\n```\n%s\n```\n", verb.UseLine())
	}
	if verb.Example != "" {
		fmt.Fprintf(&b, "\n## Examples\n\n```\n%s\n```\n", unindented(verb.Example))
	}
	below := shown(verb)[1:]
	below = slices.DeleteFunc(below, func(c *cobra.Command) bool { return c.Parent() != verb })
	if len(below) > 0 {
		b.WriteString("\n## Verbs\n\n")
		verbList(&b, below)
	}
	var entries []Entry
	verb.NonInheritedFlags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && f.Name != "help" {
			entries = append(entries, flagEntry(f))
		}
	})
	if len(entries) > 0 {
		b.WriteString("\n## Flags {#its-flags}\n")
		writeEntries(&b, "###", entries)
	}
	if verb.HasParent() && verb.Runnable() {
		fmt.Fprintf(&b, "\nEvery verb also has the flags of [%s](%s#its-flags).\n", verb.Root().Name(), fileOf(verb.Root()))
	}
	return b.Bytes()
}

// flagEntry is a flag as --help tells it: its name with the kind of its value, its default.
func flagEntry(f *pflag.Flag) Entry {
	kind, says := pflag.UnquoteUsage(f)
	code := "--" + f.Name
	if kind != "" {
		code += " " + kind
	}
	if f.Shorthand != "" {
		code = "-" + f.Shorthand + ", " + code
	}
	entry := Entry{code, []string{says}}
	if f.DefValue != "" && f.DefValue != "[]" && f.DefValue != "false" {
		entry.Says = append(entry.Says, "Default: "+f.DefValue)
	}
	return entry
}

func listPage(list List) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s\n\n%s\n", list.Title, escaped(list.Says))
	writeEntries(&b, "##", list.Entries)
	return b.Bytes()
}

// writeEntries writes a heading with an anchor of its own for each entry.
func writeEntries(b *bytes.Buffer, level string, entries []Entry) {
	for _, e := range entries {
		fmt.Fprintf(b, "\n%s `%s` {#%s}\n", level, e.Code, anchor(e.Code))
		for _, says := range e.Says {
			fmt.Fprintf(b, "\n%s\n", escaped(says))
		}
	}
}

// flagsPage lists all flags, each with the verbs that have it.
func flagsPage(verbs []*cobra.Command) []byte {
	have := map[string][]*cobra.Command{}
	for _, verb := range verbs {
		verb.NonInheritedFlags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && f.Name != "help" {
				have[f.Name] = append(have[f.Name], verb)
			}
		})
	}
	var b bytes.Buffer
	b.WriteString("# Flags\n\nEvery flag, with the verbs that have it.\n\n")
	for _, name := range slices.Sorted(maps.Keys(have)) {
		fmt.Fprintf(&b, "- `--%s`:", name)
		for i, verb := range have[name] {
			if i > 0 {
				b.WriteString(",")
			}
			fmt.Fprintf(&b, " [%s](%s#%s)", shortPath(verb), fileOf(verb), anchor(flagEntry(verb.NonInheritedFlags().Lookup(name)).Code))
		}
		b.WriteString("\n")
	}
	return b.Bytes()
}

func firstPage(verbs []*cobra.Command, lists []List) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Reference\n\nWhat %s says of itself: written by the program, with each of its verbs, flags and codes.\n\n## Verbs\n\n", verbs[0].Name())
	verbList(&b, verbs)
	b.WriteString("\n## Lists\n\n- [Flags](flags.md): every flag, with the verbs that have it\n")
	for _, list := range lists {
		fmt.Fprintf(&b, "- [%s](%s): %d\n", list.Title, list.File, len(list.Entries))
	}
	return b.Bytes()
}

func verbList(b *bytes.Buffer, verbs []*cobra.Command) {
	for _, verb := range verbs {
		fmt.Fprintf(b, "- [%s](%s): %s\n", verb.CommandPath(), fileOf(verb), escaped(verb.Short))
	}
}

// shortPath is the name of a verb without that of the program.
func shortPath(verb *cobra.Command) string {
	_, path, _ := strings.Cut(verb.CommandPath(), " ")
	return cmp.Or(path, "every verb")
}
