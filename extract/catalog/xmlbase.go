package catalog

import (
	"bytes"
	"strings"

	"linkcheck/extract/doc"
	"linkcheck/extract/xmltoken"
)

// xmlBase is what relative references stood against before an element with xml:base
// (W3C XML Base section 3.1).
type xmlBase struct {
	depth  int // of the element
	around string
}

// openBase takes the base of the element that begins. It counts for the attributes of
// the element too.
func (x *xmlReader) openBase() {
	if len(x.bases) >= maxXMLDeep || !bytes.Contains(x.t.Raw, []byte("xml:base")) {
		return
	}
	x.t.Attrs(func(attr string, value []byte, _ int) {
		if attr != "xml:base" {
			return
		}
		ref := strings.TrimSpace(string(xmltoken.Unentity(value)))
		base, cut := x.d.Cut(x.t.Line, "xml:base", doc.Resolve(x.d.Base, doc.WithoutControls(ref)))
		if base != "" && !cut {
			x.bases = append(x.bases, xmlBase{x.depth, x.d.Base})
			x.d.Base = base
		}
	})
}

// closeBases goes back to the bases around the elements that have ended.
func (x *xmlReader) closeBases() {
	for n := len(x.bases); n > 0 && x.bases[n-1].depth > x.depth; n-- {
		x.d.Base, x.bases = x.bases[n-1].around, x.bases[:n-1]
	}
}
