package ingest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"path/filepath"
	"time"

	"linkcheck/extract"
	"linkcheck/store/facts"
	"linkcheck/uri/secret"
)

// rowMaker makes rows of what stands in files.
type rowMaker struct {
	o      extract.Options
	hidden bool
	hashed bool
}

// row completes a row.
func (m *rowMaker) row(r *Row) *Row {
	r.Schema = rowsSchema
	return r
}

// path is what may be shown of a path.
func (m *rowMaker) path(p string) rowPath { return rowPath(m.text(p)) }

// text is what may be shown of a text.
func (m *rowMaker) text(s string) string {
	if m.hidden {
		return secret.MaskText(s)
	}
	return s
}

// read sends what stands in a source.
func (m *rowMaker) read(ctx context.Context, s source, send func([]finding) bool) {
	one := func(err error, r Row) { send([]finding{{row: &r, err: err}}) }
	switch {
	case s.err != nil:
		one(s.err, Row{Kind: rowMissed, Error: m.text(s.err.Error())})
	case s.link != "":
		one(ErrNotFollowed, Row{Kind: rowLink, Path: m.path(absolute(s.link))})
	case s.bare != "":
		one(nil, Row{Kind: rowBare, Path: m.path(absolute(s.bare))})
	case s.astray != "":
		one(nil, Row{Kind: rowAstray, Path: m.path(absolute(s.astray))})
	default:
		b := &rowBatch{rowMaker: m, batch: []finding{{row: m.document(&s)}}, send: send}
		b.read(ctx, s)
		send(b.batch)
	}
}

// document is the row with which a document begins.
func (m *rowMaker) document(s *source) *Row {
	id := identity(absolute(s.path), s.box)
	shown := nameOf(filepath.Clean(s.path), id)
	r := &Row{Kind: rowDocument, Root: m.path(s.root), Path: m.path(id), Shown: m.path(shown), Size: s.info.Size()}
	r.Hidden = string(r.Root+r.Path+r.Shown) != s.root+id+shown
	if t := s.info.ModTime(); time.Since(t).Abs() >= racyAge && isModTime(t) {
		r.Modified = t.UTC()
	}
	return r
}

// isModTime says whether a store can hold the time of a file to the nanosecond.
func isModTime(t time.Time) bool { return t.Year() > 1700 && t.Year() < 2200 }

// rowBatch gathers the rows of a document.
type rowBatch struct {
	*rowMaker
	batch  []finding
	octets int // of references: one may be a megabyte
	send   func([]finding) bool
}

// read adds what stands in a document. The last row says how it ended.
func (b *rowBatch) read(ctx context.Context, s source) {
	last, failed := &Row{Kind: rowRead}, error(nil)
	defer func() {
		if failed != nil {
			last.Kind, last.Hash, last.Error = rowFailed, "", b.text(failed.Error())
		}
		b.batch = append(b.batch, finding{row: last})
	}()
	f, err := s.open(ctx)
	if failed = err; err != nil {
		b.batch = append(b.batch, finding{err: err})
		return
	}
	defer f.Close()
	sum, o := sha256.New(), b.o
	o.Path, o.Context, o.Size = absolute(s.path), ctx, s.info.Size()
	in := io.Reader(f)
	if b.hashed {
		in = io.TeeReader(f, sum)
	}
	var faults facts.Gathered
	for found, err := range Document(s.path, in, o) {
		if found.Fault != "" {
			faults.Add(faultOf(&found, found.Owner))
			continue
		}
		fd := finding{found: found, err: err}
		switch {
		case err != nil:
			if fd.row = b.spoilt(err, last); fd.row == nil {
				failed = err
			}
		case found.Name != "":
			last.Names++
			fd.row = &Row{Kind: rowName, Name: found.Name, Member: found.Member, Line: found.Line, Locator: found.Locator}
			if b.hidden && (b.text(found.Name) != found.Name || secret.MaskTorn(found.Name) != found.Name) {
				fd.row = &Row{Kind: rowName, Hidden: true}
			}
		default:
			last.Links++
		}
		b.batch, b.octets = append(b.batch, fd), b.octets+len(found.URI)+len(found.Raw)+len(found.Context)
		if len(b.batch) < batchFindings && b.octets < batchOctets {
			continue
		}
		if !b.send(b.batch) {
			return
		}
		b.batch, b.octets = nil, 0
	}
	if all := faults.Faults(); all != (facts.Faults{}) {
		last.Faults = &all
	}
	if read, err := f.Seek(0, io.SeekCurrent); err == nil && read == s.info.Size() && b.hashed {
		last.Hash = hex.EncodeToString(sum.Sum(nil)[:hashLen])
	}
}

// hashLen is how many octets of a hash a store keeps of a file.
const hashLen = 16

// spoilt is the row of an error of extract.Document; nil: the document was not read whole.
func (b *rowBatch) spoilt(err error, last *Row) *Row {
	if foreign, ok := errors.AsType[*extract.Foreign](err); ok {
		return &Row{Kind: rowForeign, Format: foreign.Kind}
	}
	d, ok := errors.AsType[*extract.Damage](err)
	if !ok || notWhole(err) {
		return nil
	}
	last.Damages++
	return &Row{Kind: rowDamage, Member: b.text(d.Member), Line: d.Line, Error: b.text(d.Err.Error())}
}
