package store

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"linkcheck/check"
	"linkcheck/store/internal/boltfile"
	"linkcheck/store/internal/codec"
)

// Entry is a link with what stands around it.
type Entry struct {
	Link
	LiveMentions []Mention // the live ones, in the order of Explanation.Mentions
	History      []Event   // as Explanation.History

	// The sums of all mentions.
	Picked      int      // mentions; LiveMentions may hold fewer
	Records     []uint64 // a number for each record that they stand in, or document where there is no record
	Collections []string // of them
}

// Pick says what a scan reads of the links. The zero value reads all links and
// nothing around them.
type Pick struct {
	Only        func(id uint64) bool // nil: all
	Doubt       check.Flag           // only links with this doubt about their page; "": all
	Mentions    bool
	Most        int      // mentions that LiveMentions is to hold, the first ones: a link may have a million; 0: all
	Collections []string // only mentions in these; empty: all
	History     bool
}

// add adds a mention to those of a link, if it is picked.
func (e *Entry) add(m Mention, pick *Pick) {
	if len(pick.Collections) > 0 && !slices.Contains(pick.Collections, m.Collection) {
		return
	}
	e.Picked++
	if !slices.Contains(e.Collections, m.Collection) {
		e.Collections = append(e.Collections, m.Collection)
	}
	record := recordHash(&m)
	if len(e.Records) == cap(e.Records) { // the same ones come again and again
		slices.Sort(e.Records)
		e.Records = slices.Compact(e.Records)
	}
	if n := len(e.Records); n == 0 || e.Records[n-1] != record {
		e.Records = append(e.Records, record)
	}
	if e.LiveMentions = append(e.LiveMentions, m); pick.Most > 0 && len(e.LiveMentions) >= pick.Most+mostSpare {
		e.sort(pick.Most)
	}
}

// mostSpare is how many mentions more than Pick.Most are gathered before they are sorted.
const mostSpare = 1000

// sort ends the adding of mentions.
func (e *Entry) sort(most int) {
	slices.SortFunc(e.LiveMentions, compareMentions)
	if most > 0 && len(e.LiveMentions) > most {
		clear(e.LiveMentions[most:])
		e.LiveMentions = e.LiveMentions[:most]
	}
	slices.Sort(e.Records)
	e.Records = slices.Compact(e.Records)
}

func compareMentions(a, b Mention) int {
	return cmp.Or(
		strings.Compare(a.Collection, b.Collection), strings.Compare(a.Record, b.Record),
		strings.Compare(a.Source, b.Source), strings.Compare(a.Member, b.Member),
		cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
		strings.Compare(a.Locator, b.Locator), strings.Compare(a.Raw, b.Raw))
}

// recordHash is the number of the record that a mention stands in.
func recordHash(m *Mention) uint64 {
	names := [...]string{m.Collection, m.Record, "", ""}
	if m.Record == "" {
		names[2], names[3] = m.Source, m.Member
	}
	var d xxhash.Digest
	d.Reset()
	for _, s := range names {
		d.WriteString(s)
		d.Write([]byte{0})
	}
	return d.Sum64()
}

// Scan yields the picked links, oldest first. It goes through the tables side by
// side, which all begin their keys with the number of the link: that is many times
// as fast as a look-up of every link.
func (s *Store) Scan(pick Pick) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		var r *linkReader // of the transaction at hand
		weigh := func(e Entry) int { return 1 + (len(e.LiveMentions)+len(e.History))/5 }
		boltfile.Pages(s.pending.View, bucketLink, weigh, func(tx *boltfile.Tx, k, _ []byte) (e Entry, ok bool, err error) {
			id := codec.Number(k)
			if pick.Only != nil && !pick.Only(id) {
				return e, false, nil
			}
			if r == nil || r.sources.tx != tx {
				r = s.reader(tx)
			}
			e, _, err = r.read(id, &pick)
			return e, e.PageDoubt == pick.Doubt || pick.Doubt == "", err
		})(yield)
	}
}

// Entry gives one link with its history and its live mentions: all of them in their
// order, or if there are more than most, any of them up to that number; or ErrNotFound.
func (s *Store) Entry(id uint64, most int) (e Entry, err error) {
	err = s.pending.ViewLinks(func(tx *boltfile.Tx) (err error) {
		r := s.reader(tx)
		r.most = most
		e, _, err = r.read(id, &Pick{Mentions: true, History: true})
		return err
	}, id)
	return e, err
}
