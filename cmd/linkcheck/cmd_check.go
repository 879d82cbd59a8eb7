package main

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"linkcheck/check"
	"linkcheck/crawl"
	"linkcheck/judge"
	"linkcheck/report"
	"linkcheck/store"
)

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
}

type checkFlags struct {
	net    netFlags
	json   bool
	failOn string
	due    dueFlags
}

func cmdCheck(a *app) *cobra.Command {
	c := &checkFlags{}
	cmd := &cobra.Command{
		Use:   "check [URI...]",
		Short: "Ask servers about URIs, once each; or about the links of the store that are due",
		Long: `With URIs, or "-" for one a line on standard input (empty lines and those that begin
with "#" are passed over): ask about each once and print what was learned, in the order
given; nothing is stored. Without: check the links of the store that are due, as run
does after reading its sources.`,
		Example: `  linkcheck check gopher://gopher.floodgap.com/1/world
  linkcheck check --json - < uris.txt
  linkcheck check --store library.db --state failing,dead`,
		RunE: func(cmd *cobra.Command, uris []string) error {
			if len(uris) == 0 {
				return a.checkStore(cmd, c)
			}
			if err := a.onlyForStore(cmd, c); err != nil {
				return err
			}
			return a.checkURIs(cmd, c, uris)
		},
	}
	c.net.register(cmd)
	c.due.register(cmd)
	f := cmd.Flags()
	f.BoolVar(&c.json, "json", false, "one JSON object a line")
	f.StringVar(&c.failOn, "fail-on", "any", "exit with 1 on `WHAT`: any failure, newly-dead or dead links of the store, or never")
	completes(cmd, "fail-on", failOnWords[:])
	return cmd
}

func (a *app) checkURIs(cmd *cobra.Command, c *checkFlags, uris []string) error {
	if err := validFailOn(c.failOn); err != nil {
		return err
	}
	if len(uris) == 1 && uris[0] == "-" {
		uris = nil
		err := a.eachLine(nil, func(_ io.Writer, s string) error {
			if s = strings.TrimSpace(s); s != "" && s[0] != '#' {
				uris = append(uris, s)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	words, err := report.NewSentences(c.due.lang)
	if err != nil {
		return usage("--lang: %w", err)
	}
	for i := range uris {
		uris[i] = strings.TrimSpace(uris[i])
	}
	net, err := c.net.open(nil)
	if err != nil {
		return err
	}
	defer net.probers.Close()
	o := c.net.checkOptions(net)
	o.NoRetry = true
	out := bufio.NewWriter(a.stdout)
	defer out.Flush()
	bar := a.progress(false)
	var told atomic.Int64
	ended := bar.keep(func() string {
		return fmt.Sprintf("%s of %s answered", thousands(int(told.Load())), plural(len(uris), "link", "links"))
	})
	defer ended()
	bad := false
	for answer, err := range crawl.Probe(cmd.Context(), uris, o) {
		if err != nil {
			return err
		}
		told.Add(1)
		bar.done()
		bad = bad || failed(answer.Result.Outcome)
		if err := a.writeAnswer(out, answer, words, c.json); err != nil {
			return err
		}
		out.Flush()
	}
	if bad && c.failOn == "any" {
		return quietly(exitMatched)
	}
	return nil
}

// failed is what --fail-on any means, OUTCOMES section 1.4.
func failed(o check.Outcome) bool {
	switch o {
	case check.Gone, check.Unreachable, check.Temporary, check.Suspect, check.Invalid, check.Internal:
		return true
	}
	return false
}

// rowOf is an answer as it is shown, without passwords.
func (a *app) rowOf(url string, r *check.Result) answerRow {
	return answerRow{
		URI: a.mask(url), Outcome: r.Outcome.String(), Reason: string(r.Reason), Evidence: r.Evidence.String(),
		Reply: a.mask(r.Reply), FinalURL: a.mask(r.FinalURL), Flags: append([]string{}, r.Flags...),
		MS: r.Took.Milliseconds(), Attempts: r.Attempts,
	}
}

// logRow is a line of --log-json.
type logRow struct {
	Time string `json:"time"`
	answerRow
}

// logTo writes every answer that a run keeps, one JSON object a line.
func (a *app) logTo(w io.Writer) func(string, check.Result) {
	return func(url string, r check.Result) {
		_ = writeJSON(w, logRow{r.At.UTC().Format(time.RFC3339), a.rowOf(url, &r)}) // a closed log stops no run
	}
}

func (a *app) writeAnswer(w io.Writer, ans crawl.Answer, words *report.Sentences, asJSON bool) error {
	r := ans.Result
	row := a.rowOf(ans.URI, &r)
	if asJSON {
		return writeJSON(w, row)
	}
	fmt.Fprintf(w, "%-14s %s\n", row.Outcome, oneRow(row.URI))
	fmt.Fprintf(w, "  %s: %s\n", row.Reason, words.What(ans.URI, &r))
	if row.Reply != "" && r.Outcome != check.Invalid { // the server's words, or what was seen instead
		fmt.Fprintf(w, "  seen: %s\n", row.Reply)
	}
	if guess, ok := meant(ans.URI); ok && r.Outcome == check.Invalid {
		fmt.Fprintf(w, "  perhaps %s\n", a.mask(guess))
	}
	if row.FinalURL != "" && row.FinalURL != row.URI {
		fmt.Fprintf(w, "  ended at %s\n", oneRow(row.FinalURL))
	}
	if len(row.Flags) > 0 {
		fmt.Fprintf(w, "  flags: %s\n", strings.Join(row.Flags, ", "))
	}
	return nil
}

// onlyForStore refuses flags on the command line that mean nothing for URIs given.
func (a *app) onlyForStore(cmd *cobra.Command, c *checkFlags) error {
	given := func(name string) bool { return cmd.Flags().Changed(name) && a.origin[name] == "" }
	for _, name := range []string{"store", "all", "new", "state", "host", "max-duration", "metrics", "quiet"} {
		if given(name) {
			return usage("--%s is for the links of a store, not for URIs given", name)
		}
	}
	if given("fail-on") && (c.failOn == "dead" || c.failOn == "newly-dead") {
		return usage("--fail-on %s is for the links of a store; for URIs given it is any or never", c.failOn)
	}
	return nil
}

func (a *app) checkStore(cmd *cobra.Command, c *checkFlags) error {
	if c.json {
		return usage("--json is for URIs given; 'linkcheck report --jsonl -' tells of the links of a store")
	}
	return a.night(cmd.Context(), &nightly{net: &c.net, due: &c.due, failOn: c.failOn})
}

// dueFlags choose the links of a store.
type dueFlags struct {
	store       string
	all, fresh  bool
	states      []string
	host        string
	maxDuration durationFlag
	quiet       bool
	logJSON     bool
	lang        string
	metrics     string
}

func (d *dueFlags) register(cmd *cobra.Command) {
	f := cmd.Flags()
	storeFlag(cmd, &d.store)
	f.BoolVar(&d.all, "all", false, "check every link, due or not")
	f.BoolVar(&d.fresh, "new", false, "only links that were never checked")
	f.StringSliceVar(&d.states, "state", nil, "only links in these `STATES`, such as failing,dead")
	f.StringVar(&d.host, "host", "", "only links on this `HOST`")
	f.Var(&d.maxDuration, "max-duration", "stop after this `TIME`; the rest stays due (exit code 3); 0 is no limit")
	f.BoolVar(&d.quiet, "quiet", false, "print nothing unless there is news: for cron")
	f.BoolVar(&d.logJSON, "log-json", false, "write every answer to standard error, one JSON object a line, also with --quiet")
	f.StringVar(&d.lang, "lang", "en", "`LANGUAGE` of sentences: "+strings.Join(report.Languages(), ", "))
	completes(cmd, "lang", report.Languages())
	completes(cmd, "state", stateWords())
	f.StringVar(&d.metrics, "metrics", "", "write figures for node_exporter's textfile collector into `FILE`")
}

func (d *dueFlags) filter() (store.Filter, error) {
	filter := store.Filter{All: d.all, Host: d.host}
	if d.host != "" {
		filter.Host = hostOf(d.host)
	}
	if d.maxDuration < 0 {
		return filter, usage("--max-duration is not negative")
	}
	if !slices.Contains(report.Languages(), d.lang) {
		return filter, usage("--lang: %q is not one of %s", d.lang, strings.Join(report.Languages(), ", "))
	}
	if d.fresh {
		filter.States = append(filter.States, judge.New)
	}
	for _, word := range d.states {
		s, ok := stateOf(word)
		if !ok {
			return filter, usage("--state: %q is no state; there are %s", word, strings.Join(stateWords(), ", "))
		}
		filter.States = append(filter.States, s)
	}
	return filter, nil
}

// stateWords lists the words of all states.
func stateWords() (words []string) {
	for s := judge.New; s <= judge.Ignored; s++ {
		words = append(words, s.String())
	}
	return words
}

// stateOf reads the word of a state.
func stateOf(word string) (judge.State, bool) {
	for s := judge.New; s <= judge.Ignored; s++ {
		if s.String() == word {
			return s, true
		}
	}
	return 0, false
}
