package mend

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"linkcheck/extract"
)

// Sheets is the folder of a workbook in which its sheets are.
const Sheets = "xl/worksheets"

// maxPart is how many octets of one part of a workbook are held.
const maxPart = 256 << 20

// workbook is an XLSX (ECMA-376 parts 1 and 2): the text of a piece is that of its sheets,
// their relations and the shared strings, one behind the other.
type workbook struct {
	files []*zip.File
	parts map[string]span // in the text, by name
	text  []byte

	strings [][]int                  // where the shared strings stand
	users   map[int]int              // how many cells name each of them
	cells   map[span]map[string]cell // of a sheet, by reference
}

// cell is where a cell stands: its tag with the prefix of its name, and what is in it.
type cell struct {
	prefix    string
	tag, body span
}

// workbookPieces makes one piece of a workbook. Other archives are witnesses.
func workbookPieces(d *document) ([]*piece, error) {
	z, err := zip.NewReader(bytes.NewReader(d.octets), int64(len(d.octets)))
	if err != nil {
		return nil, fmt.Errorf("zip: %w", ErrWitness)
	}
	w := &workbook{files: z.File, parts: map[string]span{}}
	for _, f := range z.File {
		if f.Name != "xl/sharedStrings.xml" && !strings.HasPrefix(f.Name, Sheets+"/") {
			continue
		}
		if w.parts[f.Name].to > 0 {
			return nil, errSpelled // two of one name
		}
		from := len(w.text)
		if w.text, err = appendPart(w.text, f); err != nil {
			return nil, err
		}
		w.parts[f.Name] = span{from, len(w.text)}
	}
	if len(w.text) == 0 {
		return nil, fmt.Errorf("zip: %w", ErrWitness)
	}
	d.book = w
	p := &piece{span: span{0, len(d.octets)}, text: w.text}
	p.founds, p.damages = read(d.name, d.octets, d.o)
	d.founds = p.founds
	p.apply = func(jobs []job) ([]byte, error) { return w.write(z.Comment, jobs) }
	return []*piece{p}, nil
}

func appendPart(text []byte, f *zip.File) ([]byte, error) {
	r, err := f.Open()
	if err != nil {
		return text, fmt.Errorf("zip: %.200q: %w", f.Name, err)
	}
	defer r.Close()
	part, err := io.ReadAll(io.LimitReader(r, maxPart+1))
	if err == nil && len(part) > maxPart {
		err = fmt.Errorf("more than %d octets", maxPart)
	}
	if err != nil {
		return text, fmt.Errorf("zip: %.200q: %w", f.Name, err)
	}
	return append(text, part...), nil
}

// write gives the workbook with the values of jobs. Members without any stay as they are
// packed.
func (w *workbook) write(comment string, jobs []job) ([]byte, error) {
	var edits []job
	for _, j := range jobs {
		edits = append(append(edits, j), j.also...)
	}
	slices.SortStableFunc(edits, func(a, b job) int { return a.at.from - b.at.from })
	var b bytes.Buffer
	out := zip.NewWriter(&b)
	for _, f := range w.files {
		part, known := w.parts[f.Name]
		own := slices.DeleteFunc(slices.Clone(edits), func(j job) bool { return j.at.from < part.from || j.at.to > part.to })
		if !known || len(own) == 0 {
			if err := out.Copy(f); err != nil {
				return nil, fmt.Errorf("zip: %.200q: %w", f.Name, err)
			}
			continue
		}
		for i := 1; i < len(own); i++ {
			if own[i].at.from < own[i-1].at.to {
				return nil, errTwice
			}
		}
		to, err := out.CreateHeader(&zip.FileHeader{Name: f.Name, Method: f.Method, Modified: f.Modified, ExternalAttrs: f.ExternalAttrs})
		if err != nil {
			return nil, fmt.Errorf("zip: %.200q: %w", f.Name, err)
		}
		if _, err := to.Write(splice(w.text[part.from:part.to], shifted(own, part.from))); err != nil {
			return nil, fmt.Errorf("zip: %.200q: %w", f.Name, err)
		}
	}
	if err := out.SetComment(comment); err != nil {
		return nil, fmt.Errorf("zip: %w", err)
	}
	if err := out.Close(); err != nil {
		return nil, fmt.Errorf("zip: %w", err)
	}
	return b.Bytes(), nil
}

// place gives the job of a change in a cell, or in its link and what the cell shows of that.
func (w *workbook) place(f *extract.Found, c *Change) (job, error) {
	sheet, ok := w.parts[f.Member]
	bang := strings.LastIndexByte(f.Locator, '!')
	if !ok || bang < 0 || path.Dir(f.Member) != Sheets {
		return job{}, ErrWitness
	}
	ref := f.Locator[bang+1:]
	if f.How != "hyperlink" {
		return w.cell(sheet, ref, f.Raw, c.New, false)
	}
	link, err := w.link(sheet, f, ref, c.New)
	if err != nil {
		return job{}, err
	}
	if shown, err := w.cell(sheet, ref, f.Raw, c.New, true); err == nil {
		link.also = append(append(link.also, shown.also...), job{at: shown.at, value: shown.value})
	}
	return link, nil
}

// element finds the elements of a name in a stretch of the text whose tag matches.
func (w *workbook) elements(in span, tag string) (list [][]int) {
	for _, m := range regexp.MustCompile(tag).FindAllSubmatchIndex(w.text[in.from:in.to], -1) {
		for i := range m {
			m[i] += in.from
		}
		list = append(list, m)
	}
	return list
}

// only is the place at which a value stands in a stretch of the text, if it stands there once,
// with nothing else there if it has to be whole.
func (w *workbook) only(in span, raw string, whole bool) (at span, err error) {
	n := 0
	for i := in.from; i < in.to; i++ {
		if length := match(w.text[i:in.to], raw, reference); length > 0 {
			at, n = span{i, i + length}, n+1
			i += length - 1
		}
	}
	switch {
	case n == 0:
		return at, errSpelled
	case n > 1:
		return at, errUnsure
	}
	if beside := string(w.text[in.from:at.from]) + string(w.text[at.to:in.to]); whole && strings.TrimSpace(anyTag.ReplaceAllString(beside, "")) != "" {
		return at, errSpelled
	}
	return at, nil
}

var anyTag = regexp.MustCompile(`<[^<>]*>`)

func (w *workbook) job(at span, value string) job {
	return job{at: at, value: writeXML(w.text[:at.from], value)}
}

// cell gives the job of a value in a cell: in the cell itself, or in the shared string that it
// names. A string that other cells name as well is copied into the cell.
func (w *workbook) cell(sheet span, ref, old, to string, whole bool) (job, error) {
	w.index()
	c, ok := w.cells[sheet][ref]
	if !ok || c.body.to == 0 {
		return job{}, errSpelled
	}
	kind := w.elements(c.tag, `\st="(s)"`)
	if len(kind) == 0 {
		at, err := w.only(c.body, old, whole)
		return w.job(at, to), err
	}
	number, ok := w.number(c.body)
	if !ok || number >= len(w.strings) || w.strings[number][2] < 0 {
		return job{}, errSpelled
	}
	text := span{w.strings[number][2], w.strings[number][3]}
	at, err := w.only(text, old, whole)
	if err != nil {
		return job{}, err
	}
	if w.users[number] == 1 {
		return w.job(at, to), nil
	}
	own := string(w.text[text.from:at.from]) + w.job(at, to).value + string(w.text[at.to:text.to])
	return job{
		at: c.body, value: "<" + c.prefix + "is>" + own + "</" + c.prefix + "is>",
		also: []job{{at: span{kind[0][2], kind[0][3]}, value: "inlineStr"}},
	}, nil
}

// index finds the cells of all sheets and the shared strings, once.
func (w *workbook) index() {
	if w.cells != nil {
		return
	}
	w.cells, w.users = map[span]map[string]cell{}, map[int]int{}
	w.strings = w.elements(w.parts["xl/sharedStrings.xml"], `(?s)<(?:\w+:)?si(?:\s[^<>]*)?>(.*?)</(?:\w+:)?si>|<(?:\w+:)?si/>`)
	for name, sheet := range w.parts {
		if path.Dir(name) != Sheets {
			continue
		}
		cells := map[string]cell{}
		for _, m := range w.elements(sheet, `<((?:\w+:)?)c\s(?:[^<>]*\s)?r="([A-Z]+[0-9]+)"[^<>]*>`) {
			c := cell{prefix: string(w.text[m[2]:m[3]]), tag: span{m[0], m[1]}}
			n := bytes.Index(w.text[m[1]:sheet.to], []byte("</"+c.prefix+"c>"))
			ref := string(w.text[m[4]:m[5]])
			if _, twice := cells[ref]; n >= 0 && w.text[m[1]-2] != '/' && !twice {
				c.body = span{m[1], m[1] + n}
			}
			cells[ref] = c
			if number, ok := w.number(c.body); ok && bytes.Contains(w.text[m[0]:m[1]], []byte(` t="s"`)) {
				w.users[number]++
			}
		}
		w.cells[sheet] = cells
	}
}

// number is the number in a cell.
func (w *workbook) number(body span) (n int, ok bool) {
	value := numberOf.FindSubmatch(w.text[body.from:body.to])
	if value == nil {
		return 0, false
	}
	n, err := strconv.Atoi(string(value[1]))
	return n, err == nil
}

var numberOf = regexp.MustCompile(`<(?:\w+:)?v>\s*(\d+)\s*</`)

// link gives the job of the address to which a link of a cell leads (ECMA-376 part 1 section
// 18.3.1.47). One that leads several cells there is left: which of them is meant is not sure.
func (w *workbook) link(sheet span, f *extract.Found, ref, to string) (job, error) {
	n := bytes.Index(w.text[sheet.from:sheet.to], []byte("hyperlinks"))
	sheet.from += max(0, n)
	tags := w.elements(sheet, `<(?:\w+:)?hyperlink\s(?:[^<>]*\s)?ref="`+regexp.QuoteMeta(ref)+`(?::[A-Z0-9]+)?"[^<>]*>`)
	if len(tags) != 1 {
		return job{}, errSpelled
	}
	tag := span{tags[0][0], tags[0][1]}
	ids := w.elements(tag, `\s\w+:id="([^"]*)"`)
	old := f.Raw
	for _, l := range w.elements(tag, `\slocation="([^"]*)"`) { // is written behind the address
		place := "#" + string(w.text[l[2]:l[3]])
		if !strings.HasSuffix(old, place) || !strings.HasSuffix(to, place) {
			return job{}, errSpelled
		}
		old, to = strings.TrimSuffix(old, place), strings.TrimSuffix(to, place)
	}
	if len(ids) != 1 {
		return job{}, errSpelled
	}
	id := regexp.QuoteMeta(string(w.text[ids[0][2]:ids[0][3]]))
	rels, ok := w.parts[path.Join(path.Dir(f.Member), "_rels", path.Base(f.Member)+".rels")]
	if !ok || len(w.elements(sheet, `\s\w+:id="`+id+`"`)) != 1 {
		return job{}, errUnsure
	}
	relation := w.elements(rels, `<(?:\w+:)?Relationship\s(?:[^<>]*\s)?Id="`+id+`"[^<>]*>`)
	if len(relation) != 1 {
		return job{}, errSpelled
	}
	target := w.elements(span{relation[0][0], relation[0][1]}, `\sTarget="([^"]*)"`)
	if len(target) != 1 {
		return job{}, errSpelled
	}
	at, err := w.only(span{target[0][2], target[0][3]}, old, false)
	return w.job(at, to), err
}
