package store

import (
	"time"

	"linkcheck/judge"
)

func encodeJudgement(w *writer, j *judge.Judgement) {
	w.byte(byte(j.Changes))
	w.uint(j.ChangedRun)
	w.uint(uint64(j.Checks))
	w.time(j.FirstChecked)
	w.time(j.LastOK)
	w.time(j.FailingSince)
	w.uint(uint64(j.Streak))
	w.uint(uint64(j.Interval / time.Second))
	w.uint(uint64(j.Step))
	w.byte(byte(j.Doubt))
	w.time(j.DoubtAt)
	w.byte(byte(j.LastAnswer))
	w.uint(uint64(len(j.Strikes)))
	for _, s := range j.Strikes {
		w.time(s.At)
		w.byte(byte(s.Kind))
	}
	w.uint(uint64(len(j.Reversals)))
	for _, t := range j.Reversals {
		w.time(t)
	}
}

func decodeJudgement(r *reader, j *judge.Judgement) {
	j.Changes = judge.Changes(r.byte())
	j.ChangedRun = r.uint()
	j.Checks = int(r.uint())
	j.FirstChecked, j.LastOK, j.FailingSince = r.time(), r.time(), r.time()
	j.Streak = int(r.uint())
	j.Interval = time.Duration(r.uint()) * time.Second
	j.Step = int(r.uint())
	j.Doubt = readState(r)
	j.DoubtAt = r.time()
	j.LastAnswer = judge.Answer(r.byte())
	if n := r.count(); n > 0 {
		j.Strikes = make([]judge.Strike, n)
	}
	for i := range j.Strikes {
		j.Strikes[i] = judge.Strike{At: r.time(), Kind: judge.StrikeKind(r.byte())}
	}
	if n := r.count(); n > 0 {
		j.Reversals = make([]time.Time, n)
	}
	for i := range j.Reversals {
		j.Reversals[i] = r.time()
	}
}
