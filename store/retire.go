package store

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"linkcheck/store/facts"
	"linkcheck/store/internal/boltfile"
	"linkcheck/store/internal/codec"
	"linkcheck/store/internal/linkkey"
)

const (
	dropRetiredAfter = 90 * day // OUTCOMES section 4
	retireRows       = 20000    // read in one transaction
)

// sourceTimes is what retiring needs of a source.
type sourceTimes struct {
	reading  uint64
	prevSeen uint64 // codec.Seconds
}

// swept is the change that ends a reading.
type swept struct {
	reading uint64
	now     time.Time
	named   bool                // the reading brought names
	retire  bool                // a source may hold mentions that were not found again, be it another file that says so
	counts  *facts.IngestCounts // to which it adds, where it was not decoded
}

func (c *swept) apply(s *Store, last func(func(*boltfile.Tx) error) error) error {
	in := Ingest{s: s, Reading: c.reading, Now: c.now}
	sources, err := in.sourceTimes(c.retire)
	if err != nil {
		return err
	}
	err = in.inEach(func(part *Ingest) error {
		if c.named {
			if err := part.makeNamingDue(); err != nil {
				return err
			}
		}
		if err := part.respell(); err != nil {
			return err
		}
		return part.retireVanished(sources)
	})
	if err == nil {
		err = last(func(tx *boltfile.Tx) error { return tx.Bucket(bucketMeta).Delete(metaRetire) })
	}
	if err == nil && c.counts != nil {
		c.counts.Add(&in.Counts)
	}
	return err
}

// sourceTimes reads those of all sources, by number, if any was read since the last reading
// that came to its end, or retire says so; else nil.
func (in *Ingest) sourceTimes(retire bool) (sources []sourceTimes, err error) {
	err = in.s.file.View(func(tx *boltfile.Tx) error {
		if !retire && tx.Bucket(bucketMeta).Get(metaRetire) == nil {
			return nil
		}
		b := tx.Bucket(bucketSource)
		sources = make([]sourceTimes, b.Sequence()+1)
		return boltfile.Each(b, func(k, v []byte) error {
			row, err := decodeSource(k, v)
			if err == nil && int(row.id) >= len(sources) {
				err = codec.ErrShort
			}
			if err != nil {
				return err
			}
			sources[row.id] = sourceTimes{row.Read, codec.Seconds(row.prevSeen)}
			return nil
		})
	})
	return sources, err
}

// retireVanished walks over all mentions of a file once, if there are sources to retire from.
func (in *Ingest) retireVanished(sources []sourceTimes) (err error) {
	if sources == nil {
		return nil
	}
	for from := []byte{}; from != nil && err == nil; {
		var stale [][]byte
		if stale, from, err = in.findStale(sources, from); err == nil && len(stale) > 0 {
			err = in.s.file.Update(func(tx *boltfile.Tx) error { return in.retire(tx, sources, stale) })
		}
	}
	return err
}

// findStale reads the heads of some rows; next is nil at the end.
func (in *Ingest) findStale(sources []sourceTimes, from []byte) (stale [][]byte, next []byte, err error) {
	err = in.s.file.View(func(tx *boltfile.Tx) (err error) {
		next, err = boltfile.Part(tx.Bucket(bucketMention), from, retireRows, func(k, v []byte) error {
			holders, retired, err := readMentionHead(v)
			if err != nil {
				return fmt.Errorf("mention of link %d: %w", codec.Number(k[:codec.KeyLen]), err)
			}
			if retired.IsZero() && slices.ContainsFunc(holders, func(h holding) bool { return isStale(sources, h) }) ||
				!retired.IsZero() && in.Now.Sub(retired) > dropRetiredAfter {
				stale = append(stale, bytes.Clone(k))
			}
			return nil
		})
		return err
	})
	return stale, next, err
}

func isStale(sources []sourceTimes, h holding) bool {
	return int(h.Source) < len(sources) && h.Reading < sources[h.Source].reading
}

// retire takes stale holders from mentions, retires mentions that nobody holds, and
// removes those that were retired long ago.
func (in *Ingest) retire(tx *boltfile.Tx, sources []sourceTimes, stale [][]byte) error {
	b := tx.Bucket(bucketMention)
	for _, k := range stale {
		link := codec.Number(k[:codec.KeyLen])
		url, err := urlOf(tx, link)
		if err != nil {
			return err
		}
		row, err := decodeMention(b.Get(k), url)
		if err != nil {
			return fmt.Errorf("mention of link %d: %w", link, err)
		}
		if !row.Retired.IsZero() {
			in.Counts.Dropped++
			if err := b.Delete(k); err != nil {
				return err
			}
			continue
		}
		last := row.holders[0]
		row.holders = slices.DeleteFunc(row.holders, func(h holding) bool { return isStale(sources, h) })
		if len(row.holders) == 0 {
			row.holders = []holding{last}
			row.Retired, row.LastSeen = in.Now, codec.TimeOf(sources[last.Source].prevSeen)
			in.Counts.Retired++
			if err := countMentions(tx, link, -1, false); err != nil {
				return err
			}
		}
		if err := b.Put(k, row.encode(url)); err != nil {
			return err
		}
	}
	return nil
}

// A link is spelled as its first mention by path, line and column in the reading that
// brought it. Which that is shows at its end, for sources may come in any order.

// respell spells the links that the reading brought.
func (in *Ingest) respell() error {
	var of readingRow
	if err := in.s.file.View(func(tx *boltfile.Tx) error { of = lastReading(tx); return nil }); err != nil {
		return err
	}
	if !of.mixed || of.reading != in.Reading {
		return nil
	}
	for from := codec.Key(of.links + 1); from != nil; {
		var mixed []uint64
		err := in.s.file.View(func(tx *boltfile.Tx) (err error) {
			from, err = boltfile.Part(tx.Bucket(bucketState), from, retireRows, func(k, v []byte) error {
				h, err := readStateHead(v)
				if h.flags&flagVariants != 0 {
					mixed = append(mixed, codec.Number(k))
				}
				return err
			})
			return err
		})
		for len(mixed) > 0 && err == nil {
			err = in.s.file.Update(func(tx *boltfile.Tx) (err error) {
				mixed, err = in.respellSome(tx, mixed)
				return err
			})
		}
		if err != nil {
			return err
		}
	}
	of.mixed = false
	return in.s.file.Update(of.put)
}

// respellSome spells some of the links and gives those that are left.
func (in *Ingest) respellSome(tx *boltfile.Tx, links []uint64) (left []uint64, err error) {
	for rows := 0; len(links) > 0 && rows < retireRows; {
		n, whole, err := in.respellLink(tx, links[0], retireRows-rows)
		if err != nil {
			return nil, fmt.Errorf("spelling of link %d: %w", links[0], err)
		}
		if rows += n + 1; whole {
			links = links[1:]
		}
	}
	return links, nil
}

// respellLink spells a link, if at most so many rows of mentions are to be changed for it:
// those that leave to the link how they are spelled say it themselves. Else it changes that
// many, and is to be called again.
func (in *Ingest) respellLink(tx *boltfile.Tx, link uint64, most int) (rows int, whole bool, err error) {
	url, err := urlOf(tx, link)
	if err != nil {
		return 0, false, err
	}
	first, silent, err := firstMention(tx, codec.Key(link), url)
	if err != nil || first == url {
		return 0, true, err
	}
	mentions, links := tx.Bucket(bucketMention), tx.Bucket(bucketLink)
	old, err := decodeLink(links.Get(codec.Key(link)))
	if err != nil {
		return 0, false, err
	}
	keys := linkkey.Of(first).Through(in.s.rules.Proxies, first)
	row := newLinkRow(&keys, first, old.FirstSeen)
	if !bytes.Equal(row.Identity, old.Identity) { // the rules have changed meanwhile
		return 0, true, nil
	}
	for _, k := range silent[:min(most, len(silent))] {
		row, err := decodeMention(mentions.Get(k), url)
		if err == nil {
			err = mentions.Put(k, row.encode(notAText))
		}
		if err != nil {
			return 0, false, err
		}
	}
	if len(silent) > most {
		return most, false, nil
	}
	return len(silent), true, links.Put(codec.Key(link), row.encode())
}

// firstMention gives the spelling of a link's first mention, and the keys of those mentions
// that leave theirs to the link.
func firstMention(tx *boltfile.Tx, link []byte, url string) (first string, silent [][]byte, err error) {
	sources := sourceReader{tx: tx}
	var of Mention
	for k, v := range boltfile.From(tx.Bucket(bucketMention), link) {
		if !bytes.HasPrefix(k, link) {
			break
		}
		m, err := decodeMention(v, url)
		if err == nil {
			err = sources.complete(&m)
		}
		if err != nil {
			return "", nil, err
		}
		if first == "" || cmp.Or(strings.Compare(m.Path, of.Path), cmp.Compare(m.Line, of.Line), cmp.Compare(m.Column, of.Column), compareMentions(m.Mention, of)) < 0 {
			first, of = m.URL, m.Mention
		}
		if left, _ := decodeMention(v, notAText); left.Raw == notAText {
			silent = append(silent, bytes.Clone(k))
		}
	}
	return first, silent, nil
}

// sweepAgain has the next run read a root from its beginning, whose documents may be lost.
func sweepAgain(_ *boltfile.Tx, k, row []byte) (c change, err error) {
	r, err := decodeRoot(k, row)
	if err != nil {
		return c, err
	}
	r.Mark, r.Sweep, r.Whole = nil, 0, time.Time{}
	v, err := json.Marshal(&r)
	return change{bucketRoot, v}, err
}

// dropRootless drops a document whose root is lost.
func dropRootless(tx *boltfile.Tx, k, row []byte) (c change, err error) {
	src, err := decodeSource(k, row)
	if err != nil || src.Remote == 0 || tx.Bucket(bucketRoot).Get(codec.Key32(src.Remote)) != nil {
		return c, err
	}
	return change{bucket: bucketSource}, unfileDocument(tx, &src)
}
