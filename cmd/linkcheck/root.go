package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"linkcheck/uri"
)

// app is what every verb shares: the world outside.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	getenv         func(string) string
	environ        []string // "NAME=value"
	configFile     string
	showSecrets    bool
	registryFile   string
	origin         map[string]string // flag -> where it was set, if not on the command line
}

// newRoot builds the tree of verbs. This is their only list.
func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "linkcheck",
		Short: "Find the links in old documents, ask their servers, say what to mend",
		Long: `linkcheck reads archives of documents (RFC and draft text, mail and news, HTML,
library catalogues, web archives), finds every link in them, asks each server in
its own protocol whether the thing is still there, remembers the answers from
night to night, and tells a librarian what to mend.

Begin with "linkcheck demo": it shows everything at work, without a network.`,
		Example: `  linkcheck demo
  linkcheck run --store library.db catalogue.mrc mail/ rfc/
  linkcheck report --store library.db --html report.html
  linkcheck check gopher://gopher.floodgap.com/1/world
  linkcheck help exit-codes`,
		Version:           version,
		SilenceUsage:      true,
		SilenceErrors:     true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error { return a.configure(cmd) },
		Args:              aVerb,
		RunE:              func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.SetFlagErrorFunc(badFlag)
	root.PersistentFlags().StringVar(&a.configFile, "config", "", "TOML `FILE` with a key for every flag (default: linkcheck.toml in this folder, if it is there)")
	root.PersistentFlags().BoolVar(&a.showSecrets, "show-secrets", false, "print passwords of URIs instead of ***")
	root.PersistentFlags().StringVar(&a.registryFile, "registry", "", "TOML `FILE` with info namespaces and resolvers of your own")
	root.AddCommand(
		cmdRun(a), cmdExtract(a), cmdCheck(a), cmdReport(a), cmdDupes(a), cmdExplain(a),
		cmdMark(a), cmdStore(a), cmdServe(a), cmdNormalize(a), cmdCompare(a), cmdSchemes(a),
		cmdDemo(a), cmdInit(a), cmdMan(a), helpExitCodes(),
	)
	root.InitDefaultHelpCmd()
	if help, _, err := root.Find([]string{"help"}); err == nil {
		help.Args = helpTopic
	}
	return root
}

// helpExitCodes is a topic, not a verb: cobra prints it for `help exit-codes`.
func helpExitCodes() *cobra.Command {
	return &cobra.Command{Use: "exit-codes", Short: "What the exit codes mean", Long: exitTable}
}

// rules are those of the uri room, with the librarian's own registry if there is one.
func (a *app) rules() (uri.Rules, error) {
	if a.registryFile == "" {
		return uri.Rules{}, nil
	}
	f, err := os.Open(a.registryFile)
	if err != nil {
		return uri.Rules{}, usage("--registry: %w", err)
	}
	defer f.Close()
	reg, err := uri.LoadRegistry(f)
	if err != nil {
		return uri.Rules{}, usage("--registry %s: %w", a.registryFile, err)
	}
	return uri.Rules{Registry: reg}, nil
}

// isTerminal says whether w, to read or to write, is a terminal that a person looks at.
func isTerminal(w any) bool {
	f, ok := unwrapped(w).(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// colour says whether w may be coloured: a terminal, and NO_COLOR unset.
func (a *app) colour(w io.Writer) bool { return isTerminal(w) && a.getenv("NO_COLOR") == "" }

// width is the number of columns of w, 100 where it is no terminal.
func width(w io.Writer) int {
	if f, ok := unwrapped(w).(*os.File); ok {
		if cols, _, err := term.GetSize(int(f.Fd())); err == nil && cols > 20 {
			return cols
		}
	}
	return 100
}

// clock turns --now into a clock: it begins at that time and goes on from there.
func clock(at string) (func() time.Time, error) {
	if at == "" {
		return time.Now, nil
	}
	begin, err := parseTime(at)
	if err != nil {
		return nil, usage("--now: %w", err)
	}
	started := time.Now()
	return func() time.Time { return begin.Add(time.Since(started)) }, nil
}

// parseTime reads RFC 3339, or a date alone.
func parseTime(s string) (time.Time, error) {
	if t, err := time.Parse(time.RFC3339, s); err == nil {
		return t, nil
	}
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return t, fmt.Errorf("%q is neither a time (2006-01-02T15:04:05Z) nor a date (2006-01-02)", s)
	}
	return t, nil
}
