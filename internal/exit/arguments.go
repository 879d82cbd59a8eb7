package exit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"linkcheck/internal/flags"
	"linkcheck/internal/plain"
	"linkcheck/uri/secret"
)

// WantPaths wants at least one path, and none that is empty.
func WantPaths(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return Fail(BadUsage, SeeHelp(cmd), "%s wants a PATH, a file or a folder", cmd.Name())
	}
	if slices.Contains(args, "") {
		return Fail(BadUsage, "'.' is this folder", "an empty PATH: is a variable of the shell not set?")
	}
	return nil
}

// ExactArgs wants n arguments, as many as the command's line of usage names.
func ExactArgs(n int) cobra.PositionalArgs { return argsFrom(n, n) }

// AtMostArgs wants no more than n arguments, as many as the command's line of usage names.
func AtMostArgs(n int) cobra.PositionalArgs { return argsFrom(0, n) }

func argsFrom(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < least || len(args) > most {
			line := strings.TrimSuffix(cmd.UseLine(), " [flags]")
			return Fail(BadUsage, SeeHelp(cmd), "%s given, want %q", plain.Plural(len(args), "argument", "arguments"), line)
		}
		return nil
	}
}

// WantVerb is for a command that has verbs below it. Cobra runs the verb if the first
// argument names one, so an argument that is left here is no verb.
func WantVerb(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var verbs []string
	for _, c := range cmd.Commands() {
		verbs = append(verbs, c.Name())
	}
	return Fail(BadUsage, DidYouMean(flags.Nearest(args[0], verbs))+SeeHelp(cmd), "unknown command %.200q for %q", secret.Mask(args[0]), cmd.CommandPath())
}

// WantTopic is for the help command: it wants the name of a verb or a topic, or nothing.
func WantTopic(cmd *cobra.Command, args []string) error {
	found, rest, err := cmd.Root().Find(args)
	if err != nil {
		return err
	}
	if len(rest) > 0 {
		return WantVerb(found, rest)
	}
	return nil
}

// NoArgs wants no argument. If the command has --store, an argument was probably meant
// as the store.
func NoArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := SeeHelp(cmd)
	if cmd.Flags().Lookup("store") != nil {
		hint = "--store FILE names a store; " + hint
	}
	return Fail(BadUsage, hint, "%s takes no argument such as %.200q", cmd.CommandPath(), secret.Mask(args[0]))
}

// DidYouMean begins a hint; "" if there is no word to suggest.
func DidYouMean(word string) string {
	if word == "" {
		return ""
	}
	return "did you mean " + word + "? "
}

// SeeHelp is a hint that names the command's help.
func SeeHelp(cmd *cobra.Command) string { return fmt.Sprintf("see '%s --help'", cmd.CommandPath()) }
