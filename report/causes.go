package report

import (
	"cmp"
	"slices"
	"strings"
)

// Cause is a trouble that many links share: those of one host with one reason, or
// those below one prefix that moved.
type Cause struct {
	Group   Group
	State   string // of its links
	Host    string // "" for links without a host
	Scheme  string
	Reason  string
	Links   int
	Records int
	Message string
	Step    string
	Reply   string   // of its first link
	Move    *Rewrite // the prefix that moved, for Update
	Command string   // that writes the decision down which Step leads to; "": none

	records map[string]bool                // that mention its links, by name
	single  struct{ step, command string } // Step and Command if it has one link only
}

// Name is the host of a cause, the scheme where there is none, or what is wrong
// where there is neither.
func (c *Cause) Name() string { return cmp.Or(strings.TrimSuffix(c.Host, ":"), c.Reason) }

// decisions are the steps that end with marking a host, or the link where it is but one.
var decisions = [...]string{"many.restricted", "many.restricted.http-401", "many.restricted.http-402", "many.undetermined",
	"step.restricted", "step.restricted.http-401", "step.restricted.http-402", "step.restricted.z3950-*", "step.undetermined"}

// markAlive is the command that writes down that a host or a link is fine: "" where
// key is no such step, or the target has no name, or one with a password.
func (s *Scope) markAlive(key, target string) string {
	if target == "" || strings.Contains(target, ":***@") || !slices.Contains(decisions[:], key) {
		return ""
	}
	command := "linkcheck mark "
	if s.Store != "" {
		command += "--store " + ShellWord(s.Store) + " "
	}
	return command + ShellWord(target) + " alive --why ''"
}

// ShellWord quotes a word for a shell where it must be.
func ShellWord(s string) string {
	if strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_:/") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

type causeKey struct {
	group               Group
	state, host, reason string
}

// causeOf gives the cause that a link belongs to; nil where nothing can be done.
// Moved links find their causes later, as rewrites.
func (b *builder) causeOf(r *Row) *Cause {
	if r.Group != Fix && r.Group != Check {
		return nil
	}
	k := causeKey{r.Group, r.State.String(), r.Host, string(r.Last.Reason)}
	if r.Host == "" {
		k.host = r.Scheme + ":"
	}
	c := b.causes[k]
	if c == nil {
		c = &Cause{Group: r.Group, State: k.state, Host: strings.Clone(k.host), Scheme: r.Scheme, Reason: strings.Clone(k.reason),
			Message: r.Message, Step: r.Step, Reply: strings.Clone(r.ServerReply()), records: map[string]bool{}}
		own := StepKey(b.Words, r)
		c.single.step, c.single.command = r.Step, b.markAlive(own, r.URL)
		key, ok := b.Words.Find("many."+k.state+".", k.reason)
		if !ok && (r.Group == Check || strings.Contains(b.Words.Text(own), "{")) {
			key = "many." + k.state
		}
		if text := b.Words.Text(key); text != "" {
			c.Step = text
		}
		c.Command = b.markAlive(key, r.Host)
		b.causes[k] = c
	}
	return c
}

// sortedCauses joins causes and rewrites, what mends most first.
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
		out = append(out, Cause{Group: Update, State: "moved", Host: w.Old, Links: w.Links, Records: w.Records, Move: w,
			Message: b.Words.Get("rewrite.agree", "n", b.Words.Number(w.Links), "of", b.Words.Number(w.Of)),
			Step:    b.Words.Get("rewrite.step", "old", w.Old, "new", w.New)})
	}
	slices.SortFunc(out, func(x, y Cause) int {
		return cmp.Or(cmp.Compare(y.Links, x.Links), cmp.Compare(x.Group, y.Group), cmp.Compare(x.Host, y.Host),
			cmp.Compare(x.State, y.State), cmp.Compare(x.Reason, y.Reason))
	})
	return out
}
