package codec

import (
	"bytes"
	"time"

	"linkcheck/check"
)

// A result has four parts. Its verdict (outcome to flags) makes a new row of
// history when it differs from the last one; its metadata (content type to last
// modified) are rewritten in place; its timing goes into the state row, and so does what
// its look at a text adds to the memory of the link.

// Result writes all of a result.
func (w *Writer) Result(r *check.Result) {
	w.Timing(r)
	w.Verdict(r)
	w.Metadata(r)
	if len(r.Look) > 0 {
		w.Raw(r.Look)
	}
}

// Result reads what Writer.Result wrote.
func (r *Reader) Result(out *check.Result) {
	r.Timing(out)
	r.Verdict(out)
	r.Metadata(out)
	out.Look = bytes.Clone(r.Raw())
}

// Parts are the octets of parts of a result.
type Parts struct {
	Verdict, Metadata []byte
	Event             []byte // all but the look: what is kept in history
}

// SplitResult reads a result and gives its parts. Of the metadata it reads the title alone:
// a judgement needs no others.
func SplitResult(b []byte) (out check.Result, p Parts, err error) {
	r := Reader{Buf: b}
	r.Timing(&out)
	from := r.Buf
	r.Verdict(&out)
	p.Verdict = from[:len(from)-len(r.Buf)]
	from = r.Buf
	for _, s := range metadata(&out) {
		if s == &out.Title {
			*s = r.Packed()
		} else {
			r.passPacked()
		}
	}
	p.Metadata = from[:len(from)-len(r.Buf)]
	p.Event = b[:len(b)-len(r.Buf)]
	out.Look = r.Raw()
	return out, p, r.Err()
}

// Timing writes a result's numbers: the time of the probe to the second, its duration
// to the millisecond.
func (w *Writer) Timing(r *check.Result) {
	w.Time(r.At)
	w.Uint(uint64(max(r.Took, 0) / time.Millisecond))
	w.Uint(uint64(max(r.Bytes, 0)))
	w.Uint(uint64(max(r.Attempts, 0)))
	w.Uint(uint64((max(r.RetryAfter, 0) + time.Second - 1) / time.Second)) // never too early
}

// Timing reads what Writer.Timing wrote.
func (r *Reader) Timing(out *check.Result) {
	out.At = r.Time()
	out.Took = time.Duration(r.Uint()) * time.Millisecond
	out.Bytes = int64(r.Uint())
	out.Attempts = int(r.Uint())
	out.RetryAfter = time.Duration(r.Uint()) * time.Second
}

// Verdict writes outcome, evidence and reason, the reply, and where the probe was led.
func (w *Writer) Verdict(r *check.Result) {
	w.Byte(byte(r.Outcome))
	w.Byte(byte(r.Evidence))
	w.Packed(string(r.Reason))
	w.Packed(r.Reply)
	w.Str(r.FinalURL)
	w.Str(r.SuggestedURL)
	w.Uint(uint64(len(r.Hops)))
	for _, h := range r.Hops {
		w.Int(int64(h.Code))
		w.Str(h.URL)
	}
	w.Strs(r.Flags)
}

// Verdict reads what Writer.Verdict wrote.
func (r *Reader) Verdict(out *check.Result) {
	out.Outcome, out.Evidence = check.Outcome(r.Byte()), check.Evidence(r.Byte())
	if out.Outcome > check.Internal || out.Evidence > check.Strong {
		r.Fail()
		return
	}
	out.Reason, out.Reply = check.Reason(r.Packed()), r.Packed()
	out.FinalURL, out.SuggestedURL = r.Str(), r.Str()
	if n := r.Count(); n > 0 {
		out.Hops = make([]check.Hop, n)
		for i := range out.Hops {
			out.Hops[i] = check.Hop{Code: r.Small(), URL: r.Str()}
		}
	}
	out.Flags = r.Strs()
}

// Metadata writes what the probe learned of the thing itself.
func (w *Writer) Metadata(r *check.Result) {
	for _, s := range metadata(r) {
		w.Packed(*s)
	}
}

// Metadata reads what Writer.Metadata wrote.
func (r *Reader) Metadata(out *check.Result) {
	for _, s := range metadata(out) {
		*s = r.Packed()
	}
}

func metadata(r *check.Result) [5]*string {
	return [...]*string{&r.ContentType, &r.Title, &r.Digest, &r.ETag, &r.LastModified}
}
