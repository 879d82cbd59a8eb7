package flags

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Duration is a flag.Value for a time such as 90m, 4h or 30d: time.Duration has no
// days. What 0 means is for each flag to say.
type Duration time.Duration

// Day is 24 hours, whatever a clock change makes of one.
const Day = 24 * time.Hour

// String implements pflag.Value.
func (d *Duration) String() string {
	if v := time.Duration(*d); v >= Day && v%Day == 0 {
		return fmt.Sprintf("%dd", v/Day)
	}
	return time.Duration(*d).String()
}

// Type implements pflag.Value.
func (d *Duration) Type() string { return "duration" }

// Set implements pflag.Value.
func (d *Duration) Set(s string) error {
	if days, ok := strings.CutSuffix(s, "d"); ok {
		if n, err := strconv.ParseUint(days, 10, 16); err == nil {
			*d = Duration(time.Duration(n) * Day)
			return nil
		}
	}
	v, err := time.ParseDuration(s)
	if err != nil {
		return fmt.Errorf("%q is no time such as 90m, 4h or 30d", s)
	}
	*d = Duration(v)
	return nil
}

// wordsOf is the annotation of a flag that holds the words which complete it.
const wordsOf = "linkcheck words"

// Completes keeps the words of a flag for Completing.
func Completes(cmd *cobra.Command, flag string, words []string) {
	if f := cmd.Flag(flag); f != nil {
		if f.Annotations == nil {
			f.Annotations = map[string][]string{}
		}
		f.Annotations[wordsOf] = words
	}
}

// Completing has verbs complete their flags, as a shell wants it. Only where it does: cobra keeps
// such flags, and all that they lead to, for as long as the process lives.
func Completing(root *cobra.Command) {
	for _, sub := range root.Commands() {
		Completing(sub)
	}
	complete := func(f *pflag.Flag) {
		if words, ok := f.Annotations[wordsOf]; ok {
			_ = root.RegisterFlagCompletionFunc(f.Name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)) // there is such a flag
		}
	}
	root.Flags().VisitAll(complete)
	root.PersistentFlags().VisitAll(complete)
}

// Now is the flag that sets the clock, for tests.
func Now(cmd *cobra.Command, to *string) {
	cmd.Flags().StringVar(to, "now", "", "take this `TIME` for the present (for tests)")
}

// Word is a flag that wants one of some words. It only completes them: the command
// checks the word.
func Word(cmd *cobra.Command, to *string, name, value, help string, words []string) {
	cmd.Flags().StringVar(to, name, value, help)
	Completes(cmd, name, words)
}

// OneOf is an error of usage unless the value of a flag is one of at least two words.
func OneOf(flag, value string, words []string) error {
	if slices.Contains(words, value) {
		return nil
	}
	last := len(words) - 1
	return fmt.Errorf("--%s is %s or %s, not %q", flag, strings.Join(words[:last], ", "), words[last], value)
}

// Clock turns --now into a clock that starts at that time and runs on; "" is time.Now.
func Clock(at string) (func() time.Time, error) {
	if at == "" {
		return time.Now, nil
	}
	begin, err := ParseTime(at)
	if err != nil {
		return nil, fmt.Errorf("--now: %w", err)
	}
	started := time.Now()
	return func() time.Time { return begin.Add(time.Since(started)) }, nil
}

// ParseTime reads RFC 3339, or a date alone.
func ParseTime(s string) (time.Time, error) {
	if t, err := time.Parse(time.RFC3339, s); err == nil {
		return t, nil
	}
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return t, fmt.Errorf("%q is neither a time (2006-01-02T15:04:05Z) nor a date (2006-01-02)", s)
	}
	return t, nil
}

// Ago is now less an age such as 90d, 18m or 2y.
func Ago(now time.Time, age string) (time.Time, error) {
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
