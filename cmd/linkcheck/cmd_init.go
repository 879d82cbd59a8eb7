package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"

	"linkcheck/check"
	"linkcheck/internal/config"
	"linkcheck/internal/exit"
	"linkcheck/internal/hostsettings"
	"linkcheck/internal/manual"
	"linkcheck/internal/netflags"
	"linkcheck/internal/preprocess"
	"linkcheck/internal/rootsettings"
	versions "linkcheck/internal/version"
	"linkcheck/report/words"
)

func cmdInit(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "init [FILE]",
		Short:   "Write a configuration file with every key, commented out, in a table for each verb",
		Example: "  linkcheck init\n  linkcheck init /etc/linkcheck.toml",
		Args:    exit.AtMostArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			name := config.Name
			if len(args) == 1 {
				name = args[0]
			}
			f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
			if errors.Is(err, fs.ErrExist) {
				return exit.Fail(exit.BadUsage, "move it away first", "%s is there already", name)
			}
			if err != nil {
				return exit.Usage("%w", err)
			}
			_, err = f.WriteString(sampleConfig(cmd.Root()))
			if err = errors.Join(err, f.Close()); err != nil {
				return exit.Usage("%w", err)
			}
			a.done("wrote %s\n", name)
			return nil
		},
	}
}

// sampleHead is what people read first in the file. Its lines are prose: none could be
// taken for a key or a table when the marks of comments are taken away.
const sampleHead = `# linkcheck: every key is a flag of the same name. What is given on the command
# line wins, then the environment (LINKCHECK_HOST_DELAY for host-delay, one item
# a line in lists), then a file. To set a key, take away the # before it; as it
# stands here it has its default.
#
# A key above the first table is heard by every verb that has it and can take its
# value. A key in a table is for the verb of that name alone, and wins. The keys
# of a table stand between its head and the next one. There is either a key or a
# table of one name: with the key store, the verb store has its keys above, too.
#
# The file is read that --config or LINKCHECK_CONFIG names. Without them, what the
# first of these says of a key is taken:
#   $XDG_CONFIG_HOME/linkcheck/linkcheck.toml (~/.config/linkcheck/linkcheck.toml)
#   /etc/linkcheck/linkcheck.toml
#   linkcheck.toml in the current folder, if it belongs to you or to root: it may
#   have come with somebody's documents, and sets only keys marked [folder] below
`

// sampleConfig lists every flag with its default: those that mean the same to several verbs
// once, above the tables, all others in the table of their verb. TOML has either a key or a
// table of a name: the keys of a verb that is named like a key, store, stand above too.
func sampleConfig(root *cobra.Command) string {
	var b strings.Builder
	b.WriteString(sampleHead)
	shared := sharedFlags(root)
	b.WriteString("\n## Every verb, or those that are named.\n")
	seen := map[string]bool{}
	for _, cmd := range everyVerb(root) {
		configFlags(cmd, func(f *pflag.Flag) {
			if verbs := shared[f.Name]; verbs != nil && !seen[f.Name] {
				seen[f.Name] = true
				writeKey(&b, f, verbs)
			}
		})
	}
	for _, verb := range root.Commands() {
		if verb.Name() == "completion" || verb.Name() == "help" || shared[verb.Name()] != nil {
			continue
		}
		head, seen := fmt.Sprintf("\n## %s: %s.\n[%s]\n", verb.CommandPath(), verb.Short, verb.Name()), map[string]bool{}
		for _, cmd := range everyVerb(verb) {
			configFlags(cmd, func(f *pflag.Flag) {
				if shared[f.Name] != nil || seen[f.Name] {
					return
				}
				seen[f.Name] = true
				b.WriteString(head)
				writeKey(&b, f, nil)
				head = ""
			})
		}
	}
	b.WriteString(hostsettings.Sample)
	b.WriteString(rootsettings.Sample)
	b.WriteString(preprocess.Sample)
	return b.String()
}

// configFlags calls f for each flag of a command that is shown and may stand in a file.
func configFlags(cmd *cobra.Command, f func(*pflag.Flag)) {
	cmd.LocalFlags().VisitAll(func(flag *pflag.Flag) {
		if !notInConfig[flag.Name] && !flag.Hidden {
			f(flag)
		}
	})
}

// sharedFlags are the flags that every verb has, and those that have one type, default and
// meaning in all of several verbs: with these verbs, of which there are none if it is all.
// With them stand the flags of a verb that can have no table.
func sharedFlags(root *cobra.Command) map[string][]string {
	first, verbs, differ := map[string]*pflag.Flag{}, map[string][]string{}, map[string]bool{}
	for _, cmd := range everyVerb(root) {
		configFlags(cmd, func(f *pflag.Flag) {
			one := cmp.Or(first[f.Name], f)
			first[f.Name] = one
			differ[f.Name] = differ[f.Name] || f.Value.Type() != one.Value.Type() || f.DefValue != one.DefValue || f.Usage != one.Usage
			if name := verbOf(cmd).Name(); cmd != root && !slices.Contains(verbs[f.Name], name) {
				verbs[f.Name] = append(verbs[f.Name], name)
			}
		})
	}
	shared := map[string][]string{}
	for name, f := range first {
		switch {
		case root.PersistentFlags().Lookup(name) == f:
			shared[name] = []string{}
		case len(verbs[name]) > 1 && !differ[name]:
			shared[name] = verbs[name]
		}
	}
	for _, verb := range root.Commands() {
		if shared[verb.Name()] == nil {
			continue
		}
		for _, cmd := range everyVerb(verb) {
			configFlags(cmd, func(f *pflag.Flag) {
				if shared[f.Name] == nil {
					shared[f.Name] = verbs[f.Name]
				}
			})
		}
	}
	return shared
}

// writeKey writes a flag as a key: its help, wrapped, and its default behind a #.
func writeKey(b *strings.Builder, f *pflag.Flag, verbs []string) {
	_, help := pflag.UnquoteUsage(f)
	if len(verbs) > 0 {
		help += " (" + strings.Join(verbs, ", ") + ")"
	}
	if folderMay[f.Name] != nil {
		help += " [folder]"
	}
	b.WriteString("\n")
	line := "#"
	for _, word := range strings.Fields(help) {
		if len(line)+1+len(word) > 80 && line != "#" && word[0] != '[' && !strings.Contains(word, "=") {
			b.WriteString(line + "\n")
			line = "#"
		}
		line += " " + word
	}
	b.WriteString(line + "\n#" + f.Name + " = " + tomlDefault(f) + "\n")
}

// tomlDefault writes the default of a flag as TOML.
func tomlDefault(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "bool", "int", "int64", "float64", "stringSlice", "stringArray":
		return f.DefValue
	}
	return fmt.Sprintf("%q", f.DefValue)
}

func cmdMan(a *app) *cobra.Command {
	var reference bool
	cmd := &cobra.Command{
		Use:     "man DIR",
		Short:   "Write the manual pages into a folder, which is made",
		Example: "  linkcheck man man1/\n  man man1/linkcheck-report.1\n  linkcheck man --reference reference/",
		Args:    exit.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			err := cmp.Or(os.MkdirAll(args[0], 0o755), plainPages(args[0]))
			switch {
			case err != nil:
			case reference:
				err = a.writeReference(cmd, args[0])
			default:
				date := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
				header := &doc.GenManHeader{Title: "LINKCHECK", Section: "1", Source: "linkcheck " + version, Date: &date}
				err = doc.GenManTree(cmd.Root(), header, args[0])
			}
			if err != nil {
				return exit.Usage("manual pages: %w", err)
			}
			a.log.Info("wrote %s", args[0])
			return nil
		},
	}
	cmd.Flags().BoolVar(&reference, "reference", false, "write Markdown in place of them: verbs and flags, and every reason, flag of a result and scheme")
	return cmd
}

// plainPages refuses a folder in which a page of the manual would be written through a
// link, or to a pipe: nobody named the pages (SECURITY.md).
func plainPages(dir string) error {
	pages, err := os.ReadDir(dir)
	for _, page := range pages {
		kind := filepath.Ext(page.Name())
		if (kind == ".1" || kind == ".md") && !page.Type().IsRegular() {
			return fmt.Errorf("%s is no file", filepath.Join(dir, page.Name()))
		}
	}
	return err
}

// writeReference writes the pages of all verbs, and of the closed lists of the program.
func (a *app) writeReference(cmd *cobra.Command, dir string) error {
	catalogue, err := words.Open("en")
	if err != nil {
		return err
	}
	var n netflags.Flags
	n.RegisterPlan(&cobra.Command{}, version)
	net, err := n.Open(cmd.Context(), nil)
	if err != nil {
		return err
	}
	defer net.Probers.Close()
	schemes := manual.List{File: "schemes.md", Title: "Schemes", Says: "What the probe of each scheme does, and why some are not probed."}
	for _, row := range net.Probers.Rows() {
		schemes.Entries = append(schemes.Entries, manual.Entry{Code: row.Scheme, Says: []string{planOf(row)}})
	}
	return manual.Write(dir, cmd.Root(), []manual.List{
		{File: "reasons.md", Title: "Reasons", Says: "Why a probe ended as it did, and the words of the report for it.", Entries: manual.Meanings(check.Reasons(), "what.", catalogue)},
		{File: "result-flags.md", Title: "Flags of results", Says: "What is worth knowing of an answer, and changes no outcome.", Entries: manual.Meanings(check.Flags(), "doubt.", catalogue)},
		schemes,
	})
}

func cmdVersion(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Version, commit and Go, and by which numbers stores and documents are read anew",
		Long: `Says which program this is.

schema is the number of the store's form: a store of an older one is brought to it when it
is next written, one of a newer one is refused. rules is the edition of the rules by which
two links are the same: under another one the store is keyed anew. extractor is the edition
of what is found in documents: under another one all sources are read again.`,
		Example: "  linkcheck version\n  linkcheck version --json",
		Args:    exit.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return writeRows(a.stdout, []versions.Info{versions.Of(version)}, asJSON, func(i versions.Info) (row any, cells string) {
				return i, strings.TrimSuffix(i.String(), "\n")
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object")
	return cmd
}
