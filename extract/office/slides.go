package office

import (
	"strconv"

	"linkcheck/extract/doc"
	"linkcheck/extract/xmltoken"
)

// readSlides reads a presentation slide by slide, in its order: shapes, tables and groups,
// then charts and diagrams, then the notes of the speaker.
func readSlides(p *parts, main string) {
	rels := p.relations(main)
	number := 0
	p.xml(main, func(_ *doc.Document, t *xmltoken.Tokens) {
		if t.Kind != xmltoken.Start || xmltoken.Local(t.Name) != "sldId" {
			return
		}
		part := rels.part(relationID(t))
		if part == "" {
			return
		}
		number++
		place := "slide " + strconv.Itoa(number)
		p.story(part, place)
		of := p.relations(part)
		for _, kind := range []string{"chart", "diagramData"} {
			of.each(kind, func(part string) { p.story(part, place) })
		}
		of.each("notesSlide", func(part string) { p.story(part, place+" notes") })
	})
}

// relationID is the id of a relation in a tag that has an id of its own.
func relationID(t *xmltoken.Tokens) (id string) {
	t.Attrs(func(name string, value []byte, _ int) {
		if name != "id" && xmltoken.Local(name) == "id" {
			id = string(value)
		}
	})
	return id
}
