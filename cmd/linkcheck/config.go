package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sort"
	"strconv"
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
	var failed error
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Changed || notInConfig[f.Name] || failed != nil {
			return
		}
		env := "LINKCHECK_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
		if v := a.getenv(env); v != "" {
			if err := setWords(f, v); err != nil {
				failed = usage("environment %s: %w", env, err)
			}
			f.Changed, a.origin[f.Name] = true, "the environment as "+env
			return
		}
		v, ok := file.values[f.Name]
		if !ok {
			return
		}
		if err := setFlag(f, v); err != nil {
			failed = usage("%s: %s: %w", file.at(f.Name), f.Name, err)
		}
		f.Changed, a.origin[f.Name] = true, file.at(f.Name)
	})
	return failed
}

// whence adds to an error of usage where its flag was set, if not on the command line.
func (a *app) whence(err error) error {
	var f *failure
	if !errors.As(err, &f) || f.code != exitUsage || f.hint != "" {
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

// configFile is what a config file says.
type configFile struct {
	name, text string
	values     map[string]any
}

// at names the line of a key.
func (c *configFile) at(key string) string {
	return fmt.Sprintf("%s:%d", c.name, lineOf(c.text, key))
}

// readConfig reads the config file and refuses keys that are no flag, by name and line.
func (a *app) readConfig(root *cobra.Command) (c configFile, err error) {
	c.name = a.configFile
	if c.name == "" {
		c.name = a.getenv("LINKCHECK_CONFIG")
	}
	asked := c.name != ""
	if !asked {
		c.name = defaultConfig
	}
	text, err := os.ReadFile(c.name)
	if errors.Is(err, fs.ErrNotExist) && !asked {
		return c, nil
	}
	if err != nil {
		return c, usage("config file: %w", err)
	}
	c.text, c.values = string(text), map[string]any{}
	if _, err := toml.Decode(c.text, &c.values); err != nil {
		var parse toml.ParseError
		if errors.As(err, &parse) {
			return c, usage("%s:%d: %s", c.name, parse.Position.Line, parse.Message)
		}
		return c, usage("%s: %w", c.name, err)
	}
	known := allFlags(root)
	for _, key := range sortedKeys(c.values) {
		if !known[key] {
			return c, fail(exitUsage, "'linkcheck init' writes a file with every key", "%s: unknown key %q", c.at(key), key)
		}
	}
	return c, nil
}

// allFlags collects the flags of every verb: a file may serve them all.
func allFlags(root *cobra.Command) map[string]bool {
	known := map[string]bool{}
	for _, c := range everyVerb(root) {
		c.LocalFlags().VisitAll(func(f *pflag.Flag) { known[f.Name] = !notInConfig[f.Name] })
	}
	return known
}

// setWords gives a flag what the environment says: a list may have one item a line.
func setWords(f *pflag.Flag, v string) error {
	if many, ok := f.Value.(pflag.SliceValue); ok && strings.Contains(v, "\n") {
		return many.Replace(strings.Split(strings.Trim(v, "\n"), "\n"))
	}
	return f.Value.Set(v)
}

// setFlag gives a TOML value to a flag; a list is for a repeatable flag alone.
func setFlag(f *pflag.Flag, v any) error {
	list, isList := v.([]any)
	if !isList {
		word, err := word(v)
		if err != nil {
			return err
		}
		return f.Value.Set(word)
	}
	many, ok := f.Value.(pflag.SliceValue)
	if !ok {
		return errors.New("one value is wanted, not a list")
	}
	var words []string
	for _, item := range list {
		word, err := word(item)
		if err != nil {
			return err
		}
		words = append(words, word)
	}
	return many.Replace(words)
}

// word writes a TOML value as one would on the command line.
func word(v any) (string, error) {
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

// lineOf finds the line where a top-level key or table begins; 0 if it is written
// in some other way.
func lineOf(text, key string) int {
	for i, line := range strings.Split(text, "\n") {
		name, _, _ := strings.Cut(line, "=")
		name = strings.TrimLeft(strings.TrimSpace(name), "[ \t\"'")
		if rest, ok := strings.CutPrefix(name, key); ok && (rest == "" || strings.ContainsAny(rest[:1], " \t\"'].")) {
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

// durationFlag is a time such as 90m, 4h or 30d; zero is none.
type durationFlag time.Duration

const oneDay = 24 * time.Hour

func (d *durationFlag) String() string {
	if v := time.Duration(*d); v >= oneDay && v%oneDay == 0 {
		return fmt.Sprintf("%dd", v/oneDay)
	}
	return time.Duration(*d).String()
}

func (d *durationFlag) Type() string { return "duration" }

func (d *durationFlag) Set(s string) error {
	if days, ok := strings.CutSuffix(s, "d"); ok {
		if n, err := strconv.ParseUint(days, 10, 16); err == nil {
			*d = durationFlag(time.Duration(n) * oneDay)
			return nil
		}
	}
	v, err := time.ParseDuration(s)
	if err != nil {
		return fmt.Errorf("%q is no time such as 90m, 4h or 30d", s)
	}
	*d = durationFlag(v)
	return nil
}
