package store

import (
	"encoding/binary"
	"time"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/store/internal/codec"
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
	w := codec.Writer{Buf: make([]byte, 0, size)}
	w.U64(codec.Seconds(s.Next))
	w.Byte(byte(s.State))
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
	w.Byte(flags)
	w.Buf = binary.BigEndian.AppendUint32(w.Buf, s.live)
	if s.Checks == 0 {
		return w.Buf
	}
	w.Uint(s.lastRun)
	if s.final != 0 {
		w.U64(s.final)
	}
	w.Byte(byte(s.when.Outcome))
	w.Timing(&s.when)
	w.Uint(s.lastRun - s.histRun)
	w.U64(s.said)
	w.U64(s.saw)
	w.Judgement(&s.Judgement)
	s.encodeVisits(&w)
	return w.Buf
}

func decodeState(b []byte) (s stateRow, err error) {
	if len(b) < stateHead {
		return s, codec.ErrShort
	}
	head := readHead(b)
	s.Next, s.State, s.live = head.next, head.state, head.live
	s.HostLives, s.variants = head.flags&flagHostLives != 0, head.flags&flagVariants != 0
	if len(b) == stateHead {
		return s, nil
	}
	r := codec.Reader{Buf: b[stateHead:]}
	s.lastRun = r.Uint()
	if head.flags&flagFinal != 0 {
		s.final = r.U64()
	}
	s.when.Outcome = check.Outcome(r.Byte())
	r.Timing(&s.when)
	s.histRun, s.said, s.saw = s.lastRun-r.Uint(), r.U64(), r.U64()
	r.Judgement(&s.Judgement)
	s.decodeVisits(&r)
	if s.when.Outcome > check.Internal || !s.State.Known() {
		r.Fail()
	}
	return s, r.Err()
}

// encodeVisits writes the visits backwards from the last probe, which is the
// newest of them and not written again.
func (s *stateRow) encodeVisits(w *codec.Writer) {
	last := probe{s.lastRun, s.when.At}
	w.Uint(uint64(max(len(s.probes)-1, 0)))
	for i := len(s.probes) - 2; i >= 0; i-- {
		p := s.probes[i]
		w.Int(int64(last.run - p.run))
		w.Int(last.at.Unix() - p.at.Unix())
		last = p
	}
}

func (s *stateRow) decodeVisits(r *codec.Reader) {
	last := probe{s.lastRun, s.when.At}
	s.probes = make([]probe, r.Count()+1)
	for i := len(s.probes) - 1; ; i-- {
		s.probes[i] = last
		if i == 0 {
			return
		}
		last.run -= uint64(r.Int())
		last.at = time.Unix(last.at.Unix()-r.Int(), 0).UTC()
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
	r := codec.Reader{Buf: row[stateHead:]}
	r.Uint()
	if h.flags&flagFinal != 0 {
		r.U64()
	}
	r.Byte()
	return r.Time()
}

func readHead(b []byte) head {
	return head{
		next:  codec.TimeOf(binary.BigEndian.Uint64(b)),
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
