package nntp

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"linkcheck/check"
	"linkcheck/check/wire"
)

// way is a command that lists articles, and the code of its list.
type way struct {
	command string
	code    int
}

// ways are those of asking for the articles of a group, from the best on. RFC 977 knows none
// of them: then each number is asked for.
var ways = [...]way{{"OVER", 224}, {"XOVER", 224}, {"HDR Message-ID", 225}, {"XHDR Message-ID", 221}, {"LISTGROUP", 211}, {"", 0}}

const (
	listGroup = 4 // of ways
	oneByOne  = 5
)

// habits are what a server was seen to do. It is not asked each night for what it does not
// know.
type habits struct {
	List int  `json:"list"` // of ways, the first that it knows
	Full bool `json:"full"` // its LISTGROUP takes no range
	IDs  int  `json:"ids"`  // of idWays, the first by which it gives message-ids

	Listed bool `json:"listed"` // it has given a list in that way; else nothing is known of ways
}

// isWorse says whether h are those of a server that knows less than one of other habits.
func (h habits) isWorse(other habits) bool {
	return other.Listed && (h.List > other.List || h.IDs > other.IDs || h.Full && !other.Full)
}

// How long habits are believed. A server may have learned more; one that knew more before
// may be in trouble, and is asked again the next night, then ever more seldom.
const (
	habitsLast  = 30 * 24 * time.Hour
	troubleLast = 20 * time.Hour // at first
)

// keptHabits are those that are kept from run to run.
type keptHabits struct {
	habits
	Until   time.Time     `json:"until"`   // they are believed
	Wait    time.Duration `json:"wait"`    // for so long, in nanoseconds
	Trouble bool          `json:"trouble"` // it knew more before
	Before  habits        `json:"before"`  // as that was
}

// memory keeps the habits of servers.
type memory struct {
	mu    sync.Mutex
	known map[key]habits
	cache check.Cache // nil: they are kept for the run
}

func (k key) cached() string { return fmt.Sprintf("nntp:%s %t", k.address, k.tls) }

// kept gives what is kept of a server; false: nothing is.
func (m *memory) kept(k key) (h keptHabits, ok bool) {
	if m.cache == nil {
		return h, false
	}
	b, ok := m.cache.CacheGet(k.cached())
	if !ok || json.Unmarshal(b, &h) != nil || !h.isValid() || !h.Before.isValid() {
		return keptHabits{}, false
	}
	return h, true
}

func (h habits) isValid() bool {
	return h.List >= 0 && h.List < len(ways) && h.IDs >= 0 && h.IDs < len(idWays)
}

// of gives the habits of a server.
func (m *memory) of(k key, now time.Time) habits {
	m.mu.Lock()
	defer m.mu.Unlock()
	if h, ok := m.known[k]; ok {
		return h
	}
	h, _ := m.kept(k)
	if now.Before(h.Until) {
		return h.habits
	}
	return h.Before
}

// keep keeps those that were seen now.
func (m *memory) keep(k key, h habits, now time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if before, ok := m.known[k]; ok && before == h || !ok && h == (habits{}) {
		return
	}
	m.known[k] = h
	old, ok := m.kept(k)
	if m.cache == nil || ok && h == old.habits && now.Before(old.Until) {
		return
	}
	seen, before := keptHabits{habits: h, Wait: habitsLast}, old.habits
	if old.Trouble {
		before = old.Before
	}
	if ok && h.isWorse(before) {
		seen.Trouble, seen.Before, seen.Wait = true, before, troubleLast
		if old.Trouble {
			seen.Wait = min(2*old.Wait, habitsLast)
		}
	}
	seen.Until = now.Add(seen.Wait)
	if b, err := json.Marshal(seen); err == nil {
		m.cache.CachePut(k.cached(), b, seen.Until.Add(habitsLast))
	}
}

// ranged asks for the articles from b.first on. By the server they begin at low and end at
// high, which may be wrong.
func (b *bringing) ranged(s *session, group reply, low, high uint64) check.Result {
	span := fmt.Sprintf("%d-", b.first)
	if b.last > 0 {
		span = fmt.Sprintf("%d-%d", b.first, b.last)
	}
	if byNumber := !strings.HasSuffix(b.uri.Scheme(), "news"); byNumber {
		r, err := b.askWay(s, listGroup, span)
		switch {
		case err != nil:
			return check.Classify(err)
		case r.code != ways[listGroup].code:
			return judgeLast(s, r)
		}
		return b.kept(s, group, b.numberEntry)
	}
	if s.numbers != nil {
		return b.identify(s, group, s.numbers, true)
	}
	before, refused, unknown := b.habits, reply{}, true
	for i := -1; i < len(ways); i++ {
		n := i
		if i < 0 {
			n = before.List
		} else if n == before.List || n == oneByOne && !unknown {
			continue
		}
		b.habits.List = n
		if n == oneByOne {
			b.habits.Listed = true
			return b.numbered(s, group, low, high)
		}
		r, err := b.askWay(s, n, span)
		switch {
		case err != nil && refused.code != 0: // it has closed the connection with the refusal
			return judge(refused)
		case err != nil:
			return check.Classify(err)
		case r.code == ways[n].code:
			b.habits.Listed = true
			return b.listed(s, group, n)
		case r.code == 420, r.code == 423: // RFC 3977 section 8.3.1: there are none
			b.bring = noEntry
			return group.result(check.OK)
		case r.code != 500 && r.code != 501 && r.code != 502 && r.code != 503:
			return judgeLast(s, r)
		}
		b.passing = b.passing || r.code == 503
		refused, unknown = r, unknown && r.code < 502
	}
	return judgeLast(s, refused)
}

// askWay asks for a range in one of the ways. Older servers take no range for LISTGROUP.
func (b *bringing) askWay(s *session, n int, span string) (r reply, err error) {
	if n != listGroup {
		return s.ask(ways[n].command + " " + span)
	}
	command := ways[n].command + " " + b.group
	if !b.habits.Full {
		if r, err = s.ask(command + " " + span); err != nil || r.code != 500 && r.code != 501 {
			return r, err
		}
	}
	if r, err = s.ask(command); err == nil && r.code == ways[n].code {
		b.habits.Full = true
	}
	return r, err
}

// listed keeps the list that comes in one of the ways.
func (b *bringing) listed(s *session, group reply, n int) check.Result {
	switch n {
	case 0, 1:
		return b.kept(s, group, b.overEntry)
	case listGroup:
		if r := b.kept(s, group, b.numberEntry); b.bring == nil || s.failed != nil || s.spent {
			return r
		}
		numbers, err := b.numbers()
		if err != nil {
			return check.Classify(errors.Join(wire.ErrSpool, err))
		}
		if b.habits.Full {
			s.numbers = numbers
		}
		return b.identify(s, group, numbers, true)
	}
	return b.kept(s, group, b.headerEntry)
}

// kept keeps a list.
func (b *bringing) kept(s *session, group reply, bring func(string) (check.Entry, bool)) check.Result {
	if err := b.keep(s); err != nil && s.failed == nil {
		return check.Classify(err)
	}
	b.bring = bring
	return group.result(check.OK)
}
