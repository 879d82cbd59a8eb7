package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"linkcheck/check"
	"linkcheck/crawl"
	"linkcheck/extract"
	"linkcheck/harvest"
	"linkcheck/ingest"
	"linkcheck/internal/escape"
	"linkcheck/internal/exit"
	"linkcheck/internal/flags"
	"linkcheck/internal/netflags"
	"linkcheck/internal/plain"
	"linkcheck/report"
	"linkcheck/report/words"
	"linkcheck/store"
	"linkcheck/store/marks"
	"linkcheck/uri"
)

func cmdCheck(a *app) *cobra.Command {
	n := &storeRun{}
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "check [URI...]",
		Short: "Ask servers about URIs, once each; or about the links of the store that are due",
		Long: `With URIs, or "-" for one a line on standard input (empty lines and those that begin
with "#" are passed over): ask about each once and print what was learned, in the order
given; nothing is stored. Of five hosts and more one must answer: else the failures are
internal, since it is this machine that looks cut off (exit 4). Without: check the links of the store that are due, as run
does after reading its sources. With URIs and --store: ask these links of the store again now, keep
the answers, and note in "linkcheck log" that you wanted it.`,
		Example: `  linkcheck check gopher://gopher.floodgap.com/1/world
  linkcheck check --json - < uris.txt
  linkcheck check --proxy socks5://127.0.0.1:1080 --ipv4-only http://www.example.org/
  linkcheck check --store library.db --state failing,dead
  linkcheck check --store library.db http://www.example.org/atlas`,
		RunE: func(cmd *cobra.Command, uris []string) error {
			switch {
			case len(uris) > 0 && cmd.Flags().Changed("store") && a.origin["store"] == "":
				return a.askAgain(cmd, n, uris)
			case len(uris) > 0:
				return a.checkURIs(cmd, n, uris, asJSON)
			case asJSON:
				return exit.Usage("--json is for URIs given; 'linkcheck report --jsonl -' tells of the links of a store")
			}
			return a.runStore(cmd.Context(), n)
		}}
	n.net.Register(cmd, version)
	n.due.register(a, cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line")
	flags.Word(cmd, &n.failOn, "fail-on", "any", "exit with 1 on `WHAT`: any failure, newly-dead or dead links of the store, or never", failOnWords)
	return cmd
}

// askAgain notes that links of a store are to be asked again, and asks those of which a person
// wants it.
func (a *app) askAgain(cmd *cobra.Command, n *storeRun, uris []string) error {
	for _, name := range []string{"all", "new", "state", "host", "json"} {
		if cmd.Flags().Changed(name) && a.origin[name] == "" {
			return exit.Usage("--%s does not go with the URIs of links to ask again", name)
		}
	}
	uris, err := a.urisGiven(uris)
	if err != nil {
		return err
	}
	said := &sayFlags{store: n.due.store, now: n.net.Now}
	for _, u := range uris {
		if err := a.say(cmd.Context(), said, u, store.Pin{Verb: marks.Check, Text: marks.Now}, nil); err != nil {
			return err
		}
	}
	n.due.links.Wished = true
	return a.runStore(cmd.Context(), n)
}

// checkURIs asks about each URI once.
func (a *app) checkURIs(cmd *cobra.Command, n *storeRun, uris []string, asJSON bool) error {
	if err := a.refuseStoreFlags(cmd, n.failOn); err != nil {
		return err
	}
	if err := flags.OneOf("fail-on", n.failOn, failOnWords); err != nil {
		return err
	}
	uris, err := a.urisGiven(uris)
	if err != nil {
		return err
	}
	sentences, err := words.Open(n.due.lang)
	if err != nil {
		return exit.Usage("--lang: %w", err)
	}
	n.net.Hosts, n.net.Way.Getenv = a.hosts, a.getenv
	a.proxied = n.net.Way.Proxy != "" || n.net.Way.ProxyFromEnvironment
	net, err := n.net.Open(cmd.Context(), nil)
	if err != nil {
		return err
	}
	defer net.Probers.Close()
	o := net.Options
	o.NoRetry = true
	out := bufio.NewWriter(a.stdout)
	defer out.Flush()
	bar := a.progress()
	var answered atomic.Int64
	ended := bar.Repeat(func() string {
		return fmt.Sprintf("%s of %s answered", plain.Thousands(int(answered.Load())), plain.Plural(len(uris), "link", "links"))
	})
	defer ended()
	bad := false
	for answer, err := range crawl.Probe(cmd.Context(), uris, o) {
		if errors.Is(err, crawl.ErrNetworkDown) {
			bar.Clear()
			a.sayNetworkDown(exit.Text(err))
			return exit.With(exit.Distrusted)
		} else if err != nil {
			return err
		}
		answered.Add(1)
		bar.Clear()
		bad = bad || failed(answer.Result.Outcome)
		if err := a.writeAnswer(out, answer, sentences, asJSON); err != nil {
			return err
		}
		out.Flush()
	}
	if bad && n.failOn == "any" {
		return exit.With(exit.Matched)
	}
	return nil
}

// urisGiven are the arguments, or for "-" the lines of standard input.
func (a *app) urisGiven(args []string) (uris []string, err error) {
	if len(args) == 1 && args[0] == "-" {
		args = nil
		err = a.eachLine(nil, func(_ io.Writer, s string) error {
			if s = strings.TrimSpace(s); s != "" && s[0] != '#' {
				args = append(args, s)
			}
			return nil
		})
	}
	for _, s := range args {
		uris = append(uris, strings.TrimSpace(s))
	}
	return uris, err
}

// refuseStoreFlags refuses flags on the command line that mean nothing for URIs given.
func (a *app) refuseStoreFlags(cmd *cobra.Command, failOn string) error {
	given := func(name string) bool { return cmd.Flags().Changed(name) && a.origin[name] == "" }
	for _, name := range []string{"store", "all", "new", "state", "host", "max-duration", "metrics", "canary", "browser"} {
		if given(name) {
			return exit.Usage("--%s is for the links of a store, not for URIs given", name)
		}
	}
	if given("fail-on") && (failOn == "dead" || failOn == "newly-dead") {
		return exit.Usage("--fail-on %s is for the links of a store; for URIs given it is any or never", failOn)
	}
	return nil
}

// answerRow is a row of `check --json`.
type answerRow struct {
	URI      string   `json:"uri"`
	Outcome  string   `json:"outcome"`
	Reason   string   `json:"reason"`
	Evidence string   `json:"evidence"`
	Reply    string   `json:"reply"`
	FinalURL string   `json:"final_url"`
	Flags    []string `json:"flags"`
	MS       int64    `json:"ms"`
	Attempts int      `json:"attempts"`
	Target   string   `json:"target,omitempty"` // of a URI through a library's proxy
}

// rowOf is an answer as it is shown, without passwords.
func (a *app) rowOf(url string, r *check.Result) answerRow {
	return answerRow{
		URI: a.mask(url), Outcome: r.Outcome.String(), Reason: string(r.Reason), Evidence: r.Evidence.String(),
		Reply: a.maskText(r.Reply), FinalURL: a.mask(r.FinalURL), Flags: append([]string{}, r.Flags...),
		MS: r.Took.Milliseconds(), Attempts: r.Attempts,
	}
}

// logAnswer writes an answer that a run keeps to the log.
func (a *app) logAnswer(url string, r check.Result) {
	row := a.rowOf(url, &r)
	a.log.Answer(r.At.Truncate(time.Second), row.Outcome+" "+row.Reason+" "+row.URI,
		slog.String("uri", row.URI), slog.String("outcome", row.Outcome), slog.String("reason", row.Reason), slog.String("evidence", row.Evidence),
		slog.String("reply", row.Reply), slog.String("final_url", row.FinalURL), slog.Any("flags", row.Flags), slog.Int64("ms", row.MS), slog.Int("attempts", row.Attempts))
}

// writeAnswer prints an answer to `check URI...`.
func (a *app) writeAnswer(w io.Writer, ans crawl.Answer, sentences *words.Catalogue, asJSON bool) error {
	r := ans.Result
	row := a.rowOf(ans.URI, &r)
	row.Target = a.mask(ans.Proxy.Target)
	if asJSON {
		return writeJSON(w, row)
	}
	escape.Printf(w, "%-14s %s\n", row.Outcome, row.URI)
	escape.Printf(w, "  %s: %s\n", row.Reason, report.Sentence(sentences, cmp.Or(ans.Proxy.Target, ans.URI), &r))
	if ans.Proxy.Via != "" {
		escape.Printf(w, "  asked: %s, behind the proxy\n", row.Target)
	}
	if row.Reply != "" && r.Outcome != check.Invalid { // the server's words, or what was seen instead
		escape.Printf(w, "  seen: %s\n", row.Reply)
	}
	if guess, ok := guessURI(ans.URI); ok && r.Outcome == check.Invalid {
		escape.Printf(w, "  perhaps %s\n", a.mask(guess))
	}
	if row.FinalURL != "" && row.FinalURL != cmp.Or(row.Target, row.URI) {
		escape.Printf(w, "  ended at %s\n", row.FinalURL)
	}
	if len(row.Flags) > 0 {
		escape.Printf(w, "  flags: %s\n", strings.Join(row.Flags, ", "))
	}
	return nil
}

// addressOf gives the address of a web page where that is what the words name; "": they are
// paths.
func (a *app) addressOf(words []string) (string, error) {
	var r archives
	for _, word := range words {
		if err := r.add(a, word); err != nil {
			return "", err
		}
	}
	switch {
	case len(r.remote) == 0:
		return "", nil
	case len(words) > 1:
		return "", exit.Usage("the URI of a page stands alone")
	case r.remote[0].Kind != harvest.Web:
		return "", exit.Usage("extract reads one page; run reads %s", r.remote[0].URI)
	}
	return r.remote[0].URI, nil
}

// extractPage reads a page from its server and writes what was found in it.
func (a *app) extractPage(ctx context.Context, flags *netflags.Flags, address string, o extract.Options, jsonl bool) error {
	flags.Hosts, flags.Way.Getenv = a.hosts, a.getenv
	net, err := flags.Open(ctx, nil)
	if err != nil {
		return err
	}
	defer net.Probers.Close()
	u, err := uri.Parse(address)
	if err != nil {
		return exit.Usage("%w", err)
	}
	read := false
	r, err := net.Probers.Read(ctx, check.Target{URI: u}, check.Wanted{}, func(page *check.Answer) error {
		read = true
		o.Base, o.Context = cmp.Or(o.Base, page.URI.String()), ctx
		return a.extract(ctx, alone(ingest.Document(page.URI.String(), page.Body, o)), extract.NameOf, func() map[string]string { return nil }, jsonl)
	})
	if err == nil && !read {
		return exit.Fail(exit.Partial, "", "%s: %s (%s) %s", a.mask(address), r.Outcome, r.Reason, r.Reply)
	}
	if elsewhere, ok := errors.AsType[*check.Elsewhere](err); ok {
		return exit.Fail(exit.Partial, "give that address", "%s redirects to %s", a.mask(address), a.mask(elsewhere.To.String()))
	}
	return err
}
