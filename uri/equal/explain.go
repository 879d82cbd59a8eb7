package equal

import (
	"encoding/json"

	"linkcheck/uri"
	"linkcheck/uri/registry"
)

// Step is one change on the way from the string to its key of level Heuristic.
type Step struct {
	Level   string `json:"level"`
	Code    string `json:"code"`
	Section string `json:"section"` // of the document that allows it
}

// Explain lists the steps from the string as written to its heuristic key. A lax
// URI starts with the step "repaired:" and its code.
func (r Rules) Explain(u uri.URI) []Step {
	steps := []Step{}
	if u.Validity() == uri.Lax {
		scheme, _ := uri.Lookup(u.Scheme())
		steps = append(steps, Step{Identical.String(), "repaired:" + u.Code(), scheme.Spec})
	}
	_, keys := r.normalize(u)
	for _, k := range keys {
		for _, code := range k.codes {
			steps = append(steps, Step{k.level.String(), code, sectionOf(code, k.level)})
		}
	}
	return steps
}

// Description is everything known of one string, ready to be written as JSON.
type Description struct {
	Input      string             `json:"input"`
	Valid      string             `json:"valid"` // yes, ext, lax, no
	Code       string             `json:"code"`
	Scheme     string             `json:"scheme"`
	Components json.RawMessage    `json:"components"`
	Keys       *Keys              `json:"keys"` // null when invalid
	Steps      []Step             `json:"steps"`
	Registry   *registry.Standing `json:"registry,omitempty"` // of an info URI
	Warnings   []string           `json:"warnings,omitempty"`
}

// Describe reads s, inside its wrapper if it has one. Parts and keys hold a
// password as written: whoever shows them to others masks them.
func (r Rules) Describe(s string) Description {
	o := open(s)
	d := Description{Input: s, Components: json.RawMessage("{}"), Steps: []Step{}}
	for _, code := range o.codes {
		d.Steps = append(d.Steps, Step{Identical.String(), code, sectionOf(code, Identical)})
	}
	if o.u == nil {
		d.Valid = uri.Invalid.String()
		if e, ok := o.err.(*uri.Error); ok {
			d.Code, d.Scheme = e.Code, e.Scheme
		}
		return d
	}
	r.UDI = r.UDI || o.udi
	k := r.Keys(o.u)
	d.Valid, d.Code, d.Scheme = o.u.Validity().String(), o.u.Code(), o.u.Scheme()
	d.Components, d.Keys = uri.Components(o.u), &k
	d.Steps = append(d.Steps, r.Explain(o.u)...)
	d.Warnings = r.registry().Warnings(o.u)
	if i, ok := o.u.(*uri.Info); ok {
		d.Registry = new(r.registry().Standing(i))
	}
	return d
}

// ComparedPair is a comparison with its strings, ready to be written as JSON.
type ComparedPair struct {
	A string `json:"a"`
	B string `json:"b"`
	Comparison
}

// CompareStrings compares a and b and keeps them.
func (r Rules) CompareStrings(a, b string) ComparedPair { return ComparedPair{a, b, r.Compare(a, b)} }
