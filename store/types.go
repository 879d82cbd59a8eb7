// Package store is the memory between nights: links, mentions, results, history
// and states in one bbolt file. It is the only room that knows bbolt; no bbolt
// type shows in a signature, and what it returns is copied.
package store

import (
	"time"

	"linkcheck/check"
	"linkcheck/judge"
)

// Link is one distinct link: its identity is the scheme key.
type Link struct {
	ID        uint64
	Key       string // scheme key: identity
	URL       string // as first written
	Scheme    string
	Host      string // "" if none
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
	Strikes      int // fail_streak
	Needed       int // strikes that make it dead, of the kind that it has; 0: none so far
	Checks       int // checks_total
	NextCheck    time.Time
	LastRun      uint64 // that probed it
	HostLives    bool   // the host gave some answer at its last telling check
	Pin          *Pin
}

// Pin is a human decision.
type Pin struct {
	State judge.State // judge.PinnedAlive, judge.PinnedDead or judge.Ignored
	By    string
	Why   string
	At    time.Time
	Until time.Time // zero: for ever
}

// Mention is one occurrence of a link: its identity is (collection, record, locator, string as written).
type Mention struct {
	Link       uint64
	Collection string
	Source     string
	Member     string
	Line       int
	Column     int
	Record     string
	Locator    string
	Raw        string // exactly as written
	URL        string // cleaned
	How        string
	Context    string
	Title      string
	FirstSeen  time.Time
	LastSeen   time.Time
	Retired    time.Time // zero: live
}

// Event is one remembered probe.
type Event struct {
	Run    uint64
	State  judge.State // the state after it
	Result check.Result
	Same   bool // as the event before, but for the time; numbers of the visit are not kept
}

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
	Note     string   // why it ended early
}
