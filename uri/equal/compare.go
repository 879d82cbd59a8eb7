package equal

import (
	"reflect"
	"slices"

	"linkcheck/uri"
	"linkcheck/uri/repair"
)

// Equality is the answer of [Rules.Compare].
type Equality string

const (
	Dup   Equality = "dup"
	Maybe Equality = "maybe"
	Not   Equality = "not"
)

// Comparison says whether two URIs are the same, at which lowest level and why.
type Comparison struct {
	Equality Equality `json:"verdict"`
	Level    string   `json:"level"` // "-" for Not
	Reasons  []string `json:"reasons"`
}

var different = Comparison{Equality: Not, Level: "-", Reasons: []string{}}

// Compare compares two strings as written; wrappers are removed first. An
// invalid string equals itself only.
func (r Rules) Compare(a, b string) Comparison {
	x, y := open(a), open(b)
	r.UDI = r.UDI || x.udi || y.udi
	if x.text == y.text {
		codes := symmetric(x.codes, y.codes)
		if len(codes) == 0 {
			codes = []string{"identical"}
		}
		return Comparison{Dup, Identical.String(), sortCodes(codes)}
	}
	if x.u == nil || y.u == nil || vetoed(x.u, y.u) {
		return different
	}
	_, left := r.normalize(x.u)
	_, right := r.normalize(y.u)
	return meet(left, right)
}

// opened is a string as Compare and Describe read it.
type opened struct {
	text  string  // without its wrapper
	u     uri.URI // nil: invalid
	err   error
	codes []string // of the wrapper
	udi   bool     // it was marked "UDI="
}

// open parses s, or what stands inside its wrapper.
func open(s string) opened {
	u, err := uri.Parse(s)
	if err == nil {
		return opened{text: s, u: u}
	}
	if repair.Wrapped(s) {
		cleaned, codes := repair.Unwrap(s)
		if v, err := uri.Parse(cleaned); err == nil {
			return opened{cleaned, v, nil, codes, slices.Contains(codes, "wrapper-udi")}
		}
	}
	return opened{text: s, err: err}
}

// vetoed reports two URIs that are different though they share a key: two different users
// of a session, though either is like none (rfc1738bis sections 2.1, 2.6).
func vetoed(a, b uri.URI) bool {
	x, ok1 := a.(*uri.Telnet)
	y, ok2 := b.(*uri.Telnet)
	return ok1 && ok2 && x.User != nil && y.User != nil && !reflect.DeepEqual(x.User, y.User)
}

// meet finds the key of the lowest level that two normalizations share.
func meet(a, b []keyStep) Comparison {
	index := make(map[string]int, len(b))
	for j := len(b) - 1; j >= 0; j-- {
		index[b[j].key] = j
	}
	bi, bj, best := -1, -1, Observed
	for i := range a {
		j, ok := index[a[i].key]
		if l := max(a[i].level, b[j].level); ok && l < best {
			bi, bj, best = i, j, l
		}
	}
	if bi < 0 {
		return different
	}
	return reasons(a[1:bi+1], b[1:bj+1], best)
}

// reasons gives the codes that only one side has: a step that both took does not explain
// why they differ. If there are none, it gives all.
func reasons(a, b []keyStep, level Level) Comparison {
	left, right := codesOf(a, false), codesOf(b, false)
	all := union(left, right)
	codes := symmetric(left, right)
	related := union(codesOf(a, true), codesOf(b, true))
	if len(codes) == 0 || len(related) > 0 && !slices.ContainsFunc(codes, func(c string) bool { return slices.Contains(related, c) }) {
		codes = all
	}
	if slices.Contains(left, "ftp-type-omitted") && slices.Contains(right, "ftp-type-omitted") {
		codes = append(slices.DeleteFunc(codes, func(c string) bool { return c == "ftp-type-omitted" }), "ftp-type-differs")
	}
	v := Dup
	if len(related) > 0 {
		v = Maybe
	}
	return Comparison{v, level.String(), sortCodes(codes)}
}

// codesOf gathers the codes of steps, or of those that only relate.
func codesOf(list []keyStep, maybeOnly bool) []string {
	var codes []string
	for _, r := range list {
		if r.maybe || !maybeOnly {
			codes = union(codes, r.codes)
		}
	}
	return codes
}

func union(a, b []string) []string {
	out := slices.Clone(a)
	for _, c := range b {
		if !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	return out
}

// symmetric gives the codes of one list only.
func symmetric(a, b []string) []string {
	return slices.DeleteFunc(union(a, b), func(c string) bool { return slices.Contains(a, c) == slices.Contains(b, c) })
}
