package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sort"
	"strings"

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
	values, name, err := a.readConfig(cmd.Root())
	if err != nil {
		return err
	}
	var failed error
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Changed || notInConfig[f.Name] || failed != nil {
			return
		}
		env := "LINKCHECK_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
		if v := a.getenv(env); v != "" {
			if err := f.Value.Set(v); err != nil {
				failed = usage("environment %s: %w", env, err)
			}
			f.Changed = true
			return
		}
		v, ok := values[f.Name]
		if !ok {
			return
		}
		if err := setFlag(f, v); err != nil {
			failed = usage("%s: %s: %w", name, f.Name, err)
		}
		f.Changed = true
	})
	return failed
}

// readConfig reads the config file and refuses keys that are no flag, by name and line.
func (a *app) readConfig(root *cobra.Command) (map[string]any, string, error) {
	name := a.configFile
	if name == "" {
		name = a.getenv("LINKCHECK_CONFIG")
	}
	asked := name != ""
	if !asked {
		name = defaultConfig
	}
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) && !asked {
		return nil, "", nil
	}
	if err != nil {
		return nil, "", usage("config file: %w", err)
	}
	values := map[string]any{}
	if _, err := toml.Decode(string(text), &values); err != nil {
		var parse toml.ParseError
		if errors.As(err, &parse) {
			return nil, "", usage("%s:%d: %s", name, parse.Position.Line, parse.Message)
		}
		return nil, "", usage("%s: %w", name, err)
	}
	known := allFlags(root)
	for _, key := range sortedKeys(values) {
		if !known[key] {
			return nil, "", fail(exitUsage, "'linkcheck init' writes a file with every key",
				"%s:%d: unknown key %q", name, lineOf(string(text), key), key)
		}
	}
	return values, name, nil
}

// allFlags collects the flags of every verb: a file may serve them all.
func allFlags(root *cobra.Command) map[string]bool {
	known := map[string]bool{}
	collect := func(f *pflag.Flag) { known[f.Name] = !notInConfig[f.Name] }
	root.PersistentFlags().VisitAll(collect)
	for _, c := range root.Commands() {
		c.Flags().VisitAll(collect)
		for _, sub := range c.Commands() {
			sub.Flags().VisitAll(collect)
		}
	}
	return known
}

// setFlag gives a TOML value to a flag; a list sets a repeatable flag once an item.
func setFlag(f *pflag.Flag, v any) error {
	list, ok := v.([]any)
	if !ok {
		return f.Value.Set(fmt.Sprint(v))
	}
	for _, item := range list {
		if err := f.Value.Set(fmt.Sprint(item)); err != nil {
			return err
		}
	}
	return nil
}

// lineOf finds the line of a top-level key; 0 if it is written in some other way.
func lineOf(text, key string) int {
	for i, line := range strings.Split(text, "\n") {
		name, _, _ := strings.Cut(line, "=")
		if strings.Trim(strings.TrimSpace(name), `"'[]`) == key {
			return i + 1
		}
	}
	return 0
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
