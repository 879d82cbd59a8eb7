package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"linkcheck/check/browser"
	"linkcheck/internal/escape"
	"linkcheck/internal/exit"
	"linkcheck/internal/fault"
	"linkcheck/internal/flags"
	"linkcheck/internal/hostsettings"
	"linkcheck/internal/logs"
	"linkcheck/internal/openfile"
	"linkcheck/internal/preprocess"
	"linkcheck/internal/rootsettings"
	"linkcheck/internal/sandbox"
	"linkcheck/internal/streams"
	versions "linkcheck/internal/version"
	"linkcheck/uri/equal"
	"linkcheck/uri/registry"
	"linkcheck/uri/secret"
)

// version is what --version prints and servers are told. A release has the linker set it
// (-ldflags "-X main.version=1.2.3").
var version = "0.1"

func main() { os.Exit(program()) }

// helps says whether this process is a helper of another one of ours.
func helps() bool { return len(os.Args) == 2 && os.Args[1] == browser.HelperArgument }

// program is the whole process, but for its end.
func program() int {
	fault.Abort()
	if helps() {
		return browser.Help(os.Stdin, os.Stdout)
	}
	log.SetOutput(io.Discard) // net/http logs there when a server answers without a request
	return withSignals(func(ctx context.Context) int {
		return run(ctx, sandbox.Enter, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	})
}

// withSignals runs f in a context that Ctrl-C, SIGTERM and the end of the terminal end. From
// then on they do what they do by default: the second one ends the process. Under nohup
// the end of the terminal stays unheard.
func withSignals(f func(context.Context) int) int {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	if !signal.Ignored(syscall.SIGPIPE) { // a log that nobody reads ends no run: a write to it fails, and that is all
		signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	}
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	defer stop()
	context.AfterFunc(ctx, stop)
	return f(ctx)
}

// run is the program, with its arguments and standard streams handed in, and with the
// function that confines the process; nil confines nothing.
func run(ctx context.Context, enter func(sandbox.Files) error, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	out, told := streams.NewOutput(ctx, stdout), escape.NewWriter(secret.NewWriter(streams.NewOutput(ctx, stderr), args))
	shown := escape.NewWriter(out)
	begun := time.Now()
	a := &app{stdin: streams.NewInput(ctx, stdin), stdout: shown, stderr: told, log: logs.New(told, "linkcheck"), getenv: os.Getenv, environ: os.Environ(), enter: enter}
	defer a.removeScratch()
	defer a.closeBrowser()
	root := newRoot(a)
	if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		flags.Completing(root)
	}
	root.SetArgs(bareForms(args))
	verb, err := a.execute(ctx, root)
	err = a.addOrigin(err)
	_ = shown.Flush() // out keeps the error
	switch failed := out.Failure(); {
	case errors.Is(failed, syscall.EPIPE) && !isRun(verb): // its reader, such as head, has all it wants
		err = exit.With(exit.Unread)
	case failed != nil:
		err = exit.Fail(exit.Distrusted, "", "standard output: %w", failed)
	}
	defer told.Flush()
	a.startLog(args) // if the verb did not come that far
	code := a.leaveMetrics(ctx, verb, exit.Status(err, a.log))
	a.log.Event("ended", slog.Int("exit_code", code), slog.Int64("ms", time.Since(begun).Milliseconds()))
	return code
}

// isRun says that a verb is a run, and not its help: somebody counts on what it prints.
func isRun(verb *cobra.Command) bool {
	return verb != nil && verbPath(verb) == "run" && !verb.Flags().Changed("help")
}

// logFormats are the words of --log-format.
var logFormats = []string{"text", "json"}

// startLog begins the log in the form that the flags want. Where they could not be read, it
// is that which the words of the command line or the environment want.
func (a *app) startLog(args []string) {
	asJSON := a.logFormat == "json" || a.logJSON
	for i, arg := range args {
		if arg == "--" {
			break
		}
		asJSON = asJSON || arg == "--log-json" || arg == "--log-format=json" || arg == "--log-format" && i+1 < len(args) && args[i+1] == "json"
	}
	if args != nil && a.getenv(envName("log-format")) == "json" {
		asJSON = true
	}
	a.log.Start(asJSON, a.quiet)
}

// execute runs the verb, and says which one that was. A fault of the program is an error
// like others, so that its exit code does not say that nothing was done.
func (a *app) execute(ctx context.Context, root *cobra.Command) (verb *cobra.Command, err error) {
	defer func() {
		if f, ok := errors.AsType[*fault.Error](cmp.Or(fault.Of(recover()), err)); ok {
			verb, err = a.verb, exit.Fail(exit.Distrusted, "this is a fault of linkcheck; what was committed is kept", "%w\n%s", f, f.Trace)
		}
	}()
	return root.ExecuteContextC(ctx)
}

// app is what every verb shares: streams, environment and global flags.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer // each an escape.Writer
	log            *logs.Log // to stderr
	logFormat      string
	logJSON        bool // of run and check: that and the answers
	quiet          bool
	getenv         func(string) string
	environ        []string // "NAME=value"
	enter          func(sandbox.Files) error
	preprocess     preprocess.Rules // programs that make text of files
	scratch        string           // a folder for temporary files; "": none
	browser        *browser.Browser // of --browser; nil: none
	sandbox        string
	configFile     string
	showSecrets    bool
	registryFile   string
	proxied        bool                   // a proxy of the network is used
	hosts          *hostsettings.Table    // of the configuration
	roots          []rootsettings.Setting // of the configuration
	rules          equal.Rules            // those of package equal, with the registry of --registry
	origin         map[string]string      // flag -> where it was set, if not on the command line
	verb           *cobra.Command         // once it began
	figures        figures                // of a run
}

// newRoot builds the tree of verbs. This is their only list.
func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "linkcheck",
		Short: "Find the links in old documents, ask their servers, say what to mend",
		Long: `linkcheck reads archives of documents (RFC and draft text, mail and news, HTML,
library catalogues, web archives), finds every link in them, asks each server in
its own protocol whether the thing is still there, remembers the answers from
night to night, and tells a librarian what to mend.

Begin with "linkcheck demo": it shows everything at work, without a network.`,
		Example: `  linkcheck demo
  linkcheck run --store library.db catalogue.mrc mail/ rfc/
  linkcheck report --store library.db --html report.html
  linkcheck check gopher://gopher.floodgap.com/1/world
  linkcheck help exit-codes`,
		Version:       versions.Of(version).String(),
		SilenceUsage:  true,
		SilenceErrors: true,
		PersistentPreRunE: func(cmd *cobra.Command, args []string) (err error) {
			a.verb = cmd
			if err := a.configure(cmd.Context(), cmd); err != nil {
				return err
			}
			a.rules, err = readRules(cmd.Context(), a.registryFile) // one that cannot be read is an error of every verb
			if err := cmp.Or(err, flags.OneOf("log-format", a.logFormat, logFormats)); err != nil {
				return err
			}
			a.startLog(nil)
			a.log.Event("began", slog.String("verb", verbPath(cmd)), slog.String("version", version))
			if err := refuseLinkedStore(cmd, args); err != nil {
				return err
			}
			return a.confine(cmd, args)
		},
		Args: exit.WantVerb,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.log)
	root.SetFlagErrorFunc(badFlag)
	root.SetVersionTemplate("{{.Version}}")
	a.globalFlags(root)
	root.AddCommand(
		cmdRun(a), cmdExtract(a), cmdCheck(a), cmdReport(a), cmdLint(a), cmdDupes(a), cmdExplain(a), cmdMend(a), cmdArchive(a),
		cmdMark(a), cmdNote(a), cmdAssign(a), cmdFix(a), cmdLog(a), cmdStore(a), cmdRoots(a), cmdServe(a), cmdFleet(a), cmdNormalize(a), cmdCompare(a), cmdSchemes(a),
		cmdDemo(a), cmdInit(a), cmdMan(a), cmdVersion(a),
		&cobra.Command{Use: "exit-codes", Short: "What the exit codes mean", Long: exit.Table}, // a topic, not a verb
	)
	root.InitDefaultHelpCmd()
	if help, _, err := root.Find([]string{"help"}); err == nil {
		help.Args = exit.WantTopic
	}
	return root
}

// globalFlags are those of every verb.
func (a *app) globalFlags(root *cobra.Command) {
	f := root.PersistentFlags()
	f.StringVar(&a.configFile, "config", "", "TOML `FILE` with a key for every flag (default: ~/.config/linkcheck/linkcheck.toml, /etc/linkcheck/linkcheck.toml, and for harmless keys ./linkcheck.toml)")
	f.BoolVar(&a.showSecrets, "show-secrets", false, "print passwords of URIs instead of ***")
	f.StringVar(&a.registryFile, "registry", "", "TOML `FILE` with info namespaces and resolvers of your own")
	f.StringVar(&a.sandbox, "sandbox", "auto", "let the kernel deny all files that the verb does not name: `auto|require|off` (Linux)")
	flags.Completes(root, "sandbox", sandboxWords)
	f.BoolVar(&a.quiet, "quiet", false, "print nothing but what was asked for, warnings and errors; run and check: nothing unless there is news, for cron")
	f.StringVar(&a.logFormat, "log-format", "text", "what stands on standard error: `text|json`, one object a line")
	flags.Completes(root, "log-format", logFormats)
}

// badFlag makes a failure with a hint of an error of pflag's.
func badFlag(cmd *cobra.Command, err error) error {
	hint := exit.SeeHelp(cmd)
	var bad *pflag.InvalidValueError
	var unknown *pflag.NotExistError
	switch {
	case errors.As(err, &bad):
		err = fmt.Errorf("--%s: %w", bad.GetFlag().Name, flags.ValueError(bad.Unwrap(), bad.GetValue()))
	case errors.As(err, &unknown):
		if flag := flags.Nearest(unknown.GetSpecifiedName(), sortedKeys(flagsOf(cmd))); flag != "" {
			hint = exit.DidYouMean("--"+flag) + hint
		}
	}
	return exit.Fail(exit.BadUsage, hint, "%w", err)
}

// readRules gives the rules of package equal, with the registry of a file if one is named.
func readRules(ctx context.Context, file string) (equal.Rules, error) {
	if file == "" {
		return equal.Rules{}, nil
	}
	f, err := openfile.Read(ctx, file)
	if err != nil {
		return equal.Rules{}, exit.Usage("--registry: %w", err)
	}
	defer f.Close()
	reg, err := registry.Load(f)
	if err != nil {
		return equal.Rules{}, exit.Usage("--registry %s: %w", file, err)
	}
	return equal.Rules{Registry: reg}, nil
}
