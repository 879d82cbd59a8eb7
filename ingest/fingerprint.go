package ingest

import (
	"cmp"
	"crypto/sha256"
	"fmt"

	"linkcheck/extract"
)

// fingerprint says how a source is read, by the extractor's edition and the options. It is stored
// with each source: one with another fingerprint is read again. The text that is
// hashed has the form in which fmt prints extract.Options; in another form all stored
// fingerprints would differ, and every archive would be read again.
func fingerprint(o Options) string {
	e := o.Extract
	options := fmt.Sprintf("{Base:%s Input:%s Charset:%s Comments:%t MARC:%v RecordID:%s Names:%t}",
		e.Base, e.Input, e.Charset, e.Comments, e.MARC, e.RecordID, e.Names)
	if e.Limits != (extract.Limits{}) && e.Limits != extract.DefaultLimits() {
		options += fmt.Sprintf("%+v", e.Limits)
	}
	if e.NoText {
		options += " NoText"
	}
	if e.NoCode {
		options += " NoCode"
	}
	if e.Preprocess != nil {
		options += fmt.Sprintf(" Preprocess:%q", e.Preprocess)
	}
	if e.Faults {
		options += " Faults"
	}
	if e.Leads {
		options += " Leads"
	}
	if e.Owners != "" {
		options += fmt.Sprintf(" Owners:%q", e.Owners)
	}
	if s := e.Columns.String(); s != "" {
		options += fmt.Sprintf(" Columns:%q", s)
	}
	if o.Owners != nil {
		options += fmt.Sprintf(" Rules:%q", o.Owners)
	}
	if len(e.Mirrors) > 0 {
		options += fmt.Sprintf(" Mirrors:%q", e.Mirrors)
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %q", cmp.Or(o.Edition, extract.Edition), options))
	return fmt.Sprintf("%x", sum[:8])
}
