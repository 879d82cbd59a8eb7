package office

import (
	"archive/zip"
	"path"
	"slices"
	"strings"

	"linkcheck/extract/doc"
)

// Recognise gives the reader of a document that is a zip file; nil where the files are
// members of an archive. The directory says what it is, as the first member may be any.
func Recognise(files []*zip.File) func(*doc.Document, []*zip.File) error {
	for _, f := range files {
		switch path.Clean(strings.ToLower(f.Name)) {
		case "[content_types].xml":
			if has(files, "_rels/.rels") {
				return readOOXML
			}
		case "meta-inf/container.xml":
			return readEPUB
		case "content.xml":
			if has(files, "mimetype") && has(files, "meta-inf/manifest.xml") {
				return readODF
			}
		}
	}
	return nil
}

func has(files []*zip.File, name string) bool {
	return slices.ContainsFunc(files, func(f *zip.File) bool { return path.Clean(strings.ToLower(f.Name)) == name })
}

// readOOXML reads a package of Office Open XML by what its main part is (ECMA-376 part 2
// section 9.3). Packages of other kinds, such as those of programs, have no such part: all
// members are read as what they look like.
func readOOXML(d *doc.Document, files []*zip.File) error {
	p := newParts(d, files)
	for _, r := range p.relations("").list {
		if r.kind != "officeDocument" || r.external {
			continue
		}
		switch ext := path.Ext(r.target); {
		case ext == ".bin":
			return &doc.Foreign{Kind: "binary workbook"}
		case strings.Contains(r.target, "workbook"):
			readWorkbook(p, r.target)
		case strings.Contains(r.target, "presentation"):
			readSlides(p, r.target)
		default:
			readWord(p, r.target)
		}
		return nil
	}
	for _, f := range files {
		p.read(f.Name)
	}
	return nil
}

// placeOf says where a part of a text stands, as people say it.
var placeOf = map[string]string{
	"footnotes": "note", "endnotes": "endnote", "comments": "comment", "header": "header", "footer": "footer", "chart": "chart", "diagramData": "diagram",
}

// readWord reads a text: its body, then what stands at the foot, the end and the head of pages.
func readWord(p *parts, main string) {
	p.story(main, "")
	rels := p.relations(main)
	for _, kind := range []string{"footnotes", "endnotes", "comments", "header", "footer", "chart", "diagramData"} {
		rels.each(kind, func(part string) { p.story(part, placeOf[kind]) })
	}
	rels.each("aFChunk", p.read)
}
