package store

import (
	"encoding/binary"
	"time"

	"linkcheck/check"
	"linkcheck/judge"
)

// stateHead is the fixed beginning of a state row, which the scan for due links
// reads alone: next check (8), state (1), flags (1), live mentions (4).
const stateHead = 14

const (
	flagHostLives = 1 << iota // the host answered something at its last telling check
	flagVariants              // mentions spell the link in more than one way
	flagFinal                 // the last probe ended at another address
)

// stateRow is what is known of a link from its probes.
type stateRow struct {
	judge.Judgement
	live     uint32 // mentions that are not retired
	variants bool

	lastRun uint64       // of the last probe
	when    check.Result // Outcome, At, Took, Bytes, Attempts, RetryAfter of the last probe
	histRun uint64       // of the newest row of history; 0: none
	said    uint64       // gist of that row
	saw     uint64
	final   uint64  // hash of the final URL; 0: none
	probes  []probe // the last of them, oldest first
}

// probe is one remembered visit.
type probe struct {
	run uint64
	at  time.Time
}

// keptProbes is how many visits are remembered one by one (OUTCOMES section 5).
const keptProbes = 30

func (s *stateRow) encode() []byte {
	size := stateHead
	if s.Checks > 0 {
		size = 160 // about
	}
	w := writer{b: make([]byte, 0, size)}
	w.u64(unixOf(s.Next))
	w.byte(byte(s.State))
	var flags byte
	if s.HostLives {
		flags |= flagHostLives
	}
	if s.variants {
		flags |= flagVariants
	}
	if s.final != 0 && s.Checks > 0 {
		flags |= flagFinal
	}
	w.byte(flags)
	w.b = binary.BigEndian.AppendUint32(w.b, s.live)
	if s.Checks == 0 {
		return w.b
	}
	w.uint(s.lastRun)
	if s.final != 0 {
		w.u64(s.final)
	}
	w.byte(byte(s.when.Outcome))
	encodeWhen(&w, &s.when)
	w.uint(s.lastRun - s.histRun)
	w.u64(s.said)
	w.u64(s.saw)
	encodeJudgement(&w, &s.Judgement)
	s.encodeVisits(&w)
	return w.b
}

func decodeState(b []byte) (s stateRow, err error) {
	if len(b) < stateHead {
		return s, errShort
	}
	head := readHead(b)
	s.Next, s.State, s.live = head.next, head.state, head.live
	s.HostLives, s.variants = head.flags&flagHostLives != 0, head.flags&flagVariants != 0
	if len(b) == stateHead {
		return s, nil
	}
	r := reader{b: b[stateHead:]}
	s.lastRun = r.uint()
	if head.flags&flagFinal != 0 {
		s.final = r.u64()
	}
	s.when.Outcome = check.Outcome(r.byte())
	decodeWhen(&r, &s.when)
	s.histRun, s.said, s.saw = s.lastRun-r.uint(), r.u64(), r.u64()
	decodeJudgement(&r, &s.Judgement)
	s.decodeVisits(&r)
	if s.when.Outcome > check.Internal || !s.State.Known() {
		r.bad = true
	}
	return s, r.err()
}

// encodeVisits writes the visits backwards from the last probe, which is the
// newest of them and not written again.
func (s *stateRow) encodeVisits(w *writer) {
	last := probe{s.lastRun, s.when.At}
	w.uint(uint64(max(len(s.probes)-1, 0)))
	for i := len(s.probes) - 2; i >= 0; i-- {
		p := s.probes[i]
		w.big(int64(last.run - p.run))
		w.big(last.at.Unix() - p.at.Unix())
		last = p
	}
}

func (s *stateRow) decodeVisits(r *reader) {
	last := probe{s.lastRun, s.when.At}
	s.probes = make([]probe, r.count()+1)
	for i := len(s.probes) - 1; ; i-- {
		s.probes[i] = last
		if i == 0 {
			return
		}
		last.run -= uint64(r.big())
		last.at = time.Unix(last.at.Unix()-r.big(), 0).UTC()
	}
}

// head is the fixed part of a state row.
type head struct {
	next  time.Time
	state judge.State
	flags byte
	live  uint32
}

// lastProbe reads when the link of this row was asked last; zero: never.
func (h *head) lastProbe(row []byte) time.Time {
	if len(row) == stateHead {
		return time.Time{}
	}
	r := reader{b: row[stateHead:]}
	r.uint()
	if h.flags&flagFinal != 0 {
		r.u64()
	}
	r.byte()
	return r.time()
}

func readHead(b []byte) head {
	return head{
		next:  timeOf(binary.BigEndian.Uint64(b)),
		state: judge.State(b[8]), flags: b[9], live: binary.BigEndian.Uint32(b[10:]),
	}
}

// remember notes a visit and forgets the oldest of too many.
func (s *stateRow) remember(p probe) {
	s.probes = append(s.probes, p)
	if n := len(s.probes) - keptProbes; n > 0 {
		s.probes = s.probes[n:]
	}
}

func unixOf(t time.Time) uint64 {
	if t.IsZero() {
		return 0
	}
	return uint64(t.Unix())
}

func timeOf(v uint64) time.Time {
	if v == 0 {
		return time.Time{}
	}
	return time.Unix(int64(v), 0).UTC()
}
