package sample

import "linkcheck/store"

// Roots gives the archives of the invented library, one in each state that they can have.
func Roots() []store.Root {
	night := lastRunStart.AddDate
	const reference, systems = "reference@campus.example", "systems@campus.example"
	return []store.Root{
		{Number: 1, URI: "https://guides.campus.example/", Name: "Guides", Kind: "web", Owner: reference, Tried: lastRunStart, Whole: lastRunStart,
			Documents: 412, New: 3, Changed: 17, Gone: 1, Message: "whole; 4 refused"},
		{Number: 2, URI: "oai+https://catalogue.campus.example/oai?set=ebooks", Name: "Catalogue", Kind: "oai", Owner: systems, Tried: lastRunStart, Whole: night(0, 0, -7),
			RecordURL: "https://catalogue.campus.example/bib/{id}", Documents: 12_408, Doubted: true, Message: "doubted: 3,812 of 12,408 are missing at once"},
		{Number: 3, URI: "https://lists.campus.example/pipermail/www-talk/", Name: "Mail archive", Kind: "web", Owner: systems, Tried: lastRunStart, Whole: night(0, 0, -12),
			Documents: 9_203, Failing: night(0, 0, -3), Tries: 3, Message: "in outage since 3 nights"},
		{Number: 4, URI: "sitemap+https://theses.campus.example/sitemap.xml", Name: "Theses", Kind: "sitemap", Tried: lastRunStart, Sweep: lastRun,
			Documents: 4_100, New: 4_100, Message: "under way, 4,100 of about 9,800"},
		{Number: 5, URI: "sru+https://maps.campus.example/sru?query=dc.type=map", Name: "Map room", Kind: "sru", Owner: reference},
		{URI: "/srv/archive/rfc", Name: "RFCs", Kind: "path"},
	}
}
