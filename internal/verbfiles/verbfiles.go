// Package verbfiles says which files the flags and arguments of a verb name: the ones that it
// may open once it is confined.
package verbfiles

import (
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"linkcheck/ingest"
	"linkcheck/internal/config"
	"linkcheck/internal/readflags"
	"linkcheck/internal/sandbox"
)

// access is what a verb does to the files that a flag or its arguments name.
type access int

const (
	reads   access = iota // files, or folders with all below them
	writes                // files that are made or replaced
	creates               // folders that are filled, and need not be there
)

// Flags that name files, and verbs whose arguments do. What the configuration, the
// registry among it, is read from is read before the sandbox.
var (
	fileFlags = map[string]access{
		"access-rules": reads, "ca-file": reads, "creds": reads, "tls-ca": reads, "tls-cert": reads, "tls-key": reads, "wall-rules": reads, "file-root": reads, "from": reads, "parked-hosts": reads, "parked-markers": reads, "persistent-hosts": reads, "smtp-password-file": reads, "token-file": reads, "own": reads, "save-key": reads,
		"csv": writes, "fixes": writes, "html": writes, "jsonl": writes, "metrics": writes, "store": writes, "xlsx": writes,
		"atom": writes, "director": writes, "github": writes, "gitlab": writes, "junit": writes, "markdown": writes, "sarif": writes,
		"copies": creates, "dir": creates, "out": creates, "split-owners": creates, "undo": reads,
	}
	fileArgs = map[string]access{
		"extract": reads, "lint": reads, "mend": reads, "run": reads, "store import": reads,
		"init": writes, "store backup": writes, "store export": writes,
		"man": creates, "store join": creates, "store split": creates,
	}
)

// Of lists the files that the flags and arguments of a verb name;
// the verb is its name with those above it, such as "store import".
func Of(verb string, cmd *cobra.Command, args []string) (f sandbox.Files) {
	add := func(how access, name string) {
		switch {
		case name == "" || name == "-":
		case how == reads:
			f.Read = append(f.Read, name)
		case how == writes:
			f.Write = append(f.Write, name)
		case how == creates:
			f.Create = append(f.Create, name)
		}
	}
	cmd.Flags().VisitAll(func(flag *pflag.Flag) {
		how, ok := fileFlags[flag.Name]
		if verb == "mend" && flag.Name == "fixes" {
			how = reads
		}
		if list, many := flag.Value.(pflag.SliceValue); ok && many {
			for _, name := range list.GetSlice() {
				add(how, name)
			}
		} else if ok && flag.Value.Type() == "string" {
			add(how, flag.Value.String())
		}
	})
	f.Read = append(f.Read, readflags.Files(cmd)...)
	if follow := cmd.Flags().Lookup("follow"); follow != nil && follow.Value.String() == "true" {
		f.Read = append(f.Read, ingest.LinkedFolders(args)...)
	}
	if how, ok := fileArgs[verb]; ok {
		for _, name := range args {
			add(how, name)
		}
	}
	switch {
	case verb == "init" && len(args) == 0:
		add(writes, config.Name)
	case verb == "store backup" && len(args) == 1 && isFolder(cmd.Flag("store").Value.String()):
		add(creates, filepath.Dir(filepath.Clean(args[0]))) // the copy is a folder, made beside its name
	case verb == "store salvage" && len(args) == 2:
		add(reads, args[0])
		add(writes, args[1])
	case verb == "demo" && cmd.Flag("dir").Value.String() == "":
		add(creates, os.TempDir())
	}
	return f
}

// isFolder says whether a path is a folder, such as that of a set.
func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// Flags are the names of the flags that name files.
func Flags() []string { return slices.Sorted(maps.Keys(fileFlags)) }

// Takes says whether the arguments of a verb name files.
func Takes(verb string) bool {
	_, ok := fileArgs[verb]
	return ok
}
