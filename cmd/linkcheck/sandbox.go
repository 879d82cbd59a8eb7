package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"linkcheck/check/browser"
	"linkcheck/ingest"
	"linkcheck/internal/config"
	"linkcheck/internal/exit"
	"linkcheck/internal/flags"
	"linkcheck/internal/readflags"
	"linkcheck/internal/sandbox"
	"linkcheck/store"
)

// sandboxWords are those of --sandbox.
var sandboxWords = []string{"auto", "require", "off"}

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
		"extract": reads, "mend": reads, "run": reads, "store import": reads,
		"init": writes, "store backup": writes, "store export": writes,
		"man": creates, "store join": creates, "store split": creates,
	}
)

// scratch are the verbs that keep something in temporary files: unpacked members, rows of
// a workbook, the copy that is served.
var scratch = map[string]bool{
	"archive": true, "extract": true, "mend": true, "report": true, "run": true, "serve": true, "fleet work": true,
	"fleet init": true, "fleet upgrade": true, "fleet rebase": true,
}

// confine leaves a verb only the files that its flags and arguments name, from here to
// the end of the process.
func (a *app) confine(cmd *cobra.Command, args []string) error {
	if err := flags.OneOf("sandbox", a.sandbox, sandboxWords); err != nil {
		return err
	}
	required := a.sandbox == "require"
	if required && !sandbox.Available() {
		return exit.Fail(exit.BadUsage, "--sandbox=auto does without", "--sandbox=require: this system has no Landlock that denies reading and writing")
	}
	if err := a.startBrowser(cmd); err != nil {
		return err
	}
	if a.enter == nil || a.sandbox == "off" {
		return nil
	}
	files := filesOf(cmd, args)
	for _, s := range a.roots {
		if s.Path != "" && verbPath(cmd) == "run" {
			files.Read = append(files.Read, s.Path)
		}
	}
	if verbPath(cmd) == "run" || verbPath(cmd) == "extract" {
		files.Run = a.preprocess.Programs()
	}
	if verbPath(cmd) == "mend" && len(args) == 0 {
		files.Read = append(files.Read, rootsOfStore(cmd)...)
	}
	if scratch[verbPath(cmd)] {
		if dir, err := os.MkdirTemp("", "linkcheck-"); err == nil { // else whoever needs one says so
			a.scratch, files.Scratch = dir, dir
			os.Setenv("TMPDIR", dir)
		}
	}
	err := a.enter(files)
	if err != nil && required {
		return exit.Usage("--sandbox=require: %w", err)
	}
	if err != nil {
		a.log.Warn("without a sandbox: %s", err)
	}
	return nil
}

// rootsOfStore lists what was read from this disk, by the store that a verb names. A store
// that cannot be read has none: the verb says so.
func rootsOfStore(cmd *cobra.Command) (roots []string) {
	var of time.Time
	st, err := store.Open(cmd.Flag("store").Value.String(), &store.Options{Context: cmd.Context(), ReadOnly: true, Snapshot: &of})
	if err != nil {
		return nil
	}
	defer st.Close()
	for src, err := range st.Sources() {
		if err == nil && src.Remote == 0 && src.Gone.IsZero() && !slices.Contains(roots, src.Root) {
			roots = append(roots, src.Root)
		}
	}
	return roots
}

// removeScratch removes the folder for temporary files. The folder above it is not
// open, so what lies in it is removed first.
func (a *app) removeScratch() {
	left, _ := os.ReadDir(a.scratch) // none where there is no such folder
	for _, e := range left {
		_ = os.RemoveAll(filepath.Join(a.scratch, e.Name()))
	}
	_ = os.Remove(a.scratch)
}

// verbPath is the verb with those above it, such as "store import".
func verbPath(cmd *cobra.Command) string {
	_, verb, _ := strings.Cut(cmd.CommandPath(), " ")
	return verb
}

// filesOf lists the files that the flags and arguments of a verb name.
func filesOf(cmd *cobra.Command, args []string) (f sandbox.Files) {
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
		if verbPath(cmd) == "mend" && flag.Name == "fixes" {
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
	verb := verbPath(cmd)
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

// browserFlags are those of the browser that is asked before a link is dead.
type browserFlags struct {
	path      string
	noSandbox bool
}

func (b *browserFlags) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&b.path, "browser", "", "before a web link is dead ask also by the Chromium at this `PATH`")
	f.BoolVar(&b.noSandbox, "browser-no-sandbox", false, "start the browser without its own sandbox, as root must")
}

// startBrowser starts what --browser names, before a sandbox keeps us from starting
// programs.
func (a *app) startBrowser(cmd *cobra.Command) error {
	path, flag := cmd.Flags().Lookup("browser"), cmd.Flags().Lookup("browser-no-sandbox")
	if path == nil {
		return nil
	}
	noSandbox := flag.Value.String() == "true"
	switch {
	case path.Value.String() == "" && noSandbox:
		return exit.Usage("--browser-no-sandbox is for --browser")
	case path.Value.String() == "":
		return nil
	case os.Geteuid() == 0 && !noSandbox:
		return exit.Fail(exit.BadUsage, "or add --browser-no-sandbox: then only the sandbox of linkcheck is left around it",
			"--browser: for root a browser does without its own sandbox; run linkcheck as another user")
	}
	b, err := browser.Start(browser.Options{Path: path.Value.String(), NoSandbox: noSandbox, Confine: a.sandbox != "off"})
	if err != nil {
		return exit.Usage("--browser: %.200q cannot be run: %w", path.Value.String(), err)
	}
	a.browser = b
	return nil
}

func (a *app) closeBrowser() {
	if a.browser != nil {
		a.browser.Close()
	}
}
