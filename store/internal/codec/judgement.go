package codec

import (
	"time"

	"linkcheck/judge"
)

// Judgement writes all but the state, next check and host, which stand in the head of
// the state row.
func (w *Writer) Judgement(j *judge.Judgement) {
	w.Byte(byte(j.Changes))
	w.Uint(j.ChangedRun)
	w.Uint(uint64(j.Checks))
	w.Time(j.FirstChecked)
	w.Time(j.LastOK)
	w.Time(j.FailingSince)
	w.Uint(uint64(j.Streak))
	w.Uint(uint64(j.Interval / time.Second))
	w.Uint(uint64(j.Step))
	w.Byte(byte(j.Doubt))
	w.Time(j.DoubtAt)
	w.Byte(byte(j.LastAnswer))
	w.Uint(uint64(len(j.Strikes)))
	for _, s := range j.Strikes {
		w.Time(s.At)
		w.Byte(byte(s.Kind))
	}
	w.Uint(uint64(len(j.Reversals)))
	for _, t := range j.Reversals {
		w.Time(t)
	}
}

// Judgement reads what Writer.Judgement wrote into j.
func (r *Reader) Judgement(j *judge.Judgement) {
	j.Changes = judge.Changes(r.Byte())
	j.ChangedRun = r.Uint()
	j.Checks = int(r.Uint())
	j.FirstChecked, j.LastOK, j.FailingSince = r.Time(), r.Time(), r.Time()
	j.Streak = int(r.Uint())
	j.Interval = time.Duration(r.Uint()) * time.Second
	j.Step = int(r.Uint())
	j.Doubt = r.State()
	j.DoubtAt = r.Time()
	j.LastAnswer = judge.Answer(r.Byte())
	for range r.Count() {
		j.Strikes = append(j.Strikes, judge.Strike{At: r.Time(), Kind: judge.StrikeKind(r.Byte())})
	}
	for range r.Count() {
		j.Reversals = append(j.Reversals, r.Time())
	}
}

// State reads a state; one that is not known ends the row.
func (r *Reader) State() judge.State {
	s := judge.State(r.Byte())
	if !s.Known() {
		r.Fail()
		return judge.New
	}
	return s
}
