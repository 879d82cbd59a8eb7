package main

import (
	"cmp"
	"io"
	"strings"
	"time"

	"linkcheck/check"
	"linkcheck/crawl"
	"linkcheck/internal/escape"
	"linkcheck/report"
	"linkcheck/report/words"
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

// logRow is a line of --log-json.
type logRow struct {
	Time string `json:"time"`
	answerRow
}

// logTo writes every answer that a run keeps, one JSON object a line.
func (a *app) logTo(w io.Writer) func(string, check.Result) {
	return func(url string, r check.Result) {
		_ = writeJSON(w, logRow{r.At.UTC().Format(time.RFC3339), a.rowOf(url, &r)}) // a log that cannot be written does not stop the run
	}
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
