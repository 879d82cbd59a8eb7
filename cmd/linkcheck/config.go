package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/BurntSushi/toml"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

const defaultConfig = "linkcheck.toml"

// notInConfig are flags that make no sense in a file.
var notInConfig = map[string]bool{"config": true, "help": true, "version": true}

// configure fills the flags that were not given on the command line: from the
// environment (LINKCHECK_HOST_DELAY for --host-delay), then from the config file.
func (a *app) configure(cmd *cobra.Command) error {
	file, err := a.readConfig(cmd.Root())
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
		if v := a.getenv(env); v != "" {
			if err := setFromEnvironment(f, v); err != nil {
				failed = usage("environment %s: %w", env, err)
			}
			f.Changed, a.origin[f.Name] = true, "the environment as "+env
			return
		}
		v, where, ok := file.value(verb, f.Name)
		if !ok {
			return
		}
		if err := setFromFile(f, v); err != nil {
			failed = usage("%s: %s: %w", where, f.Name, err)
		}
		f.Changed, a.origin[f.Name] = true, where
	})
	if failed == nil {
		_, failed = a.rules() // a registry that cannot be read is an error of every verb
	}
	return failed
}

// addOrigin adds to an error of usage where its flag was set, if not on the command line.
func (a *app) addOrigin(err error) error {
	f, ok := errors.AsType[*failure](err)
	if !ok || f.code != exitUsage || f.hint != "" {
		return err
	}
	for _, name := range sortedKeys(a.origin) {
		_, after, named := strings.Cut(f.Error()+" ", "--"+name)
		if named && !strings.ContainsAny(after[:1], "-abcdefghijklmnopqrstuvwxyz") {
			return fail(exitUsage, "--"+name+" is set in "+a.origin[name], "%w", err)
		}
	}
	return err
}

// configFile is what a config file says: keys for every verb that has the flag,
// and tables named like a verb for that verb alone.
type configFile struct {
	name, text string
	values     map[string]any
}

// value finds what the file says of a flag, and where.
func (c *configFile) value(verb, flag string) (v any, where string, ok bool) {
	own, _ := c.values[verb].(map[string]any)
	if v, ok = own[flag]; ok {
		return v, c.at(verb, flag), true
	}
	v, ok = c.values[flag]
	return v, c.at("", flag), ok
}

// at names the line of a key in a table; "" is the top.
func (c *configFile) at(table, key string) string {
	line := 0
	if table != "" {
		line = lineOf(c.text, 0, table)
	}
	return fmt.Sprintf("%s:%d", c.name, lineOf(c.text, line, key))
}

// verbOf is the verb that a command is, or belongs to.
func verbOf(cmd *cobra.Command) *cobra.Command {
	for cmd.HasParent() && cmd.Parent().HasParent() {
		cmd = cmd.Parent()
	}
	return cmd
}

// readConfig reads the config file and refuses keys that are no flag, by name and line.
func (a *app) readConfig(root *cobra.Command) (c configFile, err error) {
	c.name = cmp.Or(a.configFile, a.getenv(envName("config")))
	optional := c.name == ""
	if optional {
		c.name = defaultConfig
	}
	text, err := os.ReadFile(c.name)
	if errors.Is(err, fs.ErrNotExist) && optional {
		return c, nil
	}
	if err != nil {
		return c, usage("config file: %w", err)
	}
	c.text, c.values = string(text), map[string]any{}
	if err := toml.Unmarshal(text, &c.values); err != nil {
		if parse, ok := errors.AsType[toml.ParseError](err); ok {
			return c, usage("%s:%d: %s", c.name, parse.Position.Line, parse.Message)
		}
		return c, usage("%s: %w", c.name, err)
	}
	return c, c.checkKeys(root)
}

// checkKeys refuses keys that are no flag.
func (c *configFile) checkKeys(root *cobra.Command) error {
	refuse := func(table, key string, among map[string]bool) error {
		hint := didYouMean(nearest(key, sortedKeys(among))) + "'linkcheck init' writes a file with every key"
		return fail(exitUsage, hint, "%s: unknown key %q", c.at(table, key), key)
	}
	flags := flagsOf(root)
	for _, key := range sortedKeys(c.values) {
		table, _ := c.values[key].(map[string]any)
		verb, _, err := root.Find([]string{key})
		switch {
		case flags[key]:
		case table == nil || err != nil || verb == root:
			return refuse("", key, flags)
		default:
			own := flagsOf(verb)
			for _, k := range sortedKeys(table) {
				if !own[k] {
					return refuse(key, k, own)
				}
			}
		}
	}
	return nil
}

// lineOf finds the line, after another one, where a key or table begins; 0 if it
// is written in some other way.
func lineOf(text string, after int, key string) int {
	for i, line := range strings.Split(text, "\n") {
		name, _, _ := strings.Cut(line, "=")
		name = strings.TrimLeft(strings.TrimSpace(name), "[ \t\"'")
		if rest, ok := strings.CutPrefix(name, key); ok && i >= after && (rest == "" || strings.ContainsAny(rest[:1], " \t\"'].")) {
			return i + 1
		}
	}
	return 0
}

const envPrefix = "LINKCHECK_"

// envName is the environment variable of a flag: LINKCHECK_HOST_DELAY for host-delay.
func envName(flag string) string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// warnMisspelt says which environment variables are nearly, but not quite, the name of
// one that is read. Others are taken to belong to another program.
func (a *app) warnMisspelt(root *cobra.Command) {
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
		if near := nearest(word, known); near != "" {
			fmt.Fprintf(a.stderr, "linkcheck: %s in the environment is not heard; did you mean %s?\n", name, envPrefix+near)
		}
	}
}

// setFromEnvironment gives a flag what the environment says: a list may have one item a line.
func setFromEnvironment(f *pflag.Flag, v string) error {
	if many, ok := f.Value.(pflag.SliceValue); ok && strings.Contains(v, "\n") {
		return many.Replace(strings.Split(strings.Trim(v, "\n"), "\n"))
	}
	return valueError(f.Value.Set(v), v)
}

// setFromFile gives a TOML value to a flag; a list is for a repeatable flag alone.
func setFromFile(f *pflag.Flag, v any) error {
	list, isList := v.([]any)
	if !isList {
		list = []any{v}
	}
	words := make([]string, len(list))
	for i, item := range list {
		var err error
		if words[i], err = tomlText(item); err != nil {
			return err
		}
	}
	many, repeatable := f.Value.(pflag.SliceValue)
	switch {
	case isList && repeatable:
		return many.Replace(words)
	case len(words) == 0:
		return nil
	case len(words) == 1: // a list of one, where the same key is a list to another verb
		return valueError(f.Value.Set(words[0]), words[0])
	}
	return errors.New("one value is wanted, not a list")
}

// tomlText writes a TOML value as one would on the command line.
func tomlText(v any) (string, error) {
	switch v := v.(type) {
	case time.Time:
		if v.Hour() == 0 && v.Minute() == 0 && v.Second() == 0 {
			return v.Format(time.DateOnly), nil
		}
		return v.Format(time.RFC3339), nil
	case string, bool, int64, float64:
		return fmt.Sprint(v), nil
	}
	return "", errors.New("one value is wanted, not a table")
}
