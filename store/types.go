package store

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"linkcheck/check"
	"linkcheck/check/likeness"
	"linkcheck/judge"
	"linkcheck/store/facts"
	"linkcheck/store/internal/boltfile"
	"linkcheck/store/internal/said"
)

// Link is one distinct link: its identity is the scheme key.
type Link struct {
	ID        uint64
	Key       string // scheme key: identity
	URL       string // as first written
	Scheme    string
	Host      string // "" if none; that of Target if there is one
	Target    string // what a link through a library's proxy leads to; "": it is no such link
	Via       string // how Target is written in URL, as [proxied.Wrap] reads it
	Relative  bool   // a relative reference whose base is not known
	FirstSeen time.Time
	Mentions  int  // live ones
	Variants  bool // its mentions spell it in more than one way

	State        judge.State    // the pin's where one holds
	Judged       judge.State    // without pins
	Changes      []judge.Change // in the run ChangedRun; none while a pin holds
	ChangedRun   uint64
	Last         check.Result // zero Outcome: never probed
	FirstChecked time.Time
	LastOK       time.Time
	FailingSince time.Time
	Strikes      int // since the last good answer
	Needed       int // strikes that make it dead, of the kind that it has; 0: none so far
	Checks       int // probes so far
	NextCheck    time.Time
	LastRun      uint64 // that probed it
	HostLives    bool   // the host gave some answer when that was last known
	Pin          *Pin   // the mark that holds now

	// What people said of it besides; nil: nothing. A wish to have it asked again ends with the
	// next answer.
	Note, Owner, Fix, Again *Pin

	Failing *judge.Judgement // of a link that is failing without its pin; nil for others

	Text      likeness.Memory // what it led to
	PageDoubt check.Flag      // judge.Judgement.PageDoubt; "" while a pin holds
}

// Mention is one location at which a link stands: its identity is (collection, record,
// locator, string as written). Where there is no locator it is line and column, or Nth.
type Mention struct {
	Link       uint64
	Collection string
	Source     string    // the name of its source, as it is shown
	Path       string    // the identity of its source
	Member     string    // path inside a container
	Line       int       // from 1; 0: none
	Column     int       // octets, from 1; 0: none
	Nth        int       // in documents whose lines move: that Raw stands there for the Nth time; 0: line and column count
	Record     string    // identifier of the record
	Locator    string    // such as a field of the record
	Raw        string    // exactly as written
	URL        string    // cleaned
	How        string    // how it was recognised
	Context    string    // a little text around it
	Title      string    // of the record or page
	Date       string    // of the document or record, as exact as that says it: 2006-01-02, 2006-01, 2006; "": not said
	DateFrom   string    // where it is said, a word of extract/doc
	Modified   time.Time // when its file was last changed; zero: not known
	CopyOf     string    // of what the link is a copy, where the place says so
	Owner      string    // who mends it, as the document or rules of its reading say; "": they do not
	Remote     uint32    // number of the Root of its source; 0: it stands in a file
	FirstSeen  time.Time
	LastSeen   time.Time
	Retired    time.Time // when it was found to be gone; zero: live
}

// Event is one remembered probe.
type Event struct {
	Run    uint64
	State  judge.State // the state after it
	Result check.Result
	Same   bool // as the event before, but for the time; the numbers of the probe are not stored
}

// Pin is what a person said of a link, or of all links of a host.
type Pin = said.Pin

// Run is one run of the program over the store.
type Run struct {
	ID       uint64
	Started  time.Time
	Ended    time.Time // zero: interrupted
	Version  string
	Checked  int
	Outcomes map[string]int
	States   map[string]int
	Changes  map[string]int
	Outages  []string // hosts
	Fallen   []string `json:",omitempty"` // those of Outages that lived when they were last asked: news
	Note     string   // why it ended early

	// Distrusted: our own network looked down; failures counted for nothing.
	Distrusted     bool     `json:",omitempty"`
	Canaries       int      `json:",omitempty"` // links known to be good that were asked besides
	FailedCanaries []string `json:",omitempty"` // those that were not there, and why

	Exit       *int            `json:",omitempty"` // exit code of the program; nil: not known
	Unreadable *int            `json:",omitempty"` // sources that could not be read; nil: none was to be read
	RecordURL  string          `json:",omitempty"` // where a record can be seen, with "{id}", as the run was told or knew; "": nowhere
	Order      json.RawMessage `json:",omitempty"` // by which those go that make the run together; nil: they know
}

// add adds what another part of a store says of the same run.
func (r *Run) add(n *Run) {
	if n.Started.Before(r.Started) {
		r.Started = n.Started
	}
	if r.Ended.IsZero() || n.Ended.IsZero() {
		r.Ended = time.Time{}
	} else if n.Ended.After(r.Ended) {
		r.Ended = n.Ended
	}
	r.Checked, r.Canaries, r.Distrusted = r.Checked+n.Checked, max(r.Canaries, n.Canaries), r.Distrusted || n.Distrusted
	for _, sums := range []struct {
		to   *map[string]int
		from map[string]int
	}{{&r.Outcomes, n.Outcomes}, {&r.States, n.States}, {&r.Changes, n.Changes}} {
		if *sums.to == nil {
			*sums.to = sums.from
			continue
		}
		for word, n := range sums.from {
			(*sums.to)[word] += n
		}
	}
	for _, list := range []struct {
		to   *[]string
		from []string
	}{{&r.Outages, n.Outages}, {&r.Fallen, n.Fallen}} {
		*list.to = append(*list.to, list.from...)
	}
	r.FailedCanaries = append(r.FailedCanaries, n.FailedCanaries...) // many parts have the same
	slices.Sort(r.FailedCanaries)
	r.FailedCanaries = slices.Compact(r.FailedCanaries)
	r.RecordURL = cmp.Or(r.RecordURL, n.RecordURL)
	if n.Note != r.Note {
		r.Note = strings.TrimPrefix(r.Note+"; "+n.Note, "; ")
		r.Note = strings.TrimSuffix(r.Note, "; ")
	}
	for _, most := range []struct {
		to   **int
		from *int
	}{{&r.Exit, n.Exit}, {&r.Unreadable, n.Unreadable}} {
		if *most.to == nil || most.from != nil && *most.from > **most.to {
			*most.to = most.from
		}
	}
}

// Source is one file that was read, or one document of a remote root.
type Source struct {
	Path       string // its identity (OUTCOMES section 4); of a document of a remote root, in that root
	Name       string // the path by which it was last read, as it is shown; "": Path
	Collection string // of a remote root, its name
	Root       string // the argument under which it was found
	Rows       string // the file of rows that it was last read from, whole; "": itself
	Options    string // fingerprint of the options of extraction; with another one it is read again
	Size       int64
	ModTime    time.Time
	Hash       []byte
	LastSeen   time.Time
	Gone       time.Time    // when it was found to be removed; zero: it exists
	Mentions   int          // found in it when it was last read
	Problems   int          // damages met when it was last read
	Damage     string       // the first of them, in words
	Faults     facts.Faults // what is wrong with its places for addresses
	NotRead    []facts.Kind // documents in it, or it itself, in formats that nothing reads; by name

	Number uint32 // in the order in which they were found; of Under and Known alone
	Asked  uint64 // Ingest.Reading in which it was last met, be it in vain; 0: it was only found
	Read   uint64 // Ingest.Reading in which it was last read whole, or found to be gone; 0: never

	// Of a document of a remote root.
	Remote  uint32    // number of its Root; 0: it is a file
	Version string    // the server's words about its state; of one that was not read yet, a list's
	Media   string    // its type, as the server calls it
	Depth   int       // hops from the root
	Noted   byte      // what the last step with it in Noted says, in the reader's own words; 0: nothing since it was last read
	NotedAt time.Time // when that was so, as the reader counts it
}

// Name is a message or a part of one that links may name without saying where it
// is (RFC 2392, RFC 5538), and where it stands.
type Name struct {
	Name    string
	Source  string // of those that FindNames finds
	Member  string
	Locator string
	Line    int
}

// Step is what a reading brings in one transaction. Done twice it is as if done once.
type Step struct {
	Batches []*Batch     // mentions
	Whole   []Source     // read whole, with the mentions of this step and of those before it
	Same    []Source     // not read: they are as they were when they were last read
	Failed  []Source     // there, and could not be read: their mentions stay
	Noted   []Source     // of remote roots, with what was heard of them: their mentions stay. Noted 0: they are there after all
	Found   []Source     // of remote roots: there, and not read yet
	Gone    []Source     // they do not exist any more: Finish retires their mentions
	Root    *Root        // as it is to be kept; one without a number is new, and gets one
	Kept    []facts.Kept // of remote roots, of which others of this step tell too
	Heard   []facts.Heard
}

// Stats is the store, or a part of it, in numbers.
type Stats struct {
	Schema    uint64
	Links     int // with a live mention
	Unnamed   int // all of whose mentions are retired
	Mentions  int
	Retired   int
	Events    int
	Sources   int
	Runs      int
	Pins      int
	States    map[string]int // of the links with a live mention
	FileBytes int64
	FreeBytes int64 // that compaction would give back, about
}

// Tally counts what a run found: outcomes of the links it probed, changes it made, and the states
// of all links with a live mention. What a person has pinned is no change: it is not news.
type Tally struct {
	Outcomes, States, Changes map[string]int
	Last                      map[check.Outcome]int // of the last probes of the links with a live mention
}

// Filter chooses links to probe. The zero value means those that are due, and those that a
// person wants to have asked again. Links without a live mention, ignored ones, and those of hosts that asked to be left
// alone are never chosen.
type Filter struct {
	All     bool          // whatever their date
	States  []judge.State // only these states, whatever their date
	Host    string        // only this host, whatever their date
	Wished  bool          // only links that a person wants to have asked again
	Version string        // of the program: links judged by another one without a probe are due again
	Failing bool          // with those that are due, failing links whose host is silent, early
}

// DueLink is one link that is to be probed.
type DueLink struct {
	ID        uint64
	URL       string // as first written
	Target    string // see [Link]
	Host      string // "" if none
	Relative  bool   // see [Link]
	State     judge.State
	Next      time.Time // when it was due; zero for new ones
	HostLives bool      // its host answered at the last telling check

	FailingSince time.Time // of a failing link that lived before; else zero
	DeadByNext   bool      // one more failure like the last makes it dead
	Early        bool      // not due: chosen by Filter.Failing
	Again        bool      // a person wants it asked first
}

// Faults that a caller branches on with errors.Is. The file is untouched in every one of
// these cases.
const (
	// ErrInUse: another process holds the store. The program ends with code 5.
	ErrInUse = boltfile.ErrInUse
	// ErrForeign: the file is no store of ours; an empty file is foreign too, for a
	// new store is made under another name and renamed (OUTCOMES section 5.1.12).
	ErrForeign = boltfile.ErrForeign
	// ErrNewer: a later version of the program wrote the store.
	ErrNewer boltfile.Error = "the store was written by a newer linkcheck"
	// ErrOlder: rules of an older edition placed the links of the set, which cannot be
	// changed by the present ones.
	ErrOlder boltfile.Error = "the set is one of older rules"
	// ErrCorrupt: the store is damaged or cut short. The program ends with code 4.
	ErrCorrupt = boltfile.ErrCorrupt
	// ErrReadOnly: the store is open for reading only and cannot be changed.
	ErrReadOnly = boltfile.ErrReadOnly
	// ErrNotFound: the link, run or pin is not in the store.
	ErrNotFound boltfile.Error = "not in the store"
	// ErrUnwritable: the disk is full or refuses. The program ends with code 4.
	ErrUnwritable = boltfile.ErrUnwritable
)
