package mail

import (
	"linkcheck/extract/dates"
	"linkcheck/extract/doc"
)

// state says what the next line of an entity is.
type state uint8

// entity is a message or a part of one, RFC 2045 section 2.4.
type entity struct {
	number    string // 1.2; "" is the message itself
	state     state
	inText    bool   // stands in text, see embedded
	boundary  []byte // that parts its children
	children  int
	closed    bool   // the last boundary came
	digest    bool   // children are messages unless they say otherwise
	firstLine int    // line of its first byte
	id        string // Message-ID of the message that it belongs to
	base      string // for relative references in it
}

func (m *message) top() *entity { return &m.stack[len(m.stack)-1] }

// open starts an entity inside the innermost one.
func (m *message) open(e entity) {
	m.head.reset()
	m.stack = append(m.stack, e)
}

// found gives out a link of the part at hand.
func (m *message) found(f doc.Found, what string) bool {
	f.Record, f.Title, f.Locator = m.id, m.title, m.locator(what)
	dates.Give(&f, m.date, dates.Mail)
	return m.d.Yield(f)
}

// locator names the part at hand, or something in it.
func (m *message) locator(what string) string {
	number := m.top().number
	switch {
	case what == "":
		return "part " + max(number, "1")
	case number == "":
		return what
	}
	return "part " + number + " " + what
}

// damage gives out the first damage of a message; what follows is often its effect.
func (m *message) damage(line int, err error) {
	if !m.damaged {
		m.damaged = true
		m.d.Damage(line, err)
	}
}
