package page

import (
	"cmp"
	"linkcheck/extract/doc"
	"linkcheck/extract/textscan"
)

// found gives one link out, after the ones before it.
func (p *page) found(f doc.Found) bool {
	p.releasePending()
	f.Title = p.caption
	if f.How != textscan.HowHostPath && f.How != textscan.HowWWW {
		f.How = HowText
	}
	if p.howOverride != "" {
		f.How = p.howOverride
	}
	return p.d.Yield(f)
}

// releasePending gives out the links that waited for their text.
func (p *page) releasePending() {
	context := ""
	if len(p.pending) > 0 && len(p.linkText) > 0 {
		context = doc.Shown(p.linkText, doc.ContextSize)
	}
	for _, f := range p.pending {
		f.Title = p.caption
		f.Context = cmp.Or(f.Context, context)
		p.d.Yield(f)
	}
	p.pending, p.linkText = p.pending[:0], p.linkText[:0]
}
