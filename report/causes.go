package report

import (
	"cmp"
	"slices"
	"strings"

	"linkcheck/judge"
)

// Cause is a fault that links share: the links of one host with one state and reason,
// or those below one prefix that moved.
type Cause struct {
	Group   Group
	State   Standing // of its links
	Host    string   // "" for links without a host
	Scheme  string
	Reason  string
	Links   int
	Records int
	Message string
	Step    string
	Reply   string   // of its first link
	Move    *Rewrite // the prefix that moved, for Update
	Command string   // records the decision that Step leads to; "": none

	records map[uint64]struct{}            // that mention its links
	single  struct{ step, command string } // Step and Command if it has one link only
}

// Name is the host of a cause, or else the scheme, or else the reason.
func (c *Cause) Name() string { return cmp.Or(strings.TrimSuffix(c.Host, ":"), c.Reason) }

// exampleHost says that the host is one label, as in the examples of documents ("http://a/b/c"):
// no name of the public network, so that there is little to mend.
func (c *Cause) exampleHost() bool {
	return c.Host != "" && c.Move == nil && !strings.ContainsAny(c.Host, ".:")
}

// decisions are the keys of steps that may end with marking a host, or a cause's only
// link, as alive.
var decisions = [...]string{"many.restricted", "many.restricted.http-401", "many.restricted.http-402", "many.restricted.login-page", "many.restricted.no-access", "many.undetermined",
	"step.drift", "step.other-site", "many.drift", "many.other-site",
	"step.restricted", "step.restricted.http-401", "step.restricted.http-402", "step.restricted.login-page", "step.restricted.no-access", "step.restricted.z3950-*", "step.undetermined"}

// markAlive is the command that pins a host or a link as alive: "" where the step of
// this key leads to no such decision, or the target is empty or has a password.
func (s *Scope) markAlive(key, target string) string {
	if target == "" || strings.Contains(target, ":***@") || !slices.Contains(decisions[:], key) {
		return ""
	}
	return "linkcheck mark " + s.storeFlag() + ShellWord(target) + " alive --why ''"
}

// storeFlag is how a command names the store; "" where it need not.
func (s *Scope) storeFlag() string {
	if s.Store == "" {
		return ""
	}
	return "--store " + ShellWord(s.Store) + " "
}

// ShellWord quotes a word for a shell where it must be.
func ShellWord(s string) string {
	if strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_:/") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

type causeKey struct {
	group        Group
	state        Standing
	host, reason string
	blamed       string // of which the sentence speaks
}

// causeOf gives the cause of a link in the groups Fix and Check, nil for others: the
// causes of moved links are their rewrites, which are found after the pass.
func (b *builder) causeOf(r *Row) *Cause {
	if r.Group != Fix && r.Group != Check {
		return nil
	}
	k := causeKey{r.Group, r.Standing, r.Host, string(r.Last.Reason), ""}
	if strings.Contains(b.Words.Text(MessageKey(b.Words, &r.Last)), "{host}") {
		k.blamed = blamed(r)
	}
	if r.Standing >= Drift {
		k.reason, k.blamed = r.Standing.String(), ""
	}
	if r.Host == "" {
		k.host = r.Scheme + ":"
	}
	c := b.causes[k]
	if c == nil {
		c = &Cause{Group: r.Group, State: k.state, Host: strings.Clone(k.host), Scheme: r.Scheme, Reason: strings.Clone(k.reason),
			Message: r.Message, Step: r.Step, Reply: strings.Clone(r.ServerReply()), records: map[uint64]struct{}{}}
		own := StepKey(b.Words, r)
		c.single.step, c.single.command = r.Step, b.markAlive(own, r.URL)
		if r.Standing >= Drift { // each page is another
			c.Message = b.Words.Get("doubt."+k.reason, "new", r.Last.FinalURL)
		}
		many := "many." + r.Standing.String()
		key, ok := b.Words.Find(many+".", k.reason)
		if !ok && (r.Group == Check || strings.Contains(b.Words.Text(own), "{")) {
			key = many
		}
		c.Step = cmp.Or(b.Words.Text(key), c.Step)
		c.Command = b.markAlive(key, r.Host)
		b.causes[k] = c
	}
	return c
}

// sortedCauses gives causes and rewrites, those with most links first, and those of
// examples at the end.
func (b *builder) sortedCauses() []Cause {
	var out []Cause
	for _, c := range b.causes {
		c.Records, c.records = len(c.records), nil
		if c.Links == 1 {
			c.Step, c.Command = c.single.step, c.single.command
		}
		out = append(out, *c)
	}
	for i := range b.Rewrites {
		w := &b.Rewrites[i]
		said := b.Words.Get("rewrite.agree", "n", b.Words.Number(w.Links), "of", b.Words.Number(w.Of))
		if w.Also > 0 {
			said += " " + b.Words.Count("rewrite.also", w.Also)
		}
		out = append(out, Cause{Group: Update, State: Standing(judge.Moved), Host: w.Old, Links: w.Links, Records: w.Records, Move: w, Message: said,
			Step: b.Words.Get("rewrite.step", "old", w.Old, "new", w.New)})
	}
	slices.SortFunc(out, func(x, y Cause) int {
		return cmp.Or(trueFirst(!x.exampleHost(), !y.exampleHost()), cmp.Compare(y.Links, x.Links), cmp.Compare(x.Group, y.Group), cmp.Compare(x.Host, y.Host),
			cmp.Compare(x.State.String(), y.State.String()), cmp.Compare(x.Reason, y.Reason))
	})
	return out
}
