package harvest

import (
	"encoding/json"
	"time"
)

const (
	maxWindows = 100     // that are still to do
	maxFailed  = 32      // that were not whole
	maxMark    = 1 << 20 // octets; one that is longer is none of ours
)

// oaiMark is how far the harvests of a repository have come.
type oaiMark struct {
	Prefix  string      `json:"prefix,omitempty"`  // metadataPrefix
	Formats time.Time   `json:"formats,omitzero"`  // when it was last among the formats
	Windows []oaiWindow `json:"windows,omitempty"` // still to do in this sweep
	Failed  []oaiWindow `json:"failed,omitempty"`  // not whole in the last: to do again in the next
	Next    time.Time   `json:"next,omitzero"`     // responseDate of the first page of this sweep
	Last    time.Time   `json:"last,omitzero"`     // of that of the last; zero: none has ended

	All    bool      `json:"all,omitempty"`    // this sweep lists all there is
	Listed int       `json:"listed,omitempty"` // records of the list of all
	News   int       `json:"news,omitempty"`   // records of the other lists
	Full   time.Time `json:"full,omitzero"`    // when all was last listed
	NoIDs  bool      `json:"no_ids,omitempty"` // ListIdentifiers is not answered
	Late   *oaiSpan  `json:"late,omitempty"`   // datestamps of records that were listed and are not known

	Loose  bool   `json:"loose,omitempty"` // the sizes of its lists are not believed
	Short  bool   `json:"short,omitempty"` // in this sweep the list of all is one of those
	Why    Reason `json:"why,omitempty"`   // this sweep is not whole; 0: it is
	Broken string `json:"broken,omitempty"`

	Documents int `json:"documents,omitempty"` // that were read and are not gone
}

// oaiSpan is a span of datestamps, both ends in it; "": without end.
type oaiSpan struct {
	From  string `json:"from,omitempty"`
	Until string `json:"until,omitempty"`
}

// oaiWindow is a list, and how far it was read.
type oaiWindow struct {
	oaiSpan
	IDs   bool `json:"ids,omitempty"`   // of identifiers alone
	All   bool `json:"all,omitempty"`   // a part of the list of all there is
	Again bool `json:"again,omitempty"` // it was begun anew
	Tries int  `json:"tries,omitempty"` // earlier sweeps in which it was not whole

	Token   string    `json:"token,omitempty"` // of the next page
	Expires time.Time `json:"expires,omitzero"`
	Seen    int       `json:"seen,omitempty"`  // records
	Size    int       `json:"size,omitempty"`  // completeListSize
	Empty   int       `json:"empty,omitempty"` // pages in a row
	Cut     time.Time `json:"cut,omitzero"`    // since when its next page is cut, or that for which it was halved
}

// begin is the window from its beginning.
func (w *oaiWindow) begin() oaiWindow {
	return oaiWindow{oaiSpan: w.oaiSpan, IDs: w.IDs, All: w.All, Again: w.Again, Tries: w.Tries, Cut: w.Cut}
}

// readOAIMark reads a mark. One that is not understood is none: all is listed anew.
func readOAIMark(octets []byte) (m oaiMark) {
	if len(octets) > maxMark || json.Unmarshal(octets, &m) != nil || len(m.Windows) > maxWindows || len(m.Failed) > maxFailed || m.Why > Incomplete {
		return oaiMark{}
	}
	return m
}

func (m *oaiMark) bytes() []byte {
	octets, err := json.Marshal(m)
	if err != nil {
		return nil // a date that JSON has no form for: the mark before it stands
	}
	return octets
}

// fail notes that a window is not whole. It is done again in the next sweep, with those
// beside it where there are too many.
func (m *oaiMark) fail(w oaiWindow, why Reason, text string) {
	if m.Why == 0 {
		m.Why, m.Broken = why, text
	}
	w = w.begin()
	w.Again, w.All, w.Tries, w.Cut = false, false, w.Tries+1, time.Time{}
	switch n := len(m.Failed); {
	case w.IDs, w.Tries >= mostTries: // the next list of all finds what was in it
	case n == maxFailed:
		m.Failed[n-1].Until = w.Until
	default:
		m.Failed = append(m.Failed, w)
	}
}

// The two granularities of datestamps (OAI-PMH 2.0 section 3.3).
const (
	oaiDay    = time.DateOnly
	oaiSecond = "2006-01-02T15:04:05Z"
)

// oaiTime reads a datestamp of either.
func oaiTime(stamp string) (time.Time, bool) {
	for _, layout := range []string{oaiSecond, oaiDay, time.RFC3339} {
		if t, err := time.Parse(layout, stamp); err == nil && t.Year() > 0 {
			return t.UTC(), true
		}
	}
	return time.Time{}, false
}

// halves cuts a window in two by days. earliest and latest stand for ends that it does
// not have; false: it is one day.
func (w *oaiWindow) halves(layout string, earliest, latest time.Time) (left, right oaiWindow, ok bool) {
	from, until := earliest, latest
	if t, ok := oaiTime(w.From); ok {
		from = t
	}
	if t, ok := oaiTime(w.Until); ok {
		until = t
	}
	first, last := from.Truncate(24*time.Hour), until.Truncate(24*time.Hour)
	days := int(last.Sub(first) / (24 * time.Hour))
	if days < 1 {
		return left, right, false
	}
	second := first.AddDate(0, 0, (days+1)/2)
	left, right = w.begin(), w.begin()
	left.Until, right.From = second.Add(-time.Second).Format(layout), second.Format(layout)
	left.Again, right.Again = true, true
	return left, right, true
}

// stretch makes the span hold a datestamp.
func (s *oaiSpan) stretch(stamp string) {
	if s.From == "" || stamp < s.From {
		s.From = stamp
	}
	if stamp > s.Until {
		s.Until = stamp
	}
}
