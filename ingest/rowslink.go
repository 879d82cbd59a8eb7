package ingest

import (
	"errors"
)

// carried takes the rows that a link carries.
func (w *rowsReading) carried(line []byte) (stopped bool, err error) {
	var row LinkRow
	if err := unmarshal(line, &row); err != nil {
		return false, err
	}
	if row.Begin != nil {
		if w.endCarried(); w.section != nil {
			w.fail(errors.New("the rows break off: they begin anew without an end"))
		}
		if err := w.begin(row.Begin); err != nil {
			return false, err
		}
		w.section.carried, w.end.carried = true, true
	}
	switch s := w.section; {
	case w.lost || row.Document == nil:
		return false, nil
	case s == nil || !s.carried:
		return false, errors.New("a document in the row of a link, where rows of documents are")
	case s.open != nil:
		if stopped, err := w.close(nil); stopped || err != nil {
			return stopped, err
		}
	}
	return w.document(row.Document)
}

// endCarried ends a section that links carry, if one is under way: nothing says where it ends.
func (w *rowsReading) endCarried() {
	if s := w.section; s != nil && s.carried {
		if s.open != nil {
			w.close(nil)
		}
		w.section = nil
	}
}
