package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// somePaths wants at least one path.
func somePaths(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return fail(exitUsage, seeHelp(cmd), "%s wants a PATH, a file or a folder", cmd.Name())
	}
	if slices.Contains(args, "") {
		return fail(exitUsage, "'.' is this folder", "an empty PATH: is a variable of the shell not set?")
	}
	return nil
}

// nArgs wants as many arguments as the line of usage names.
func nArgs(n int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != n {
			line := strings.TrimSuffix(cmd.UseLine(), " [flags]")
			return fail(exitUsage, seeHelp(cmd), "%s given, want %q", plural(len(args), "argument", "arguments"), line)
		}
		return nil
	}
}

// atMost wants no more arguments than the line of usage names.
func atMost(n int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > n {
			return nArgs(n)(cmd, args)
		}
		return nil
	}
}

// aVerb wants none but a verb below cmd, which cobra has then found already.
func aVerb(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var verbs []string
	for _, c := range cmd.Commands() {
		verbs = append(verbs, c.Name())
	}
	return fail(exitUsage, didYouMean(nearest(args[0], verbs))+seeHelp(cmd), "unknown command %.200q for %q", args[0], cmd.CommandPath())
}

// helpTopic wants the name of a verb, or none.
func helpTopic(cmd *cobra.Command, args []string) error {
	found, rest, err := cmd.Root().Find(args)
	if err != nil {
		return err
	}
	if len(rest) > 0 {
		return aVerb(found, rest)
	}
	return nil
}

// badFlag says what is wrong with a flag.
func badFlag(cmd *cobra.Command, err error) error {
	hint := seeHelp(cmd)
	var bad *pflag.InvalidValueError
	var unknown *pflag.NotExistError
	switch {
	case errors.As(err, &bad):
		err = fmt.Errorf("--%s: %w", bad.GetFlag().Name, plainly(bad.Unwrap(), bad.GetValue()))
	case errors.As(err, &unknown):
		if flag := nearest(unknown.GetSpecifiedName(), sortedKeys(flagsOf(cmd))); flag != "" {
			hint = didYouMean("--"+flag) + hint
		}
	}
	return fail(exitUsage, hint, "%w", err)
}

// didYouMean begins a hint; nothing for nothing.
func didYouMean(word string) string {
	if word == "" {
		return ""
	}
	return "did you mean " + word + "? "
}

// noArgs wants none: who names a file here means the store.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := seeHelp(cmd)
	if cmd.Flags().Lookup("store") != nil {
		hint = "--store FILE names a store; " + hint
	}
	return fail(exitUsage, hint, "%s takes no argument such as %.200q", cmd.CommandPath(), args[0])
}

// seeHelp is a hint.
func seeHelp(cmd *cobra.Command) string { return fmt.Sprintf("see '%s --help'", cmd.CommandPath()) }
