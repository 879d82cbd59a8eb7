package proof

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/mend"
	"linkcheck/report"
	"linkcheck/report/moved"
	"linkcheck/store"
	"linkcheck/uri/proxied"
	"linkcheck/uri/repair"
	"linkcheck/uri/secret"
)

// Kind is a kind of fix.
type Kind string

// The kinds, as --apply names them.
const (
	Moves    Kind = "moves"
	Repairs  Kind = "repairs"
	Prefixes Kind = "prefixes"
	Archived Kind = "archived"

	// Accepted is of a fix that a person accepted for one link: it is wanted whatever the others.
	Accepted Kind = "accepted"
)

// Kinds are those that --apply chooses from.
var Kinds = []Kind{Moves, Repairs, Prefixes, Archived}

// Prefix is the word of a person that addresses below Old are below New now.
type Prefix struct{ Old, New string }

// Options says which fixes are wanted.
type Options struct {
	Apply    []Kind
	Prefixes []Prefix
	// Rewrites are those of the whole store, of which Whole is the scope: prefixes of links
	// that moved alike, for the kind Prefixes where no person gave any.
	Rewrites []report.Rewrite
	Whole    *report.Scope
	// Find looks an address up in the store.
	Find func(url string) (store.Link, bool, error)
	// Way is what becomes of dead addresses, for the kind Archived; Copy gives the archived copy
	// for one place of a link, and of which day it is: "" is not known.
	Way  mend.Way
	Copy func(l *store.Link, m *store.Mention) (url, date string)
}

// Fix is a new address for one place. One that is not Proven is shown and not written.
type Fix struct {
	Kind   Kind
	At     store.Mention
	New    string
	Proof  string // in words
	Proven bool
	Hidden bool // a secret stands in it
	Trim   bool // blanks at the ends of the value go too; where New stands there already, nothing else
	Way    mend.Way
	Date   string // of an archived copy
}

// Find calls f for each fix of the links of a scope, link by link.
func Find(ctx context.Context, s *report.Scope, o Options, f func(Fix) error) error {
	if o.Whole != nil {
		if err := o.proveRewrites(ctx); err != nil {
			return err
		}
	}
	return s.EachRow(ctx, store.Pick{History: true}, func(r *report.Row) error {
		l := r.Link // as it is before it is described, which masks secrets
		s.Describe(r)
		all, err := o.prove(&l, r, s)
		if err != nil {
			return err
		}
		if f := l.Fix; f != nil && !f.Refused {
			all = proof{kind: Accepted, to: f.Text, words: "by " + f.By, proven: true}
		} else if refused(&l, &all) {
			all = proof{}
		}
		for _, m := range r.LiveMentions {
			p := all
			if p.kind == "" && slices.Contains(o.Apply, Repairs) {
				if p, err = o.spelled(&l, &m); err != nil {
					return err
				}
				if refused(&l, &p) {
					p = proof{}
				}
			}
			if !p.proven && slices.Contains(o.Apply, Archived) && (l.State == judge.Dead || l.State == judge.PinnedDead) {
				p = o.archived(&l, &m)
			}
			if p.kind == "" || m.Remote != 0 { // on no disk
				continue
			}
			fix := Fix{Kind: p.kind, At: m, Proof: p.words, Proven: p.proven, Way: p.way, Date: p.date}
			fix.New = p.address(&l, &m)
			fix.Trim = m.How == "$u" && slices.Contains(o.Apply, Repairs)
			same := fix.New == m.Raw
			if fix.New == "" || p.kind != Archived && (same && !(p.trims && fix.Trim) || fix.New == m.URL && p.kind != Repairs) {
				continue
			}
			fix.Hidden = secret.Mask(m.Raw) != m.Raw || secret.Mask(m.URL) != m.URL || secret.Mask(fix.New) != fix.New
			if p.kind != Archived && same && fix.Hidden {
				continue
			}
			if err := f(fix); err != nil {
				return err
			}
		}
		return nil
	})
}

// proof is what is known of a link: what to write in its place, and why.
type proof struct {
	kind   Kind
	words  string
	proven bool
	trims  bool   // there may be blanks at the ends of the value; there need be none
	to     string // of the link; "": see prefix
	prefix Prefix
	way    mend.Way // with the kind Archived; of a copy, as its date
	date   string
}

// prove gives the first proof of the kinds that are wanted.
func (o *Options) prove(l *store.Link, r *report.Row, s *report.Scope) (p proof, err error) {
	wanted := func(k Kind) bool { return slices.Contains(o.Apply, k) }
	if wanted(Prefixes) {
		if p := o.byPrefix(l); p.kind != "" {
			return p, nil
		}
	}
	switch {
	case r.Suggested == "" || r.Standing == report.OldResolver:
	case l.State == judge.Invalid && wanted(Repairs):
		if slices.Contains(l.Last.Flags, string(check.FlagRepairLives)) {
			return proof{kind: Repairs, to: r.Suggested, words: repairLives, proven: true}, nil
		}
		return o.repaired(r.Suggested)
	case r.Group == report.Update && wanted(Moves):
		return moving(r, s), nil
	}
	return proof{}, nil
}

// rewriteProof is how many proven moves it takes to prove the prefix that they share.
const rewriteProof = 3

// proveRewrites keeps those of the rewrites below which every link that was asked moved as
// they say, some of them provenly.
func (o *Options) proveRewrites(ctx context.Context) error {
	proven, against := make([]int, len(o.Rewrites)), make([]bool, len(o.Rewrites))
	err := o.Whole.EachRow(ctx, store.Pick{History: true}, func(r *report.Row) error {
		l := r.Link
		o.Whole.Describe(r)
		for i, w := range o.Rewrites {
			rest, below := strings.CutPrefix(l.URL, w.Old+"/")
			switch {
			case !below || l.Checks == 0:
			case r.Suggested != w.New+"/"+rest:
				against[i] = true
			case r.Proof.Proven():
				proven[i]++
			}
		}
		return nil
	})
	var kept []report.Rewrite
	for i, w := range o.Rewrites {
		if proven[i] >= rewriteProof && !against[i] {
			kept = append(kept, w)
		}
	}
	o.Rewrites = kept
	return err
}

const repairLives = "a slip of typing; the repaired address lives"

// repaired proves a repair by what is known of the repaired address.
func (o *Options) repaired(to string) (proof, error) {
	l, found, err := o.Find(to)
	if err != nil || !found {
		l.State = judge.New
	}
	return repairedBy(to, &l), err
}

func repairedBy(to string, l *store.Link) proof {
	p := proof{kind: Repairs, to: to, words: "a slip of typing; it is not known whether the repaired address lives"}
	switch {
	case l.State == judge.New:
	case lives(l):
		p.words, p.proven = repairLives, true
	default:
		p.words = fmt.Sprintf("a slip of typing; the repaired address is %s", l.State)
	}
	return p
}

// spelled proves repairs of how a value of MARC is written: blanks in it and at its ends, and
// the references of XML, which MARC does not have (in MARCXML: twice).
func (o *Options) spelled(l *store.Link, m *store.Mention) (proof, error) {
	switch to, why := repair.Value(m.How, m.Raw, m.URL); {
	case why == repair.References && to != m.URL:
		return o.repaired(to)
	case why == repair.References: // extract undid it: the run asked without
		return repairedBy(to, l), nil
	case why == repair.BlanksWithin && lives(l):
		return proof{kind: Repairs, to: to, words: "its blanks are written as %20; the address lives", proven: true}, nil
	case strings.HasPrefix(m.How, "$") && m.Raw != "" && m.Raw == m.URL && lives(l):
		return proof{kind: Repairs, to: m.URL, words: "blanks at the ends of the value; the address lives", proven: true, trims: true}, nil
	}
	return proof{}, nil
}

// lives says whether a link is there, by its answers or a person's word.
func lives(l *store.Link) bool {
	return l.State == judge.Alive || l.State == judge.Moved || l.State == judge.PinnedAlive
}

// moving proves a move (OUTCOMES section 1.5), in the words of a scope. A slash more or less is none.
func moving(r *report.Row, in *report.Scope) proof {
	if r.Proof.Why == "" || r.Proof.Why == moved.Slash {
		return proof{}
	}
	return proof{kind: Moves, to: r.Suggested, words: r.Proof.Sentence(in.Words), proven: r.Proof.Proven()}
}

// address is what to write in a place of the link: with the proxy through which it leads,
// and with the fragment that stands there (RFC 9110 section 10.2.2).
func (p *proof) address(l *store.Link, m *store.Mention) string {
	to := p.to
	if p.prefix.Old != "" {
		if l.Via != "" {
			to, _ = proxied.Wrap(l.Via, p.prefix.New+strings.TrimPrefix(l.Target, p.prefix.Old))
			return to
		}
		rest, ok := strings.CutPrefix(m.URL, p.prefix.Old)
		if !ok {
			return ""
		}
		return p.prefix.New + rest
	}
	if _, fragment, cut := strings.Cut(m.URL, "#"); cut && !strings.Contains(to, "#") {
		to += "#" + fragment
	}
	return to
}
