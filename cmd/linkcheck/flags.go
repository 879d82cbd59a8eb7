package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"linkcheck/report/words"
	"linkcheck/uri/secret"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// durationFlag is a flag.Value for a time such as 90m, 4h or 30d: time.Duration has no
// days. What 0 means is for each flag to say.
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

// wantPaths wants at least one path, and none that is empty.
func wantPaths(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return fail(exitUsage, seeHelp(cmd), "%s wants a PATH, a file or a folder", cmd.Name())
	}
	if slices.Contains(args, "") {
		return fail(exitUsage, "'.' is this folder", "an empty PATH: is a variable of the shell not set?")
	}
	return nil
}

// exactArgs wants n arguments, as many as the command's line of usage names.
func exactArgs(n int) cobra.PositionalArgs { return argsFrom(n, n) }

// atMostArgs wants no more than n arguments, as many as the command's line of usage names.
func atMostArgs(n int) cobra.PositionalArgs { return argsFrom(0, n) }

func argsFrom(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < least || len(args) > most {
			line := strings.TrimSuffix(cmd.UseLine(), " [flags]")
			return fail(exitUsage, seeHelp(cmd), "%s given, want %q", plural(len(args), "argument", "arguments"), line)
		}
		return nil
	}
}

// wantVerb is for a command that has verbs below it. Cobra runs the verb if the first
// argument names one, so an argument that is left here is no verb.
func wantVerb(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var verbs []string
	for _, c := range cmd.Commands() {
		verbs = append(verbs, c.Name())
	}
	return fail(exitUsage, didYouMean(nearest(args[0], verbs))+seeHelp(cmd), "unknown command %.200q for %q", secret.Mask(args[0]), cmd.CommandPath())
}

// wantTopic is for the help command: it wants the name of a verb or a topic, or nothing.
func wantTopic(cmd *cobra.Command, args []string) error {
	found, rest, err := cmd.Root().Find(args)
	if err != nil {
		return err
	}
	if len(rest) > 0 {
		return wantVerb(found, rest)
	}
	return nil
}

// badFlag makes a failure with a hint of an error of pflag's.
func badFlag(cmd *cobra.Command, err error) error {
	hint := seeHelp(cmd)
	var bad *pflag.InvalidValueError
	var unknown *pflag.NotExistError
	switch {
	case errors.As(err, &bad):
		err = fmt.Errorf("--%s: %w", bad.GetFlag().Name, valueError(bad.Unwrap(), bad.GetValue()))
	case errors.As(err, &unknown):
		if flag := nearest(unknown.GetSpecifiedName(), sortedKeys(flagsOf(cmd))); flag != "" {
			hint = didYouMean("--"+flag) + hint
		}
	}
	return fail(exitUsage, hint, "%w", err)
}

// didYouMean begins a hint; "" if there is no word to suggest.
func didYouMean(word string) string {
	if word == "" {
		return ""
	}
	return "did you mean " + word + "? "
}

// noArgs wants no argument. If the command has --store, an argument was probably meant
// as the store.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := seeHelp(cmd)
	if cmd.Flags().Lookup("store") != nil {
		hint = "--store FILE names a store; " + hint
	}
	return fail(exitUsage, hint, "%s takes no argument such as %.200q", cmd.CommandPath(), secret.Mask(args[0]))
}

// seeHelp is a hint that names the command's help.
func seeHelp(cmd *cobra.Command) string { return fmt.Sprintf("see '%s --help'", cmd.CommandPath()) }

// completes tells shells the words of a flag.
func completes(cmd *cobra.Command, flag string, words []string) {
	// It fails only where there is no such flag: then nothing is completed.
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

// nowFlag is the flag that sets the clock, for tests.
func nowFlag(cmd *cobra.Command, to *string) {
	cmd.Flags().StringVar(to, "now", "", "take this `TIME` for the present (for tests)")
}

// langFlag is the flag of every verb that writes sentences.
func langFlag(cmd *cobra.Command, to *string) {
	wordFlag(cmd, to, "lang", "en", "`LANGUAGE` of sentences: "+strings.Join(words.Languages(), ", "), words.Languages())
}

// wordFlag is a flag that wants one of some words. It only completes them: the command
// checks the word.
func wordFlag(cmd *cobra.Command, to *string, name, value, help string, words []string) {
	cmd.Flags().StringVar(to, name, value, help)
	completes(cmd, name, words)
}

// storeFlag is the flag of every verb that opens a store.
func storeFlag(cmd *cobra.Command, to *string) {
	cmd.Flags().StringVar(to, "store", defaultStore, "`FILE` that remembers links and answers, or folder of a set of such files")
}

// defaultStore is the store where --store is not given.
const defaultStore = "linkcheck.db"

// storeArgument is what stands after --store in the commands that a report shows for
// copying; "" for the default store, with which they need no --store.
func storeArgument(store string) string {
	if store == defaultStore {
		return ""
	}
	return store
}

// nearest is the name that a word is a misspelling of; "" if there is none. With more
// edits than one in three letters it is another word.
func nearest(word string, names []string) (best string) {
	least := len(word)/3 + 1
	for _, name := range names {
		if n := editDistance(word, name); n < least {
			best, least = name, n
		}
	}
	return best
}

// editDistance counts the letters left out, added, changed or swapped with the next
// between two words (the optimal string alignment distance).
func editDistance(a, b string) int {
	var before []int
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		next := make([]int, len(b)+1)
		next[0] = i + 1
		for j := range len(b) {
			changed := row[j]
			if a[i] != b[j] {
				changed++
			}
			next[j+1] = min(row[j+1]+1, next[j]+1, changed)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}

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

// valueError says in words what is wrong with the value v of a flag: the errors of pflag
// name functions of strconv.
func valueError(err error, v string) error {
	switch {
	case err == nil:
		return nil
	case secret.Mask(v) != v: // err may repeat a part of it
		return fmt.Errorf("%.200q cannot be", secret.Mask(v))
	case strings.Contains(err.Error(), "ParseInt"), strings.Contains(err.Error(), "ParseUint"):
		return fmt.Errorf("%.200q is no whole number", v)
	case strings.Contains(err.Error(), "ParseFloat"):
		return fmt.Errorf("%.200q is no number", v)
	case strings.Contains(err.Error(), "ParseBool"):
		return fmt.Errorf("%.200q is neither true nor false", v)
	case strings.Contains(err.Error(), "time: "):
		return fmt.Errorf("%.200q is no time such as 500ms, 20s or 5m", v)
	}
	return err
}

// ago is now less an age such as 90d, 18m or 2y.
func ago(now time.Time, age string) (time.Time, error) {
	var n int
	var unit byte
	if _, err := fmt.Sscanf(age, "%d%c", &n, &unit); err == nil && fmt.Sprintf("%d%c", n, unit) == age && n >= 0 {
		switch unit {
		case 'd':
			return now.AddDate(0, 0, -n), nil
		case 'm':
			return now.AddDate(0, -n, 0), nil
		case 'y':
			return now.AddDate(-n, 0, 0), nil
		}
	}
	return now, fmt.Errorf("%q is no age such as 90d, 18m or 2y", age)
}
