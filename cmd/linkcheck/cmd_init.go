package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"

	"linkcheck/internal/config"
	"linkcheck/internal/escape"
	versions "linkcheck/internal/version"
)

func cmdInit(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "init [FILE]",
		Short:   "Write a configuration file with every key, commented out",
		Example: "  linkcheck init\n  linkcheck init /etc/linkcheck.toml",
		Args:    atMostArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			name := config.Name
			if len(args) == 1 {
				name = args[0]
			}
			f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
			if errors.Is(err, fs.ErrExist) {
				return fail(exitUsage, "move it away first", "%s is there already", name)
			}
			if err != nil {
				return usage("%w", err)
			}
			_, err = f.WriteString(sampleConfig(cmd.Root()))
			if err = errors.Join(err, f.Close()); err != nil {
				return usage("%w", err)
			}
			escape.Printf(a.stdout, "wrote %s\n", name)
			return nil
		},
	}
}

// sampleConfig lists every flag of every verb once, with its default.
func sampleConfig(root *cobra.Command) string {
	var b strings.Builder
	b.WriteString("# linkcheck: every key is a flag of the same name. What is given on the command\n" +
		"# line wins, then the environment (LINKCHECK_HOST_DELAY for host-delay, one item\n" +
		"# a line in lists), then a file. What stands below [run], [report] and so on is for\n" +
		"# that verb alone, and wins over what stands above in this file.\n" +
		"#\n" +
		"# The file is read that --config or LINKCHECK_CONFIG names. Without them, what the\n" +
		"# first of these says of a key is taken:\n" +
		"#   $XDG_CONFIG_HOME/linkcheck/linkcheck.toml (~/.config/linkcheck/linkcheck.toml)\n" +
		"#   /etc/linkcheck/linkcheck.toml\n" +
		"#   linkcheck.toml in the current folder, if it belongs to you or to root: it may\n" +
		"#   have come with somebody's documents, and sets only keys marked [folder] below\n")
	seen := map[string]bool{}
	for _, cmd := range everyVerb(root) {
		first := true
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if seen[f.Name] || notInConfig[f.Name] || f.Hidden {
				return
			}
			seen[f.Name] = true
			if first {
				fmt.Fprintf(&b, "\n## %s: %s\n", cmd.CommandPath(), cmd.Short)
				first = false
			}
			_, help := pflag.UnquoteUsage(f)
			if folderMay[f.Name] != nil {
				help += " [folder]"
			}
			fmt.Fprintf(&b, "\n# %s\n#%s = %s\n", help, f.Name, tomlDefault(f))
		})
	}
	return b.String()
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
	return &cobra.Command{
		Use:     "man DIR",
		Short:   "Write the manual pages into a folder, which is made",
		Example: "  linkcheck man man1/\n  man man1/linkcheck-report.1",
		Args:    exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			date := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
			header := &doc.GenManHeader{Title: "LINKCHECK", Section: "1", Source: "linkcheck " + version, Date: &date}
			err := cmp.Or(os.MkdirAll(args[0], 0o755), plainPages(args[0]))
			if err == nil {
				err = doc.GenManTree(cmd.Root(), header, args[0])
			}
			if err != nil {
				return usage("manual pages: %w", err)
			}
			escape.Printf(a.stderr, "linkcheck: wrote %s\n", args[0])
			return nil
		},
	}
}

// plainPages refuses a folder in which a page of the manual would be written through a
// link, or to a pipe: nobody named the pages (SECURITY.md).
func plainPages(dir string) error {
	pages, err := os.ReadDir(dir)
	for _, page := range pages {
		if strings.HasPrefix(page.Name(), "linkcheck") && !page.Type().IsRegular() {
			return fmt.Errorf("%s is no file", filepath.Join(dir, page.Name()))
		}
	}
	return err
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
		Args:    noArgs,
		RunE: func(*cobra.Command, []string) error {
			return writeRows(a.stdout, []versions.Info{versions.Of(version)}, asJSON, func(i versions.Info) (row any, cells string) {
				return i, strings.TrimSuffix(i.String(), "\n")
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object")
	return cmd
}
