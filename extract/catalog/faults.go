package catalog

import (
	"bytes"
	"slices"

	"linkcheck/extract/doc"
	"linkcheck/extract/textscan"
	"linkcheck/lint"
)

// faults gives out what is wrong with subfield i of a field, whose links are given out, where
// Options.Faults asks for it: that it is empty, that it is no address, and what else links do
// not tell.
func (c *links) faults(f *bibField, nth, i int) {
	s := &f.subs[i]
	if !c.d.Options.Faults || s.code != 'u' || !lint.IsLink(f.tag) || !c.wanted(f.tag, s.code) {
		return
	}
	of := lint.Field{Tag: f.tag, Value: s.text, Links: c.given, Way: slices.ContainsFunc(f.subs, func(s bibSub) bool { return s.code == '2' || s.code == 'y' })}
	if s.indented {
		of.Value = " " + s.text
	}
	if f.inds != "" {
		of.First = f.inds[0]
	}
	for _, fault := range of.Faults() {
		c.yield(f, nth, i, doc.Found{Fault: fault.Code, Raw: fault.Value[:min(len(fault.Value), maxLooked)], Repair: fault.Repair, Line: s.line, Column: s.column})
	}
}

// cellFault gives out that a cell that is meant for an address has none: an empty one is none.
func cellFault(d *doc.Document, c cell, of doc.Found) {
	text := bytes.TrimSpace(c.text)
	if d.Options.Faults && len(text) > 0 && !textscan.MayHold(text) {
		of.Line, of.Column = c.line, c.column
		d.Yield(withoutAddress(text, of))
	}
}

// withoutAddress says what is wrong with a value that is meant for an address and is none.
func withoutAddress(value []byte, f doc.Found) doc.Found {
	fault := lint.WithoutAddress(string(value[:min(len(value), maxLooked)]))
	f.Fault, f.Raw, f.Repair = fault.Code, fault.Value, fault.Repair
	return f
}
