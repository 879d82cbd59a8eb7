package main

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"net"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// newsWorld is a news server that changes from night to night, and counts what it is asked.
//
// A careful reader sends of a night: MODE READER, LIST ACTIVE and QUIT once; GROUP once for
// each group, and again behind a connection that the server has broken; a list of numbers
// that it was not shown, or once a week of all; STAT or HEAD for a number whose message-id it
// was not told, where lists have none, and for one of each list that it was, whether the
// numbers mean what they meant; STAT or HEAD for a message-id; and ARTICLE for an article that it has
// never had whole. Every other command is needless, and so is a connection too many and a command that
// the server does not know.
type newsWorld struct {
	knows  string // of the commands OVER, XOVER, HDR, XHDR: those that it knows
	noStat bool   // nor does it know STAT
	noIDs  bool   // its replies to commands with numbers have 0 in place of message-ids
	marks  func(count, low, high uint64) (uint64, uint64, uint64)
	ranges bool // LISTGROUP takes one

	mu      sync.Mutex
	groups  map[string]*newsGroup
	refuses map[string]string // by group: the reply to GROUP
	greets  string            // "": 200
	breaks  string            // the next answer to this command breaks off in the middle

	night    int
	open     int
	had      map[string]bool // articles that were read whole
	asked    map[string]int  // articles and lists of this night
	entered  map[string]bool // groups of this night, until a connection is broken
	broken   int             // connections that the server broke in this night
	sessions int             // of this night
	commands int
	needless map[string]int // of all nights, by what they were
	twice    []string
}

// newsGroup is a group: the articles by their numbers.
type newsGroup struct {
	low, high uint64
	ids       map[uint64]string
	shown     uint64            // the last number that was shown
	whole     int               // the night in which all were
	told      map[uint64]string // message-ids that were, by number
	tested    bool              // one of them was asked for again behind the last list
}

// change changes the world between two nights.
func (w *newsWorld) change(f func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	f()
}

// dusk begins a night.
func (w *newsWorld) dusk(night int) {
	w.night, w.sessions, w.broken = night, 0, 0
	w.asked, w.entered = map[string]int{}, map[string]bool{}
}

// post adds an article to a group.
func (w *newsWorld) post(group, id string) {
	g := w.groups[group]
	if g == nil {
		g = &newsGroup{low: 1, whole: -100, ids: map[uint64]string{}, told: map[uint64]string{}}
		w.groups[group] = g
	}
	g.high++
	g.ids[g.high] = id
}

// drop takes articles from a group, and raises its first number above those that expired.
func (g *newsGroup) drop(gone func(id string) bool) {
	maps.DeleteFunc(g.ids, func(_ uint64, id string) bool { return gone(id) })
	for g.low <= g.high && g.ids[g.low] == "" {
		g.low++
	}
}

// renumber numbers the articles of a group anew.
func (g *newsGroup) renumber() {
	ids := map[uint64]string{}
	for _, n := range slices.Sorted(maps.Keys(g.ids)) {
		ids[uint64(len(ids)+1)] = g.ids[n]
	}
	g.low, g.high, g.ids = 1, uint64(len(ids)), ids
	g.shown, g.whole, g.told = 0, -100, map[uint64]string{}
}

// lives says which articles there are.
func (w *newsWorld) lives() map[string]bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	all := map[string]bool{}
	for _, g := range w.groups {
		for _, id := range g.ids {
			all[id] = true
		}
	}
	return all
}

// spare notes a command that a careful reader would not have sent.
func (w *newsWorld) spare(what string) { w.needless[what]++ }

// once notes what may be asked for once in a night.
func (w *newsWorld) once(what string) {
	if w.asked[what]++; w.asked[what] > 1 {
		w.twice = append(w.twice, fmt.Sprintf("night %d: %s", w.night, what))
	}
}

// talk is one connection.
func (w *newsWorld) talk(c net.Conn) {
	s := &newsTalk{w: w}
	w.mu.Lock()
	greeting := w.greets
	if w.sessions++; w.sessions > 1+w.broken {
		w.spare("connection")
	}
	if w.open++; w.open > 1 {
		w.spare("two connections at a time")
	}
	w.mu.Unlock()
	defer w.change(func() { w.open-- })
	if greeting != "" {
		io.WriteString(c, greeting+"\r\n")
		return
	}
	io.WriteString(c, "200 ready\r\n")
	for lines := bufio.NewScanner(c); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		w.mu.Lock()
		w.commands++
		text, breaks := s.reply(line)
		w.mu.Unlock()
		if breaks {
			io.WriteString(c, text[:len(text)/2])
			c.(*net.TCPConn).SetLinger(0)
			return
		}
		if _, err := io.WriteString(c, text+"\r\n"); err != nil || line == "QUIT" {
			return
		}
	}
}

// newsTalk is the state of a connection.
type newsTalk struct {
	w     *newsWorld
	group *newsGroup
	name  string
	modes int
}

// reply answers a line, and says whether the answer breaks off.
func (s *newsTalk) reply(line string) (text string, breaks bool) {
	words := append(strings.Fields(line), "", "", "")
	verb := words[0]
	text = s.answer(verb, words[1:], line)
	if strings.HasPrefix(text, "500") {
		s.w.spare(verb + " that it does not know")
	}
	if breaks = s.w.breaks == kindOfAnswer(verb) && strings.HasPrefix(text, "2") && strings.HasSuffix(text, "\r\n."); breaks {
		s.w.breaks = ""
		s.w.broken++
		clear(s.w.entered)
	} else if verb == "ARTICLE" && text[0] == '2' {
		_, id, _ := strings.Cut(text, "Message-ID: <")
		id, _, _ = strings.Cut(id, ">")
		s.w.had[id] = true
	}
	return text, breaks
}

// kindOfAnswer is "list" for those of articles.
func kindOfAnswer(verb string) string {
	if strings.Contains("OVER XOVER HDR XHDR LISTGROUP", verb) {
		return "list"
	}
	return verb
}

func (s *newsTalk) answer(verb string, words []string, line string) string {
	switch verb {
	case "QUIT":
		return "205 bye"
	case "MODE":
		if s.modes++; s.modes > 1 {
			s.w.spare("MODE READER")
		}
		return "200 reader"
	case "LIST":
		s.w.once(line)
		return s.active(words[1])
	case "GROUP":
		return s.enter(words[0])
	case "LISTGROUP":
		if !s.w.ranges && words[1] != "" {
			s.w.spare("LISTGROUP with a range")
			return "501 no range"
		}
		return s.list(verb, words[1], "211 list follows", func(n uint64, _ string) string { return fmt.Sprint(n) })
	case "ARTICLE", "STAT", "HEAD":
		return s.article(verb, words[0])
	}
	if !slices.Contains(strings.Fields(s.w.knows), verb) {
		return "500 what?"
	}
	if verb == "OVER" || verb == "XOVER" {
		return s.list(verb, words[0], "224 overview follows", func(n uint64, id string) string {
			return fmt.Sprintf("%d\tabout\ta@mill.test\t1 Nov 2026 03:00:00 +0000\t<%s>\t\t100\t3", n, id)
		})
	}
	code := map[string]string{"HDR": "225 headers follow", "XHDR": "221 headers follow"}[verb]
	return s.list(verb, words[1], code, func(n uint64, id string) string { return fmt.Sprintf("%d <%s>", n, id) })
}

// active lists the groups.
func (s *newsTalk) active(pattern string) string {
	text := "215 groups follow"
	for _, name := range slices.Sorted(maps.Keys(s.w.groups)) {
		if fits, _ := path.Match(pattern, name); fits {
			_, low, high := s.said(s.w.groups[name])
			text += fmt.Sprintf("\r\n%s %010d %010d y", name, high, low)
		}
	}
	return text + "\r\n."
}

// said is what the server says of a group.
func (s *newsTalk) said(g *newsGroup) (count, low, high uint64) {
	count, low, high = uint64(len(g.ids)), g.low, g.high
	if s.w.marks != nil {
		return s.w.marks(count, low, high)
	}
	return count, low, high
}

func (s *newsTalk) enter(name string) string {
	if s.w.entered[name] {
		s.w.spare("GROUP again")
	}
	s.w.entered[name] = true
	g := s.w.groups[name]
	if no := s.w.refuses[name]; no != "" {
		return no
	}
	if g == nil {
		return "411 no such group"
	}
	s.group, s.name = g, name
	count, low, high := s.said(g)
	return fmt.Sprintf("211 %d %d %d %s", count, low, high, name)
}

// list answers with a line for each article in a range.
func (s *newsTalk) list(verb, numbers, first string, line func(n uint64, id string) string) string {
	from, to, _ := strings.Cut(numbers, "-")
	low, _ := strconv.ParseUint(from, 10, 64)
	high, err := strconv.ParseUint(to, 10, 64)
	if err != nil {
		high = 1 << 62
	}
	g := s.group
	s.w.once(fmt.Sprint("list of ", s.name, " from ", low))
	g.tested = false
	all := low <= max(g.low, 1) && (numbers != "" || g.shown >= g.high)
	switch {
	case g.whole == s.w.night:
	case all && s.w.night-g.whole >= 6:
		g.whole = s.w.night
	case g.shown >= g.high:
		s.w.spare("list of nothing new")
	}
	text := first
	for _, n := range slices.Sorted(maps.Keys(g.ids)) {
		if low <= n && n <= high {
			text += "\r\n" + line(n, g.ids[n])
		}
	}
	if s.w.breaks != "list" {
		g.shown = max(g.shown, min(g.high, high))
	}
	return text + "\r\n."
}

// article answers a question for one article.
func (s *newsTalk) article(verb, which string) string {
	id, byID := strings.CutPrefix(strings.TrimSuffix(which, ">"), "<")
	n, _ := strconv.ParseUint(which, 10, 64)
	if !byID {
		if s.group == nil {
			return "412 no group"
		}
		id = s.group.ids[n]
	}
	if s.w.had[id] && verb == "ARTICLE" {
		s.w.spare("ARTICLE that was read")
	}
	s.w.once(verb + " " + which + s.name[:len(s.name)*min(1, int(n))])
	if !s.w.readable(id) {
		if byID {
			return "430 no such article"
		}
		return "423 no such article"
	}
	code := map[string]string{"ARTICLE": "220", "STAT": "223", "HEAD": "221"}[verb]
	shown := "<" + id + ">"
	if s.w.noIDs {
		shown = "0"
	}
	text := fmt.Sprintf("%s %d %s", code, n, shown)
	switch verb {
	case "STAT":
		if s.w.noStat {
			return "500 what?"
		}
		if !byID {
			s.tell(n, id, s.w.noIDs)
		}
		return text
	case "HEAD":
		if !byID {
			s.tell(n, id, false)
		}
	}
	text += fmt.Sprintf("\r\nMessage-ID: <%s>\r\nSubject: about", id)
	if verb == "ARTICLE" {
		text += "\r\n\r\nSee mailto:" + id + " about it."
	}
	return text + "\r\n."
}

// tell notes that the message-id of a number was told, or not.
func (s *newsTalk) tell(n uint64, id string, not bool) {
	if g := s.group; g.told[n] == id && g.tested {
		s.w.spare("number that was told")
	} else {
		g.tested = g.tested || g.told[n] == id
	}
	if not {
		s.w.spare("STAT without a message-id")
		return
	}
	s.group.told[n] = id
}

// readable says whether an article is in a group that is not refused.
func (w *newsWorld) readable(id string) bool {
	for name, g := range w.groups {
		if w.refuses[name] == "" && id != "" && slices.Contains(slices.Collect(maps.Values(g.ids)), id) {
			return true
		}
	}
	return false
}
