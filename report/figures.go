package report

import (
	"fmt"
	"iter"
	"strings"
	"time"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/store"
)

// classes are the first words of reasons that name a protocol, or a part of the way to
// an answer.
var classes = map[string]bool{
	"cnrp": true, "cso": true, "dict": true, "dns": true, "file": true, "finger": true, "ftp": true, "gemini": true, "gopher": true, "http": true,
	"ldap": true, "nntp": true,
	"prospero": true, "redirect": true, "rpc": true, "rsync": true, "rtsp": true, "tcp": true, "telnet": true, "tls": true, "uri": true, "wais": true, "z3950": true,
}

// classOf is the class of a reason: whoever watches many links wants few words.
func classOf(r check.Reason) string {
	if word, _, ok := strings.Cut(string(r), "-"); ok && classes[word] {
		return word
	}
	return "other"
}

// watch counts a link for those who watch the nights from outside.
func (b *builder) watch(r *Row) {
	if r.Last.Outcome != check.Unknown {
		b.Results[[2]string{r.Last.Outcome.String(), classOf(r.Last.Reason)}]++
	}
	if r.Last.Outcome == check.Internal {
		b.Internal++
	}
	for _, name := range r.Collections {
		if b.ByCollection[name] == nil {
			b.ByCollection[name] = new([GroupCount]int)
		}
		b.ByCollection[name][r.Group]++
		if r.State == judge.Dead {
			b.dead[name]++
		}
	}
	judged := r.State
	if r.Pin != nil {
		judged = r.Judged // by which it is due
		if until := r.Pin.Until; !until.IsZero() && until.Before(b.Now.Add(lapseSoon)) {
			b.lapses[store.Pin{Link: r.Pin.Link, Host: r.Pin.Host}] = true
		}
	}
	if r.State == judge.Ignored || judged == judge.Invalid || judged == judge.NotCheckable {
		return
	}
	if judge.Due(judged, r.NextCheck, b.Now) {
		b.Due++
	}
	since := r.Last.At
	if r.Last.Outcome == check.Unknown {
		since = r.FirstSeen
	}
	if b.Waiting.IsZero() || since.Before(b.Waiting) {
		b.Waiting = since
	}
}

// setSuccess finds the last run that did all it had to, and the last one that read
// sources.
func (r *Report) setSuccess(runs []store.Run) {
	for i := range runs {
		if succeeded(&runs[i]) {
			r.LastSuccess = runs[i].Ended
		}
		if runs[i].Unreadable != nil {
			r.Unreadable = runs[i].Unreadable
		}
	}
}

// LastSuccess is when the last run ended that did all it had to; zero: none did.
func LastSuccess(runs iter.Seq2[store.Run, error]) (last time.Time, err error) {
	for r, err := range runs {
		if err != nil {
			return last, fmt.Errorf("report: read runs: %w", err)
		}
		if succeeded(&r) {
			last = r.Ended
		}
	}
	return last, nil
}

// succeeded says whether a run did all it had to: what it found is another matter, so
// that exit code 1 is a success. Where the code is not known, the run says whether it
// was cut short.
func succeeded(r *store.Run) bool {
	if r.Exit != nil {
		return *r.Exit == 0 || *r.Exit == 1
	}
	return !r.Ended.IsZero() && !r.Distrusted && r.Note == ""
}
