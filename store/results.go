package store

import (
	"time"

	"linkcheck/check"
	"linkcheck/judge"
)

// A result has three parts. What it says (outcome to flags) makes a new row of
// history when it differs from the last; what it saw (content type to last
// modified) is rewritten in place; when and how long go into the state row.

func encodeSaid(w *writer, r *check.Result) {
	w.byte(byte(r.Outcome))
	w.byte(byte(r.Evidence))
	w.packed(string(r.Reason))
	w.packed(r.Reply)
	w.str(r.FinalURL)
	w.str(r.SuggestedURL)
	w.uint(uint64(len(r.Hops)))
	for _, h := range r.Hops {
		w.int(h.Code)
		w.str(h.URL)
	}
	w.strs(r.Flags)
}

func decodeSaid(r *reader, out *check.Result) {
	out.Outcome, out.Evidence = check.Outcome(r.byte()), check.Evidence(r.byte())
	if out.Outcome > check.Internal || out.Evidence > check.Strong {
		r.bad = true
		return
	}
	out.Reason, out.Reply = check.Reason(r.packed()), r.packed()
	out.FinalURL, out.SuggestedURL = r.str(), r.str()
	if n := r.count(); n > 0 {
		out.Hops = make([]check.Hop, n)
		for i := range out.Hops {
			out.Hops[i] = check.Hop{Code: r.int(), URL: r.str()}
		}
	}
	out.Flags = r.strs()
}

func encodeSaw(w *writer, r *check.Result) {
	for _, s := range []string{r.ContentType, r.Title, r.Digest, r.ETag, r.LastModified} {
		w.packed(s)
	}
}

func decodeSaw(r *reader, out *check.Result) {
	for _, p := range []*string{&out.ContentType, &out.Title, &out.Digest, &out.ETag, &out.LastModified} {
		*p = r.packed()
	}
}

// encodeWhen keeps a result's numbers; the time of the probe to the second, its
// duration to the millisecond.
func encodeWhen(w *writer, r *check.Result) {
	w.time(r.At)
	w.uint(uint64(max(r.Took, 0) / time.Millisecond))
	w.uint(uint64(max(r.Bytes, 0)))
	w.uint(uint64(max(r.Attempts, 0)))
	w.uint(uint64(max(r.RetryAfter, 0) / time.Second))
}

func decodeWhen(r *reader, out *check.Result) {
	out.At = r.time()
	out.Took = time.Duration(r.uint()) * time.Millisecond
	out.Bytes = int64(r.uint())
	out.Attempts = int(r.uint())
	out.RetryAfter = time.Duration(r.uint()) * time.Second
}

func encodeResult(w *writer, r *check.Result) {
	encodeWhen(w, r)
	encodeSaid(w, r)
	encodeSaw(w, r)
}

// readResult reads when a result came and what it says, the parts that are judged;
// said and saw are the octets of two of the parts.
func readResult(b []byte) (out check.Result, said, saw []byte, err error) {
	r := reader{b: b}
	decodeWhen(&r, &out)
	from := r.b
	decodeSaid(&r, &out)
	return out, from[:len(from)-len(r.b)], r.b, r.err()
}

// eventRow is a row of history: the key holds link and run.
type eventRow struct {
	State  judge.State
	Result check.Result
}

func (e *eventRow) encode() []byte {
	w := writer{b: make([]byte, 0, 256)}
	w.byte(byte(e.State))
	encodeResult(&w, &e.Result)
	return w.b
}

func decodeEvent(b []byte) (e eventRow, err error) {
	r := reader{b: b}
	e.State = readState(&r)
	decodeWhen(&r, &e.Result)
	decodeSaid(&r, &e.Result)
	decodeSaw(&r, &e.Result)
	return e, r.err()
}

func readState(r *reader) judge.State {
	s := judge.State(r.byte())
	if !s.Known() {
		r.bad = true
		return judge.New
	}
	return s
}

func eventKey(link, run uint64) []byte {
	return append(idKey(link), idKey(run)...)
}
