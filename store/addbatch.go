package store

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"

	"linkcheck/judge"
	"linkcheck/store/internal/boltfile"
	"linkcheck/store/internal/codec"
	"linkcheck/store/internal/linkkey"
	"linkcheck/store/internal/pending"
)

// Batch is mentions made ready for the store.
type Batch struct {
	Remote uint32 // number of the Root of its source; 0: it is a file

	source string
	items  []*item
	names  []Name
}

// item is a mention with the keys of its link.
type item struct {
	mention      *Mention
	keys         linkkey.Keys
	identityHash uint64
	mentionHash  uint64
	link         uint64
	fresh        bool // the link is new
}

// Prepare works out the identities of mentions of one source, and takes the names that
// stand in it; a mention whose URL is empty is a relative reference without a base. It
// needs no store and may run beside Add. Some ten thousand mentions make a good batch. The
// list is the batch's from then on.
func Prepare(source string, list []Mention, names []Name) *Batch {
	b := &Batch{source: source, items: make([]*item, len(list)), names: names}
	all := make([]item, len(list))
	for i := range list {
		m, it := &list[i], &all[i]
		m.Source, b.items[i] = source, it
		if m.URL != "" {
			it.keys = linkkey.Of(m.URL)
		} else {
			m.URL, it.keys = m.Raw, linkkey.Relative(m.Raw)
		}
		it.mention, it.mentionHash = m, mentionHash(m)
		it.identityHash = pending.Hash(it.keys.Identity)
	}
	slices.SortStableFunc(b.items, func(x, y *item) int {
		return cmp.Or(bytes.Compare(x.keys.Identity, y.keys.Identity), cmp.Compare(x.mentionHash, y.mentionHash))
	})
	return b
}

// mentionHash is the identity of a mention of one link (OUTCOMES section 4). A
// document without records is one record.
func mentionHash(m *Mention) uint64 {
	location := m.Locator
	switch {
	case location != "":
	case m.Nth > 0:
		location = "#" + strconv.Itoa(m.Nth)
	default:
		location = strconv.Itoa(m.Line) + ":" + strconv.Itoa(m.Column)
	}
	return linkkey.Sum(m.Collection, cmp.Or(m.Record, m.Source+"\x01"+m.Member), location, m.Raw)
}

func (in *Ingest) addBatch(tx *boltfile.Tx, b *Batch) error {
	src, err := in.source(tx, b.Remote, b.source)
	if err != nil {
		return err
	}
	if src.isKnown() { // until it was read whole it is not what it is known by
		src.Version, src.Hash = "", nil
		if src.Remote == 0 {
			src.Options = ""
		}
		if err := putSource(tx, &src); err != nil {
			return err
		}
	}
	if err := in.addNames(tx, src.id, b.names); err != nil {
		return err
	}
	if err := in.numberLinks(tx, b.items); err != nil {
		return err
	}
	byLink := func(x, y *item) int {
		return cmp.Or(cmp.Compare(x.link, y.link), cmp.Compare(x.mentionHash, y.mentionHash))
	}
	if !slices.IsSortedFunc(b.items, byLink) { // new links are
		slices.SortStableFunc(b.items, byLink)
	}
	in.Counts.Mentions += len(b.items)
	for i := 0; i < len(b.items); {
		n := 1
		for i+n < len(b.items) && b.items[i+n].link == b.items[i].link {
			n++
		}
		add := in.addMentions
		if b.items[i].fresh {
			add = in.addLink
		}
		if err := add(tx, &src, b.items[i:i+n]); err != nil {
			return err
		}
		i += n
	}
	return nil
}

// numberLinks gives each item the number of its link. Numbers grow with the identities,
// so the rows of new links are put in order.
func (in *Ingest) numberLinks(tx *boltfile.Tx, items []*item) error {
	links, finder := tx.Bucket(bucketLink), in.s.pending.Finder(tx)
	for i, it := range items {
		if i > 0 && bytes.Equal(it.keys.Identity, items[i-1].keys.Identity) {
			it.link, it.fresh = items[i-1].link, items[i-1].fresh
			continue
		}
		known, err := finder.NewOrKnown(it.identityHash, it.keys.Identity)
		if err != nil {
			return err
		}
		if it.link, it.fresh = known, known == 0; !it.fresh {
			continue
		}
		if it.link, err = links.NextSequence(); err != nil {
			return err
		}
		if err := in.s.pending.AddLink(tx, it.identityHash, it.link); err != nil {
			return err
		}
	}
	return nil
}

// spelledTwice notes that mentions spell a link in more than one way.
func (in *Ingest) spelledTwice(tx *boltfile.Tx, link uint64) error {
	row := lastReading(tx)
	if row.mixed || row.reading != in.Reading || link <= row.links {
		return nil
	}
	row.mixed = true
	return row.put(tx)
}

const mentionFill = 0.9 // of a page

// addLink makes the rows of a new link and its mentions, which are sorted by hash. The link
// is spelled as the first of them is, until Finish knows the others of the reading.
func (in *Ingest) addLink(tx *boltfile.Tx, src *sourceRow, items []*item) error {
	first := slices.MinFunc(items, func(x, y *item) int {
		return cmp.Or(cmp.Compare(x.mention.Line, y.mention.Line), cmp.Compare(x.mention.Column, y.mention.Column))
	})
	url := first.mention.URL
	state := stateRow{Judgement: judge.Judgement{State: judge.New}}
	mentions := tx.Bucket(bucketMention)
	mentions.FillPercent = mentionFill
	for i, it := range items {
		state.Variants = state.Variants || it.mention.URL != url
		if i+1 < len(items) && items[i+1].mentionHash == it.mentionHash {
			continue
		}
		state.Live++
		row := mentionRow{*it.mention, []holding{{src.id, in.Reading}}}
		row.FirstSeen = in.Now
		if err := mentions.PutNew(mentionKey(it.link, it.mentionHash), row.encode(url)); err != nil {
			return err
		}
	}
	if state.Variants {
		if err := in.spelledTwice(tx, first.link); err != nil {
			return err
		}
	}
	in.Counts.NewLinks++
	in.Counts.New += int(state.Live)
	keys := first.keys.Through(in.s.rules.Proxies, url)
	key, links, row := codec.Key(first.link), tx.Bucket(bucketLink), newLinkRow(&keys, url, in.Now)
	links.FillPercent = linkFill
	if err := links.PutNew(key, row.encode()); err != nil {
		return err
	}
	states := tx.Bucket(bucketState)
	states.FillPercent = linkFill
	return states.PutNew(key, state.encode())
}

// addMentions writes the mentions of one known link and counts the live ones.
func (in *Ingest) addMentions(tx *boltfile.Tx, src *sourceRow, items []*item) error {
	link := items[0].link
	url, err := urlOf(tx, link)
	if err != nil {
		return err
	}
	live, variants := 0, false
	for _, it := range items {
		added, err := in.addMention(tx, src, it, url)
		if err != nil {
			return err
		}
		live += added
		variants = variants || it.mention.URL != url
	}
	if variants {
		if err := in.spelledTwice(tx, link); err != nil {
			return err
		}
	}
	return countMentions(tx, link, live, variants)
}

// urlOf is the URL of a link as first written.
func urlOf(tx *boltfile.Tx, link uint64) (string, error) {
	row, err := decodeLink(tx.Bucket(bucketLink).Get(codec.Key(link)))
	if err != nil {
		return "", fmt.Errorf("link %d: %w", link, err)
	}
	if row.URL != "" {
		return row.URL, nil
	}
	p, err := row.parts()
	return p.url, err
}

// addMention writes one mention; added is 1 if the link has one more live mention now.
func (in *Ingest) addMention(tx *boltfile.Tx, src *sourceRow, it *item, url string) (added int, err error) {
	b := tx.Bucket(bucketMention)
	b.FillPercent = mentionFill
	key := mentionKey(it.link, it.mentionHash)
	row := mentionRow{*it.mention, []holding{{src.id, in.Reading}}}
	if v := b.Get(key); v == nil {
		row.FirstSeen = in.Now
		added, in.Counts.New = 1, in.Counts.New+1
	} else {
		old, err := decodeMention(v, url)
		if err != nil {
			return 0, fmt.Errorf("mention of link %d: %w", it.link, err)
		}
		if row.FirstSeen = old.FirstSeen; !old.Retired.IsZero() {
			added, in.Counts.Returned = 1, in.Counts.Returned+1
		} else if err := row.share(tx, &old, src); err != nil {
			return 0, err
		}
	}
	row.Retired, row.LastSeen = time.Time{}, time.Time{}
	return added, b.Put(key, row.encode(url))
}

// share makes of a mention in a source one that others held before too. It is shown as it
// stands in the first by path of those that this reading found to hold it.
func (m *mentionRow) share(tx *boltfile.Tx, old *mentionRow, src *sourceRow) error {
	own, at := m.holders[0], 0
	others := slices.DeleteFunc(old.holders, func(h holding) bool { return h.Source == own.Source })
	for ; at < len(others) && others[at].Reading == own.Reading; at++ {
		other, err := sourceByNumber(tx, others[at].Source)
		if err != nil {
			return err
		}
		if comparePaths(&other, src) > 0 {
			break
		}
	}
	if at > 0 {
		m.Mention = old.Mention
	}
	m.holders = slices.Insert(others, at, own)
	return nil
}

// countMentions changes the count of live mentions in the head of a state row.
func countMentions(tx *boltfile.Tx, link uint64, added int, variants bool) error {
	b, key := tx.Bucket(bucketState), codec.Key(link)
	v := b.Get(key)
	h, err := readStateHead(v)
	if err != nil {
		return fmt.Errorf("state of link %d: %w", link, err)
	}
	if added == 0 && (!variants || h.flags&flagVariants != 0) {
		return nil
	}
	v = bytes.Clone(v)
	setMentions(v, uint32(max(0, int(h.live)+added)), variants)
	return b.Put(key, v)
}
