package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// somePaths wants at least one path.
func somePaths(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return fail(exitUsage, seeHelp(cmd), "%s wants a PATH, a file or a folder", cmd.Name())
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
