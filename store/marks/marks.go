// Package marks finds what a person's decision is about: a link, the links below an
// address, those of a record or a collection, or a host; it says what people say of links,
// gives the log of it, and takes it back. The store is all that it knows.
package marks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"linkcheck/judge"
	"linkcheck/store"
	"linkcheck/uri"
	"linkcheck/uri/proxied"
	"linkcheck/uri/secret"
)

// Kind says what the names of targets are names of.
type Kind int

// The kinds of names.
const (
	URL    Kind = iota // of links, or of hosts
	Prefix             // of addresses that links begin with
	Record             // of the records that links stand in
	All                // of nothing: all links
)

// ErrUnmarked is of a target that holds no decision where one is to be taken back.
var ErrUnmarked = errors.New("not marked")

// Targets are names of what a decision is about.
type Targets struct {
	Kind        Kind
	Names       []string // with All one, by which errors name it
	Collections []string // of the kinds but URL: only links that stand in one of them; empty: in any
	Marked      bool     // only what holds a decision, lapsed or not
}

// Find gives a pin without a decision for each link and host that the targets name: a link
// also by its spellings, and behind a library's proxy. A name that nothing has is an
// error that quotes it and wraps store.ErrNotFound, or ErrUnmarked.
func (t *Targets) Find(ctx context.Context, st *store.Store) ([]store.Pin, error) {
	f := finder{Targets: t, byKey: map[string][]int{}, pins: make([][]store.Pin, len(t.Names)), hosts: map[string][]int{}}
	for i, name := range t.Names {
		if err := f.add(st, i, name); err != nil {
			return nil, fmt.Errorf("%s: %w", secret.Mask(name), err)
		}
	}
	pick := store.Pick{Mentions: t.Kind == Record || len(t.Collections) > 0, Collections: t.Collections}
	for e, err := range st.Scan(pick) {
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return nil, err
		}
		f.take(&e)
	}
	return f.found(st)
}

// finder finds targets in one pass over the links.
type finder struct {
	*Targets
	byKey map[string][]int // names by the key of what is asked, or by record
	hosts map[string][]int // names that may be of a host that was not met yet
	pins  [][]store.Pin    // of each name
}

func (f *finder) add(st *store.Store, i int, name string) error {
	switch f.Kind {
	case Prefix:
		if _, err := uri.Parse(name); err != nil {
			return fmt.Errorf("no address: %w", err)
		}
		f.key(keyOf(name), i)
	case Record:
		f.key(name, i)
	case URL:
		l, found, err := st.Find(name)
		if err != nil {
			return err
		}
		asked := name
		if p, ok := proxied.Rules(nil).Target(name); found {
			asked, f.pins[i] = cmp.Or(l.Target, l.URL), []store.Pin{{Link: l.ID}}
		} else if ok {
			asked = p.Target
		}
		f.key(keyOf(asked), i)
		if !found && !strings.ContainsAny(name, "/:@") {
			host := HostOf(name)
			f.hosts[host] = append(f.hosts[host], i)
		}
	}
	return nil
}

func (f *finder) key(key string, i int) { f.byKey[key] = append(f.byKey[key], i) }

// take adds a link to the targets that name it.
func (f *finder) take(e *store.Entry) {
	key := e.Key
	if e.Target != "" {
		key = keyOf(e.Target)
	}
	switch f.Kind {
	case URL:
		f.link(f.byKey[key], e.ID)
		f.host(e.Host)
	case Prefix:
		for prefix, of := range f.byKey {
			if strings.HasPrefix(key, prefix) && f.within(e) {
				f.link(of, e.ID)
			}
		}
	case Record:
		for i := range e.LiveMentions {
			f.link(f.byKey[e.LiveMentions[i].Record], e.ID)
		}
	case All:
		if f.within(e) {
			f.link([]int{0}, e.ID)
		}
	}
}

// within says whether a link stands where the targets want it.
func (f *finder) within(e *store.Entry) bool { return len(f.Collections) == 0 || e.Picked > 0 }

func (f *finder) link(names []int, id uint64) {
	for _, i := range names {
		p := f.pins[i] // the first may be from a look-up; the others come in the order of the scan
		if n := len(p); n == 0 || p[0].Link != id && p[n-1].Link != id {
			f.pins[i] = append(p, store.Pin{Link: id})
		}
	}
}

func (f *finder) host(name string) {
	for _, i := range f.hosts[name] {
		f.pins[i] = append(f.pins[i], store.Pin{Host: name})
	}
	delete(f.hosts, name)
}

// found gives the pins of all names, or says which name is of nothing.
func (f *finder) found(st *store.Store) (all []store.Pin, err error) {
	known := map[store.Pin]bool{}
	for _, p := range st.Pins() {
		known[store.Pin{Link: p.Link, Host: p.Host}] = true
	}
	for host := range f.hosts { // a host that no link is on any more may still be marked
		if f.Marked && known[store.Pin{Host: host}] {
			f.host(host)
		}
	}
	for i, pins := range f.pins {
		fault := error(store.ErrNotFound)
		if f.Marked && len(pins) > 0 {
			pins, fault = slices.DeleteFunc(pins, func(p store.Pin) bool { return !known[p] }), ErrUnmarked
		}
		if f.Marked && f.Kind == URL && !strings.ContainsAny(f.Names[i], "/:@") {
			fault = ErrUnmarked // a host may be marked that has no link
		}
		if len(pins) == 0 {
			return nil, fmt.Errorf("%s: %w", secret.Mask(f.Names[i]), fault)
		}
		all = append(all, pins...)
	}
	return all, nil
}

// keyOf is the key of an address as a store has it; of what is none, the text itself.
func keyOf(s string) string {
	u, err := uri.Parse(s)
	if err != nil {
		return s
	}
	return uri.SchemeKey(u)
}

// HostOf gives the name of a host as links have it: in lower case, IDNs as A-labels.
func HostOf(name string) string {
	if u, err := uri.Parse("http://" + name + "/"); err == nil {
		if at, ok := u.Endpoint(); ok {
			return at.Host
		}
	}
	return strings.ToLower(name)
}

// OnHost says whether a link of the store is on a host; "" is one that all have.
func OnHost(st *store.Store, host string) (bool, error) {
	if host == "" {
		return true, nil
	}
	for e, err := range st.Scan(store.Pick{}) {
		if l := e.Link; err != nil || l.Host == host {
			return err == nil, err
		}
	}
	return false, nil
}

// Decisions are the words of a decision, as people give them.
var Decisions = []string{"alive", "dead", "ignore", "licence-walled"}

// licensed begins the reason of a link that is alive for those who hold a licence.
const licensed = "licence-walled: "

// Decide gives a pin of what a person decided, and why; false where the word is no decision.
func Decide(word, why string) (p store.Pin, ok bool) {
	switch word {
	case "alive":
		return store.Pin{State: judge.PinnedAlive, Why: why}, true
	case "dead":
		return store.Pin{State: judge.PinnedDead, Why: why}, true
	case "ignore":
		return store.Pin{State: judge.Ignored, Why: why}, true
	case "licence-walled":
		return store.Pin{State: judge.PinnedAlive, Why: licensed + why}, true
	}
	return p, false
}

// Decision is the word for what a pin says, and the reason as it was given.
func Decision(p *store.Pin) (word, why string) {
	why, walled := strings.CutPrefix(p.Why, licensed)
	switch {
	case walled:
		return "licence-walled", why
	case p.State == judge.Ignored:
		return "ignore", why
	}
	return strings.TrimPrefix(p.State.String(), "pinned-"), why
}

// Row is a decision as it is listed.
type Row struct {
	URL      string    `json:"url,omitempty"`  // of the link, or
	Host     string    `json:"host,omitempty"` // of all its links
	Decision string    `json:"decision"`
	By       string    `json:"by"`
	Why      string    `json:"why"`
	At       time.Time `json:"at"`
	Until    time.Time `json:"until,omitzero"`
	Lapsed   bool      `json:"lapsed"`
}

// List gives the decisions of a store: of links in the order of their addresses, then of hosts.
func List(st *store.Store, now time.Time) ([]Row, error) {
	pins := st.Pins()
	urls, err := addresses(st, pins)
	if err != nil {
		return nil, err
	}
	rows := make([]Row, len(pins))
	for i, p := range pins {
		rows[i] = Row{URL: urls[p.Link], Host: p.Host, By: p.By, At: p.At.Truncate(time.Second), Until: p.Until, Lapsed: !p.Until.IsZero() && !now.Before(p.Until)}
		rows[i].Decision, rows[i].Why = Decision(&p)
	}
	slices.SortFunc(rows, func(a, b Row) int { return cmp.Or(strings.Compare(a.Host, b.Host), strings.Compare(a.URL, b.URL)) })
	return rows, nil
}
