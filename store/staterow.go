package store

import (
	"encoding/binary"
	"time"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/store/internal/codec"
	"linkcheck/store/internal/linkkey"
)

// stateRow is what is known of a link from its probes. It is exported as JSON, but for
// the state, which stands there as a word.
type stateRow struct {
	Live            uint32 `json:"live"`               // mentions that are not retired
	Variants        bool   `json:"variants,omitempty"` // mentions spell the link in more than one way
	judge.Judgement `json:"judged,omitzero"`

	LastRun      uint64       `json:"last_run,omitempty"` // of the last probe
	Last         check.Result `json:"when,omitzero"`      // outcome and timing of the last probe
	EventRun     uint64       `json:"hist_run,omitempty"` // of the newest event; 0: none
	VerdictHash  uint64       `json:"said,omitempty"`     // of that event
	MetadataHash uint64       `json:"saw,omitempty"`
	FinalHash    uint64       `json:"final,omitempty"`  // of the key of the URL at which the last probe ended; 0: no other
	Visits       []visit      `json:"visits,omitempty"` // the last probes, oldest first
}

// visit is one remembered probe.
type visit struct {
	Run uint64    `json:"run"`
	At  time.Time `json:"at"`
}

// maxVisits is how many probes are remembered one by one (OUTCOMES section 5).
const maxVisits = 30

// addVisit notes a probe and forgets the oldest of too many.
func (s *stateRow) addVisit(v visit) {
	s.Visits = append(s.Visits, v)
	if n := len(s.Visits) - maxVisits; n > 0 {
		s.Visits = s.Visits[n:]
	}
}

func (s *stateRow) encode() []byte {
	w := codec.Writer{Buf: make([]byte, 0, 128)}
	w.U64(codec.Seconds(s.Next))
	w.Byte(byte(s.State))
	var flags byte
	for _, f := range []struct {
		set  bool
		flag byte
	}{{s.HostLives, flagHostLives}, {s.Variants, flagVariants}, {s.FinalHash != 0 && s.Checks > 0, flagFinal}} {
		if f.set {
			flags |= f.flag
		}
	}
	w.Byte(flags)
	w.Buf = binary.BigEndian.AppendUint32(w.Buf, s.Live)
	if s.Checks == 0 {
		return w.Buf
	}
	w.Uint(s.LastRun)
	if s.FinalHash != 0 {
		w.U64(s.FinalHash)
	}
	w.Byte(byte(s.Last.Outcome))
	w.Timing(&s.Last)
	w.Uint(s.LastRun - s.EventRun)
	w.U64(s.VerdictHash)
	w.U64(s.MetadataHash)
	w.Judgement(&s.Judgement)
	s.encodeVisits(&w)
	if s.Elsewhere || s.Text.Looks > 0 {
		(&codec.Fields{W: &w}).Bool(&s.Elsewhere)
		w.Memory(&s.Text)
	}
	return w.Buf
}

func decodeState(b []byte) (s stateRow, err error) {
	s, r, err := decodeProbes(b)
	if err != nil || len(r.Buf) == 0 {
		return s, err
	}
	s.Elsewhere = r.Byte() == 1
	s.Text = r.Memory()
	return s, r.Err()
}

// decodeProbes reads a row but for what is known of a text, which r then gives.
func decodeProbes(b []byte) (s stateRow, r codec.Reader, err error) {
	head, err := readStateHead(b)
	if err != nil {
		return s, r, err
	}
	s.Next, s.State, s.Live = head.next, head.state, head.live
	s.HostLives, s.Variants = head.flags&flagHostLives != 0, head.flags&flagVariants != 0
	if len(b) == headLen {
		return s, r, nil
	}
	r.Buf = b[headLen:]
	s.LastRun, s.FinalHash = head.readLastRun(&r)
	s.Last.Outcome = check.Outcome(r.Byte())
	r.Timing(&s.Last)
	s.EventRun, s.VerdictHash, s.MetadataHash = s.LastRun-r.Uint(), r.U64(), r.U64()
	r.Judgement(&s.Judgement)
	s.decodeVisits(&r)
	if s.Last.Outcome > check.Internal || !s.State.Known() {
		r.Fail()
	}
	return s, r, r.Err()
}

// encodeVisits writes the visits backwards from the last probe, which is the
// newest of them and not written again.
func (s *stateRow) encodeVisits(w *codec.Writer) {
	last := visit{s.LastRun, s.Last.At}
	w.Uint(uint64(max(len(s.Visits)-1, 0)))
	for i := len(s.Visits) - 2; i >= 0; i-- {
		v := s.Visits[i]
		w.Int(int64(last.Run - v.Run))
		w.Int(last.At.Unix() - v.At.Unix())
		last = v
	}
}

func (s *stateRow) decodeVisits(r *codec.Reader) {
	last := visit{s.LastRun, s.Last.At}
	n := r.Count() + 1
	s.Visits = make([]visit, n, n+1) // with room for addVisit
	for i := len(s.Visits) - 1; ; i-- {
		s.Visits[i] = last
		if i == 0 {
			return
		}
		last.Run -= uint64(r.Int())
		last.At = time.Unix(last.At.Unix()-r.Int(), 0).UTC()
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

// setMentions changes the count of live mentions in the head of a row; with variants the
// link is spelled in more than one way.
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

// lastProbe reads the time of the last probe from a row; zero: never probed.
func (h *stateHead) lastProbe(row []byte) time.Time {
	if len(row) == headLen {
		return time.Time{}
	}
	r := codec.Reader{Buf: row[headLen:]}
	h.readLastRun(&r)
	r.Byte()
	return r.Time()
}

// mentionRow is one mention but for its link.
type mentionRow struct {
	Mention
	holders []holding
}

// holding says in which reading a source was last found to hold a mention.
type holding struct {
	Source  uint32 `json:"source"`
	Reading uint64 `json:"gen"`
}

func (m *mentionRow) encode(linkURL string) []byte {
	const sameRaw, sameURL, hasNth = 1, 2, 4
	w := codec.Writer{Buf: make([]byte, 0, 128)}
	flags, raw, url := byte(0), m.Raw, m.URL
	if url == raw {
		flags, url = flags|sameURL, ""
	}
	if raw == linkURL {
		flags, raw = flags|sameRaw, ""
	}
	if m.Nth > 0 {
		flags |= hasNth
	}
	w.Byte(flags)
	w.Uint(uint64(len(m.holders)))
	for _, h := range m.holders {
		w.Uint(uint64(h.Source))
		w.Uint(h.Reading)
	}
	w.Time(m.Retired)
	w.Time(m.FirstSeen)
	w.Time(m.LastSeen)
	w.Int(int64(m.Line))
	w.Int(int64(m.Column))
	for _, s := range []string{m.Collection, m.Member, m.Record, m.Locator, raw, url, m.How, m.Context, m.Title} {
		w.Str(s)
	}
	if m.Nth > 0 {
		w.Uint(uint64(m.Nth))
	}
	if m.Date+m.DateFrom+m.CopyOf+m.Owner != "" {
		for _, s := range []string{m.Date, m.DateFrom, m.CopyOf, m.Owner} {
			w.Str(s)
		}
	}
	return w.Buf
}

func decodeMention(b []byte, linkURL string) (m mentionRow, err error) {
	r := codec.Reader{Buf: b}
	flags := r.Byte()
	m.holders, m.Retired = readHolders(&r)
	m.FirstSeen, m.LastSeen, m.Line, m.Column = r.Time(), r.Time(), r.Small(), r.Small()
	for _, p := range []*string{&m.Collection, &m.Member, &m.Record, &m.Locator, &m.Raw, &m.URL, &m.How, &m.Context, &m.Title} {
		*p = r.Str()
	}
	if flags&4 != 0 {
		m.Nth = int(r.Uint32())
	}
	m.Date, m.DateFrom, m.CopyOf, m.Owner = r.Str(), r.Str(), r.Str(), r.Str() // past the end all is empty
	if flags&1 != 0 {
		m.Raw = linkURL
	}
	if flags&2 != 0 {
		m.URL = m.Raw
	}
	return m, r.Err()
}

// readMentionHead reads the beginning of a mention's row: who holds it, and when it was
// retired.
func readMentionHead(b []byte) (holders []holding, retired time.Time, err error) {
	r := codec.Reader{Buf: b}
	r.Byte()
	holders, retired = readHolders(&r)
	return holders, retired, r.Err()
}

func readHolders(r *codec.Reader) (holders []holding, retired time.Time) {
	holders = make([]holding, r.Count())
	for i := range holders {
		holders[i] = holding{uint32(r.Uint()), r.Uint()}
	}
	return holders, r.Time()
}

// recordHash is the number of the record that a mention stands in.
func recordHash(m *Mention) uint64 {
	if m.Record == "" {
		return linkkey.Sum(m.Collection, "", m.Source, m.Member)
	}
	return linkkey.Sum(m.Collection, m.Record, "", "")
}
