// Package said keeps what people said of links and hosts: what holds of it now, in memory
// too, and the log of how it came to be so.
package said

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"time"

	"linkcheck/judge"
	"linkcheck/store/internal/boltfile"
	"linkcheck/store/internal/codec"
)

// Pin is a person's word about a link, or about all links of a host: a mark, which overrules
// what probes say, or one of the other verbs, which are of links alone. Of each verb one holds
// at a time. Without State and Text it takes back what held.
type Pin struct {
	Link    uint64      `json:"-"`          // 0: a host
	Host    string      `json:"-"`          // "": a link
	Verb    string      `json:",omitempty"` // "": a mark; note, assign, fix, check
	State   judge.State // of a mark: PinnedAlive, PinnedDead or Ignored
	Text    string      `json:",omitempty"` // of the others: the note, the owner, the new address; of check "now"
	Refused bool        `json:",omitempty"` // of fix: that address is not to be written
	By      string
	Why     string
	At      time.Time
	Until   time.Time // of a mark; zero: for ever
	ID      uint64    `json:",omitempty"` // its place in the log; 0: in none
	From    string    `json:",omitempty"` // by what it came: cli, browser, api
	Who     string    `json:",omitempty"` // who said it, where the word is By another: who took back the one between
	Undoes  uint64    `json:",omitempty"` // the ID of the word that it takes back
	Before  *Pin      `json:",omitempty"` // in the log: what it took the place of
}

// verbs are those beside the mark, with the octet that stands for them in keys.
var verbs = map[string]byte{"": 'm', "note": 'n', "assign": 'a', "fix": 'f', "check": 'c'}

// logged stands in keys of the log in the place of a verb.
const logged = '#'

// Empty says that a word takes back what held.
func (p *Pin) Empty() bool { return p.State == judge.New && p.Text == "" }

// Valid says whether a word is one.
func (p *Pin) Valid() bool {
	verb, mark := verbs[p.Verb], p.Verb == ""
	switch {
	case verb == 0, p.Link == 0 && (p.Host == "" || !mark), strings.ContainsRune(p.Host, 0):
		return false
	case mark:
		return p.Text == "" && (p.State == judge.New || p.State >= judge.PinnedAlive && p.State <= judge.Ignored)
	}
	return p.State == judge.New
}

// LinkKey begins the keys of all words about a link, and is that of its mark.
func LinkKey(link uint64) []byte { return append([]byte{'l'}, codec.Key(link)...) }

func (p *Pin) target() []byte {
	if p.Link != 0 {
		return LinkKey(p.Link)
	}
	return append([]byte{'h'}, strings.ToLower(p.Host)...)
}

// key is that of what holds: no host has an octet 0.
func (p *Pin) key() []byte {
	if p.Verb == "" {
		return p.target()
	}
	return append(p.target(), 0, verbs[p.Verb])
}

func (p *Pin) logKey() []byte { return append(append(p.target(), 0, logged), codec.Key64(p.ID)...) }

// LogID is the place in the log that a key names; 0: it is of no line of the log.
func LogID(k []byte) uint64 {
	at := len(k) - 10
	if at < 1 || k[at] != 0 || k[at+1] != logged || k[0] == 'l' && at != 1+codec.KeyLen || bytes.IndexByte(k[:at], 0) >= 0 && k[0] != 'l' {
		return 0
	}
	return codec.Number(k[at+2:])
}

// read makes a word of its row.
func read(k, v []byte) (p Pin, err error) {
	if err := json.Unmarshal(v, &p); err != nil || len(k) == 0 {
		return p, fmt.Errorf("pin %q: %w", k, codec.ErrShort)
	}
	if k[0] == 'l' && len(k) >= 1+codec.KeyLen {
		p.Link = codec.Number(k[1 : 1+codec.KeyLen])
	} else {
		host, _, _ := bytes.Cut(k[1:], []byte{0})
		p.Host = string(host)
	}
	if p.Before != nil {
		p.Before.Link, p.Before.Host = p.Link, p.Host
	}
	return p, nil
}

// Unnumbered is the row of a word without the numbers that its file gave it.
func Unnumbered(v []byte) ([]byte, error) {
	var p Pin
	if err := json.Unmarshal(v, &p); err != nil {
		return nil, fmt.Errorf("pin: %w", err)
	}
	p.ID, p.Undoes = 0, 0
	if p.Before != nil {
		p.Before.ID, p.Before.Undoes = 0, 0
	}
	return json.Marshal(p)
}

// Put writes a word in the place of what held, and its line of the log; where that stands it
// was put before.
func Put(b *boltfile.Bucket, p *Pin) error {
	if p.ID != 0 && b.Get(p.logKey()) != nil {
		return nil
	}
	row := *p
	row.Before = nil
	v, err := json.Marshal(row)
	if err != nil {
		return err
	}
	if p.Empty() {
		err = b.Delete(p.key())
	} else {
		err = b.Put(p.key(), v)
	}
	if err != nil || p.ID == 0 {
		return err
	}
	if v, err = json.Marshal(p); err != nil {
		return err
	}
	if err := b.Put(p.logKey(), v); err != nil {
		return err
	}
	return b.RaiseSequence(p.ID)
}

// Log adds the lines of the log in a bucket to a list that it sorts; of hosts only where that
// is home.
func Log(b *boltfile.Bucket, home bool, list *[]Pin) error {
	err := boltfile.Each(b, func(k, v []byte) error {
		if LogID(k) == 0 || k[0] != 'l' && !home {
			return nil
		}
		p, err := read(k, v)
		*list = append(*list, p)
		return err
	})
	slices.SortFunc(*list, func(a, b Pin) int { return cmp.Compare(a.ID, b.ID) })
	return err
}

// Table holds what holds in memory. All of it is in the file too.
type Table struct {
	mu    sync.RWMutex
	links map[uint64][]Pin
	hosts map[string]Pin
}

// Load fills the table from a bucket.
func (t *Table) Load(b *boltfile.Bucket) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.links, t.hosts = map[uint64][]Pin{}, map[string]Pin{}
	return boltfile.Each(b, func(k, v []byte) error {
		if LogID(k) != 0 {
			return nil
		}
		p, err := read(k, v)
		t.add(p)
		return err
	})
}

func (t *Table) add(p Pin) {
	p.Before = nil
	if p.Link == 0 {
		if t.hosts[p.Host] = p; p.Empty() {
			delete(t.hosts, p.Host)
		}
		return
	}
	list := slices.DeleteFunc(slices.Clone(t.links[p.Link]), func(old Pin) bool { return old.Verb == p.Verb })
	if !p.Empty() {
		list = append(list, p)
	}
	if t.links[p.Link] = list; len(list) == 0 {
		delete(t.links, p.Link)
	}
}

// Add has a word hold, as Put writes it.
func (t *Table) Add(p Pin) {
	t.mu.Lock()
	defer t.mu.Unlock()
	p.Host = strings.ToLower(p.Host)
	t.add(p)
}

// Of gives what holds of a verb, be it lapsed; nil: nothing.
func (t *Table) Of(p *Pin) *Pin {
	if p.Link != 0 {
		for _, q := range t.About(p.Link) {
			if q.Verb == p.Verb {
				return &q
			}
		}
		return nil
	}
	t.mu.RLock()
	defer t.mu.RUnlock()
	if q, ok := t.hosts[strings.ToLower(p.Host)]; ok {
		return &q
	}
	return nil
}

// About gives what holds about a link, lapsed marks too. It is not to be changed.
func (t *Table) About(link uint64) []Pin {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.links[link]
}

// Mark gives the mark that holds for a link at a time: its own before its host's.
func (t *Table) Mark(link uint64, host string, now time.Time) *Pin {
	for _, of := range []Pin{{Link: link}, {Host: host}} {
		if of.Link == 0 && of.Host == "" {
			continue
		}
		if p := t.Of(&of); p != nil && (p.Until.IsZero() || now.Before(p.Until)) {
			return p
		}
	}
	return nil
}

// Besides gives what people said of a link besides its mark; a wish to have it asked again ends
// with an answer since.
func (t *Table) Besides(link uint64, answered time.Time) (note, owner, fix, again *Pin) {
	for _, p := range t.About(link) {
		switch p.Verb {
		case "note":
			note = &p
		case "assign":
			owner = &p
		case "fix":
			fix = &p
		case "check":
			if p.At.After(answered) {
				again = &p
			}
		}
	}
	return note, owner, fix, again
}

// Marks lists the marks of tables, those that have lapsed too: links by number, then hosts by
// name. Those of hosts stand in the first table.
func Marks(tables iter.Seq[*Table]) (list []Pin) {
	home := true
	for t := range tables {
		t.mu.RLock()
		for _, p := range t.hosts {
			if home { // each shard of a fleet has those of hosts
				list = append(list, p)
			}
		}
		for _, words := range t.links {
			list = append(list, words...)
		}
		t.mu.RUnlock()
		home = false
	}
	list = slices.DeleteFunc(list, func(p Pin) bool { return p.Verb != "" })
	slices.SortFunc(list, func(a, b Pin) int { return cmp.Or(strings.Compare(a.Host, b.Host), cmp.Compare(a.Link, b.Link)) })
	return list
}
