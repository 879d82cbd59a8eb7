package ingest

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/maphash"
	"math"
	"path/filepath"
	"strings"

	"linkcheck/extract"
	"linkcheck/store"
	"linkcheck/store/facts"
)

// document begins a document.
func (w *rowsReading) document(row *Row) (stopped bool, err error) {
	s := w.section
	if err := s.check(row); err != nil {
		return false, err
	}
	s.documents++
	s.found[row.Root]++
	path := string(row.Path)
	d := &document{foreign: map[string]int{}}
	d.src = store.Source{Path: path, Name: nameOf(cmp.Or(string(row.Shown), path), path), Collection: cmp.Or(w.r.o.Collection, filepath.Base(string(row.Root))),
		Root: string(row.Root), Rows: w.r.root, Options: s.Options, Size: row.Size, ModTime: row.Modified}
	s.open = &rowsDocument{document: d}
	if row.Hidden { // another may have the same path, as it is shown
		s.open.left, s.open.none = true, true
		return !w.send(part{unwalked: fmt.Errorf("%s:%d: %q: a secret in the path is hidden, and its links are not read: extract it with --show-secrets", w.file, w.line, shown(&d.src))}), nil
	}
	old, found, err := w.r.in.Known(0, path)
	if err != nil {
		return !w.send(part{err: err}), nil
	}
	met := old.Asked == w.r.in.Reading && old.Read != 0 && old.LastSeen.Equal(w.r.in.Now) // and not in vain
	s.open.twice = found && met || w.seen[maphash.String(w.seed, path)]
	if found = found && old.Gone.IsZero(); found {
		d.before = old
	}
	if as := s.Options + hiddenMark; s.Hidden && old.Options == as {
		d.src.Options = as
	}
	alike := found && old.Collection == d.src.Collection && old.Options == d.src.Options && old.Size == d.src.Size
	d.same = alike && !row.Modified.IsZero() && old.ModTime.Equal(row.Modified)
	if found && row.Size == 0 && !w.r.o.AllowEmpty {
		d.emptied = old.Mentions
	}
	s.open.left = s.open.twice || d.same || d.emptied > 0
	s.open.maybe = alike && len(old.Hash) > 0
	return false, nil
}

// hiddenMark stands behind the fingerprint of options where a secret of the document was
// hidden: it is read again once they are shown.
const hiddenMark = "-hidden"

// check says what is wrong with a document that begins.
func (s *section) check(row *Row) error {
	_, listed := s.found[row.Root]
	path, root := string(row.Path), string(row.Root)
	box := filepath.Dir(filepath.Dir(path)) // a message is known as if it lay in cur
	switch inside := Below(path, root) || filepath.Base(filepath.Dir(path)) == "cur" && Below(root, box); {
	case !listed:
		return fmt.Errorf("%.200q is no root of these rows", root)
	case checkPath(row.Path) != nil:
		return checkPath(row.Path)
	case !inside:
		return fmt.Errorf("%.200q is not below %.200q", path, root)
	case len(row.Shown) > maxPath:
		return fmt.Errorf("a name of %d octets", len(row.Shown))
	case row.Size < 0:
		return fmt.Errorf("a size of %d", row.Size)
	case !row.Modified.IsZero() && !isModTime(row.Modified):
		return fmt.Errorf("a file of the year %d", row.Modified.Year())
	}
	return nil
}

// ofDocument takes a row of the document under way.
func (w *rowsReading) ofDocument(row *Row) (stopped bool, err error) {
	d := w.section.open
	if err := checkPlace(row.Line, 0, row.Member, row.Locator, row.Name, row.Format); err != nil {
		return false, err
	}
	switch row.Kind {
	case rowName:
		if d.names++; row.Hidden {
			d.src.Options = w.section.Options + hiddenMark
		} else if !d.left {
			d.name(&extract.Found{Name: row.Name, Member: row.Member, Line: row.Line, Locator: row.Locator})
		}
		return w.flush(false), nil
	case rowDamage:
		if d.damages++; !d.left {
			d.failed(&extract.Damage{Source: shown(&d.src), Member: row.Member, Line: row.Line, Err: errors.New(cut(row.Error))})
		}
		return false, nil
	case rowForeign:
		if d.foreign[row.Format]++; len(d.foreign) > maxFormats {
			return false, fmt.Errorf("more than %d formats that are not read", maxFormats)
		}
		return false, nil
	case rowFailed:
		if !d.left {
			d.err = errors.New(cut(row.Error))
		}
		return w.close(nil)
	case rowRead:
		if row.Faults != nil && !d.left {
			d.takeFaults(row.Faults, w.r.o.Owners)
		}
		hash, err := hex.DecodeString(row.Hash)
		switch {
		case d.links != row.Links || d.names != row.Names || d.damages != row.Damages:
			return false, fmt.Errorf("the rows of %.200q are not all: %d links of %d, %d names of %d, %d damages of %d", d.src.Path, d.links, row.Links, d.names, row.Names, d.damages, row.Damages)
		case err != nil || len(hash) != 0 && len(hash) != hashLen:
			return false, fmt.Errorf("%.100q is no hash", row.Hash)
		}
		return w.close(hash)
	}
	return false, fmt.Errorf("a row %.100q where none can be", row.Kind)
}

// link takes the row of a link.
func (w *rowsReading) link(line []byte) (stopped bool, err error) {
	if w.section == nil || w.section.open == nil {
		return false, errors.New("no row of a document, and none is under way")
	}
	d := w.section.open
	if d.links++; d.left {
		if !bytes.HasSuffix(line, []byte("}")) {
			return false, errors.New("no row: it breaks off")
		}
		return false, nil
	}
	var f extract.Found
	switch err := unmarshal(line, &f); {
	case err != nil:
		return false, err
	case f.URI == "" && f.Raw == "":
		return false, errors.New("a link without an address")
	}
	if err := checkPlace(f.Line, f.Column, f.Member, f.Locator, f.Record, f.Title, f.Owner, f.How, f.Context, f.Date, f.DateFrom, f.CopyOf); err != nil {
		return false, err
	}
	if f.Hidden {
		d.src.Options = w.section.Options + hiddenMark
	}
	d.src.Mentions++
	d.mention(owned(w.r.o.Owners, mention(d.src.Collection, &f), &d.src))
	return w.flush(false), nil
}

// checkPlace says what is wrong with where something stands, and the texts around it.
func checkPlace(line, column int, texts ...string) error {
	if min(line, column) < 0 || max(line, column) > math.MaxInt32 {
		return fmt.Errorf("line %d, column %d", line, column)
	}
	for _, t := range texts {
		if len(t) > maxText {
			return fmt.Errorf("%d octets where extraction gives less", len(t))
		}
	}
	return nil
}

// takeFaults takes what a row says of places for addresses.
func (d *document) takeFaults(list *facts.Faults, by Owners) {
	for f := range list.All() {
		for _, text := range []*string{&f.Code, &f.Member, &f.Record, &f.Locator, &f.Title, &f.Owner, &f.Value, &f.Repair} {
			*text = cut(*text)
		}
		d.fault(&extract.Found{Fault: f.Code, Member: f.Member, Line: f.Line, Record: f.Record, Locator: f.Locator, Title: f.Title, Owner: f.Owner, Raw: f.Value, Repair: f.Repair}, by)
	}
	d.faults.Pass(list.More)
}

// cut is what others say of an error, cut.
func cut(text string) string {
	return strings.ToValidUTF8(text[:min(len(text), maxErrorText)], "")
}

const maxErrorText = 4 << 10

// flush sends what was gathered where it is much, or all of it. stopped says that no more
// is wanted.
func (w *rowsReading) flush(all bool) (stopped bool) {
	d := w.section.open
	if !all && !d.much() {
		return false
	}
	if d.held = append(d.held, d.part(&d.src)); d.maybe && !all && len(d.held) < maxHeld {
		return false
	}
	d.maybe = false
	for _, p := range d.held {
		if !w.send(p) {
			return true
		}
	}
	d.held = nil
	return false
}

// close ends the document under way.
func (w *rowsReading) close(hash []byte) (stopped bool, err error) {
	d := w.section.open
	switch {
	case d.none, d.twice:
		w.section.open = nil
		return d.twice && !w.send(part{twice: true}), nil
	case d.left:
	case d.maybe && d.err == nil && bytes.Equal(hash, d.before.Hash):
		d.same = true
	default:
		d.beside()
		if d.src.Hash = hash; w.flush(true) {
			return true, nil
		}
	}
	if d.err == nil {
		w.seen[maphash.String(w.seed, d.src.Path)] = true
	}
	w.section.open = nil
	return !w.send(part{document: d.document}), nil
}
