package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"linkcheck/extract"
	"linkcheck/internal/config"
	"linkcheck/internal/exit"
	"linkcheck/internal/flags"
	"linkcheck/internal/hostsettings"
	"linkcheck/internal/plain"
	"linkcheck/internal/preprocess"
)

// notInConfig are flags that make no sense in a file.
var notInConfig = map[string]bool{"config": true, "help": true, "version": true}

// configure fills the flags that were not given on the command line: from the
// environment (LINKCHECK_HOST_DELAY for --host-delay), then from the config files.
func (a *app) configure(ctx context.Context, cmd *cobra.Command) error {
	files, err := a.readConfig(ctx, cmd.Root())
	if err != nil {
		return err
	}
	a.origin = map[string]string{}
	a.warnMisspelt(cmd.Root())
	verb := verbOf(cmd).Name()
	var failed error
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Changed || notInConfig[f.Name] || failed != nil {
			return
		}
		env := envName(f.Name)
		if v := a.getenv(env); v != "" && !forOther(cmd.Root(), f, flags.Typed(v)) {
			if err := flags.FromEnvironment(f, v); err != nil {
				failed = exit.Usage("environment %s: %w", env, err)
			}
			f.Changed, a.origin[f.Name] = true, "the environment as "+env
			return
		}
		for _, file := range files {
			v, where, ok := file.Value(verb, f.Name)
			if !ok || forOther(cmd.Root(), f, v) {
				continue
			}
			if err := flags.FromFile(f, v); err != nil {
				failed = exit.Usage("%s: %s: %w", where, f.Name, err)
			}
			f.Changed, a.origin[f.Name] = true, where
			return
		}
	})
	if failed != nil {
		return failed
	}
	return cmp.Or(a.readHosts(ctx, cmd, files), a.readRoots(ctx, cmd, files), a.readPreprocess(files))
}

// addOrigin adds to an error of usage where its flag was set, if not on the command line.
func (a *app) addOrigin(err error) error {
	if f, told := errors.AsType[*exit.Failure](err); err == nil || told && (f.Code != exit.BadUsage || f.Hint != "") {
		return err
	}
	for _, name := range sortedKeys(a.origin) {
		_, after, named := strings.Cut(err.Error()+" ", "--"+name)
		if named && !strings.ContainsAny(after[:1], "-abcdefghijklmnopqrstuvwxyz") {
			return exit.Fail(exit.BadUsage, "--"+name+" is set in "+a.origin[name], "%w", err)
		}
	}
	return err
}

// readConfig reads the file that the person gave, or else those that are found, the
// strongest first, and refuses keys that do not belong into them.
func (a *app) readConfig(ctx context.Context, root *cobra.Command) ([]*config.File, error) {
	var verbs []string
	for _, verb := range root.Commands() {
		verbs = append(verbs, verb.Name())
	}
	if name := cmp.Or(a.configFile, a.getenv(envName("config"))); name != "" {
		f, err := config.Read(ctx, name, verbs)
		if err != nil {
			return nil, exit.Usage("config file: %w", err)
		}
		return []*config.File{f}, checkKeys(root, f)
	}
	files, passedOver, err := config.Found(ctx, a.getenv, verbs)
	if err != nil {
		return nil, exit.Usage("config file: %w", err)
	}
	for _, why := range passedOver {
		a.log.Warn("passed over %s", why)
	}
	for _, f := range files {
		check := checkKeys
		if f.Folder {
			check = checkFolder
		}
		if err := check(root, f); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// checkKeys refuses keys that are no flag, by name and line.
func checkKeys(root *cobra.Command, f *config.File) error {
	for key := range f.Keys() {
		cmd := root
		if key.Table != "" {
			cmd, _, _ = root.Find([]string{key.Table}) // a table is named like a verb
		}
		if among := flagsOf(cmd); !among[key.Name] {
			hint := exit.DidYouMean(flags.Nearest(key.Name, sortedKeys(among))) + "'linkcheck init' writes a file with every key"
			return exit.Fail(exit.BadUsage, hint, "%s: unknown key %.200q", f.At(key.Table, key.Name), key.Name)
		}
	}
	return nil
}

// folderMay are the flags that a file found in the current folder may set, which may have
// come with somebody else's documents: what is extracted and selected, how it is shown,
// and who we say we are. Never here: what reads, writes or runs something, whom we ask and
// whom we trust, and limits. The function refuses values that do harm nevertheless.
var folderMay = map[string]func(values []string) error{
	"base": config.PlainTexts, "charset": config.PlainTexts, "comments": config.PlainTexts, "input": config.PlainTexts, "marc-tags": config.PlainTexts, "record-id": config.PlainTexts,
	"code": config.PlainTexts, "columns": config.PlainTexts, "exclude-path": config.PlainTexts, "gitignore": config.PlainTexts, "include-path": config.PlainTexts,
	"collection": config.PlainTexts, "exclude": config.SmallExpressions, "only": config.PlainTexts, "since": config.PlainTexts, "unique": config.PlainTexts,
	"bom": config.PlainTexts, "lang": config.PlainTexts, "summary": config.PlainTexts, "tsv": config.PlainTexts,
	"contact": config.PlainTexts, "user-agent": config.PlainTexts,
}

// checkFolder refuses what a file of the current folder may not set, all of it at once.
func checkFolder(root *cobra.Command, f *config.File) error {
	var refused []string
	for _, list := range config.Lists {
		if len(f.List(list)) > 0 {
			refused = append(refused, fmt.Sprintf("%q (%s)", list, f.AtTable(list, 0, "")))
		}
	}
	for key := range f.Keys() {
		safe := folderMay[key.Name]
		if safe == nil {
			refused = append(refused, fmt.Sprintf("%.200q (%s)", key.Name, f.At(key.Table, key.Name)))
			continue
		}
		values, _, err := config.Texts(key.Value)
		if err = cmp.Or(err, safe(values)); err != nil {
			return exit.Usage("%s: %s: %w", f.At(key.Table, key.Name), key.Name, err)
		}
	}
	if more := len(refused) - 10; more > 0 {
		refused = append(refused[:10], plain.Plural(more, "other key", "other keys"))
	}
	if len(refused) > 0 {
		return exit.Fail(exit.BadUsage, "if you trust it, give this file by --config "+config.Name,
			"the %s of the current folder may not set %s", config.Name, strings.Join(refused, ", "))
	}
	return checkKeys(root, f)
}

const envPrefix = "LINKCHECK_"

// envName is the environment variable of a flag: LINKCHECK_HOST_DELAY for host-delay.
func envName(flag string) string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// warnMisspelt says which environment variables are nearly, but not quite, the name of
// one that is read. Others are taken to belong to another program.
func (a *app) warnMisspelt(root *cobra.Command) {
	if !slices.ContainsFunc(a.environ, func(v string) bool { return strings.HasPrefix(v, envPrefix) }) {
		return
	}
	var known []string // names without the prefix
	for flag, ok := range flagsOf(root) {
		if ok || flag == "config" {
			known = append(known, strings.TrimPrefix(envName(flag), envPrefix))
		}
	}
	known = append(known, strings.TrimPrefix(smtpPassword, envPrefix))
	slices.Sort(known) // of two that are as near, the first is named
	for _, v := range a.environ {
		name, value, _ := strings.Cut(v, "=")
		word, ours := strings.CutPrefix(name, envPrefix)
		if !ours || value == "" || slices.Contains(known, word) {
			continue
		}
		if near := flags.Nearest(word, known); near != "" {
			a.log.Warn("%s in the environment is not heard; did you mean %s?", name, envPrefix+near)
		}
	}
}

// forOther says that a value is not for this flag but for one of the same name, of another
// verb: true is for extract --jsonl and not the name of a file for report --jsonl. A value
// that fits no flag of the name is for each of them, which then says what is wrong.
func forOther(root *cobra.Command, f *pflag.Flag, v any) bool {
	if flags.Fits(f, v) {
		return false
	}
	for _, cmd := range everyVerb(root) {
		if other := cmd.LocalFlags().Lookup(f.Name); other != nil && flags.Fits(other, v) {
			return true
		}
	}
	return false
}

// readHosts reads the tables [[host]] of the files, the strongest of which comes first:
// of several that match a host, the last one counts. What they name is read for verbs that
// probe alone, before the sandbox.
func (a *app) readHosts(ctx context.Context, cmd *cobra.Command, files []*config.File) error {
	var list []hostsettings.Source
	for i := len(files) - 1; i >= 0; i-- {
		for number, values := range files[i].List("host") {
			list = append(list, hostsettings.Source{Values: values, Where: func(key string) string { return files[i].AtTable("host", number, key) }})
		}
	}
	table, err := hostsettings.Parse(list)
	if unknown, ok := errors.AsType[*hostsettings.UnknownKey](err); ok {
		return exit.Fail(exit.BadUsage, exit.DidYouMean(flags.Nearest(unknown.Key, hostsettings.Keys()))+"'linkcheck init' writes a file with every key", "%w", err)
	}
	if err == nil && probes[verbPath(cmd)] {
		err = table.Load(ctx, a.getenv, func(warning string) { a.log.Warn("warning: %s", warning) })
	}
	if err != nil {
		return exit.Usage("%w", err)
	}
	a.hosts = table
	return nil
}

// readPreprocess reads the tables [[preprocess]] of the files, the strongest of which comes
// first: the first table that fits a file counts.
func (a *app) readPreprocess(files []*config.File) error {
	for _, f := range files {
		for number, values := range f.List("preprocess") {
			rule, key, err := preprocess.Parse(values)
			if err != nil {
				return exit.Usage("%s: %s: %w", f.AtTable("preprocess", number, key), key, err)
			}
			a.preprocess = append(a.preprocess, rule)
		}
	}
	return nil
}

// setPreprocess has files made text of by programs, where any are configured.
func (a *app) setPreprocess(o *extract.Options) {
	if len(a.preprocess) > 0 {
		o.Preprocess = a.preprocess
	}
}

// probes are the verbs that ask servers about links.
var probes = map[string]bool{"run": true, "check": true, "fleet work": true}

// flagsOf collects the names of the flags of a command, of the commands below it, and of
// those above it that it inherits. The value says whether a config file may have the flag.
func flagsOf(cmd *cobra.Command) map[string]bool {
	known := map[string]bool{}
	collect := func(f *pflag.Flag) { known[f.Name] = !notInConfig[f.Name] }
	cmd.InheritedFlags().VisitAll(collect)
	for _, c := range everyVerb(cmd) {
		c.LocalFlags().VisitAll(collect)
	}
	return known
}

// everyVerb lists a command and those below it, but for the two that cobra adds.
func everyVerb(root *cobra.Command) []*cobra.Command {
	list := []*cobra.Command{root}
	for _, c := range root.Commands() {
		if c.Name() != "completion" && c.Name() != "help" {
			list = append(list, everyVerb(c)...)
		}
	}
	return list
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
