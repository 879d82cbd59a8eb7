package store

import (
	"encoding/binary"
	"time"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/store/internal/codec"
)

// stateRow is what is known of a link from its probes.
type stateRow struct {
	judge.Judgement
	live     uint32 // mentions that are not retired
	variants bool   // mentions spell the link in more than one way

	lastRun      uint64       // of the last probe
	last         check.Result // Outcome and timing of the last probe
	eventRun     uint64       // of the newest event; 0: none
	verdictHash  uint64       // of that event
	metadataHash uint64
	finalHash    uint64  // of the key of the URL at which the last probe ended; 0: no other
	visits       []visit // the last probes, oldest first
}

// visit is one remembered probe.
type visit struct {
	run uint64
	at  time.Time
}

// keptVisits is how many probes are remembered one by one (OUTCOMES section 5).
const keptVisits = 30

// addVisit notes a probe and forgets the oldest of too many.
func (s *stateRow) addVisit(v visit) {
	s.visits = append(s.visits, v)
	if n := len(s.visits) - keptVisits; n > 0 {
		s.visits = s.visits[n:]
	}
}

func (s *stateRow) encode() []byte {
	size := headLen
	if s.Checks > 0 {
		size = 160 // about
	}
	w := codec.Writer{Buf: make([]byte, 0, size)}
	w.U64(codec.Seconds(s.Next))
	w.Byte(byte(s.State))
	var flags byte
	for _, f := range []struct {
		set  bool
		flag byte
	}{{s.HostLives, flagHostLives}, {s.variants, flagVariants}, {s.finalHash != 0 && s.Checks > 0, flagFinal}} {
		if f.set {
			flags |= f.flag
		}
	}
	w.Byte(flags)
	w.Buf = binary.BigEndian.AppendUint32(w.Buf, s.live)
	if s.Checks == 0 {
		return w.Buf
	}
	w.Uint(s.lastRun)
	if s.finalHash != 0 {
		w.U64(s.finalHash)
	}
	w.Byte(byte(s.last.Outcome))
	w.Timing(&s.last)
	w.Uint(s.lastRun - s.eventRun)
	w.U64(s.verdictHash)
	w.U64(s.metadataHash)
	w.Judgement(&s.Judgement)
	s.encodeVisits(&w)
	return w.Buf
}

func decodeState(b []byte) (s stateRow, err error) {
	head, err := readStateHead(b)
	if err != nil {
		return s, err
	}
	s.Next, s.State, s.live = head.next, head.state, head.live
	s.HostLives, s.variants = head.flags&flagHostLives != 0, head.flags&flagVariants != 0
	if len(b) == headLen {
		return s, nil
	}
	r := codec.Reader{Buf: b[headLen:]}
	s.lastRun, s.finalHash = head.readLastRun(&r)
	s.last.Outcome = check.Outcome(r.Byte())
	r.Timing(&s.last)
	s.eventRun, s.verdictHash, s.metadataHash = s.lastRun-r.Uint(), r.U64(), r.U64()
	r.Judgement(&s.Judgement)
	s.decodeVisits(&r)
	if s.last.Outcome > check.Internal || !s.State.Known() {
		r.Fail()
	}
	return s, r.Err()
}

// encodeVisits writes the visits backwards from the last probe, which is the
// newest of them and not written again.
func (s *stateRow) encodeVisits(w *codec.Writer) {
	last := visit{s.lastRun, s.last.At}
	w.Uint(uint64(max(len(s.visits)-1, 0)))
	for i := len(s.visits) - 2; i >= 0; i-- {
		v := s.visits[i]
		w.Int(int64(last.run - v.run))
		w.Int(last.at.Unix() - v.at.Unix())
		last = v
	}
}

func (s *stateRow) decodeVisits(r *codec.Reader) {
	last := visit{s.lastRun, s.last.At}
	s.visits = make([]visit, r.Count()+1)
	for i := len(s.visits) - 1; ; i-- {
		s.visits[i] = last
		if i == 0 {
			return
		}
		last.run -= uint64(r.Int())
		last.at = time.Unix(last.at.Unix()-r.Int(), 0).UTC()
	}
}

// headLen is the length of the fixed beginning of a state row, which the scan for due
// links reads alone: next check (8), state (1), flags (1), live mentions (4).
const headLen = 14

const (
	flagHostLives = 1 << iota // the host answered something at its last telling check
	flagVariants              // mentions spell the link in more than one way
	flagFinal                 // the last probe ended at another address
)

// stateHead is the fixed beginning of a state row.
type stateHead struct {
	next  time.Time
	state judge.State
	flags byte
	live  uint32
}

func readStateHead(b []byte) (h stateHead, err error) {
	if len(b) < headLen {
		return h, codec.ErrShort
	}
	return stateHead{
		next:  codec.TimeOf(binary.BigEndian.Uint64(b)),
		state: judge.State(b[8]), flags: b[9], live: binary.BigEndian.Uint32(b[10:]),
	}, nil
}

// setNext changes the next check in the head of a row.
func setNext(row []byte, next time.Time) { binary.BigEndian.PutUint64(row, codec.Seconds(next)) }

// setMentions changes the count of live mentions in the head of a row; variants says
// that there is more than one spelling.
func setMentions(row []byte, live uint32, variants bool) {
	if variants {
		row[9] |= flagVariants
	}
	binary.BigEndian.PutUint32(row[10:], live)
}

// readLastRun reads what follows the head of a probed link's row.
func (h *stateHead) readLastRun(r *codec.Reader) (lastRun, finalHash uint64) {
	lastRun = r.Uint()
	if h.flags&flagFinal != 0 {
		finalHash = r.U64()
	}
	return lastRun, finalHash
}

// lastProbe reads when the link of this row was asked last; zero: never.
func (h *stateHead) lastProbe(row []byte) time.Time {
	if len(row) == headLen {
		return time.Time{}
	}
	r := codec.Reader{Buf: row[headLen:]}
	h.readLastRun(&r)
	r.Byte()
	return r.Time()
}
