package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/store/internal/boltfile"
	"linkcheck/store/internal/codec"
	"linkcheck/store/internal/recall"
)

// tables lists what is exported; index and path follow from link and source.
var tables = [...]table{
	of(bucketMeta, showPlain, readPlain, maskPlain),
	of(bucketRoot, showJSON, readJSON, maskJSON).with(func(tx *boltfile.Tx, k, v []byte) error {
		r, err := decodeRoot(k, v)
		if err != nil {
			return err
		}
		return errors.Join(tx.Bucket(bucketRoot).RaiseSequence(uint64(r.Number)), tx.Bucket(bucketMention).RaiseSequence(r.Sweep))
	}),
	of(bucketSource, showSource, readSource, maskSource).with(func(tx *boltfile.Tx, k, v []byte) error {
		row, err := decodeSource(k, v)
		if err != nil {
			return err
		}
		if err := tx.Bucket(bucketSource).RaiseSequence(uint64(row.id)); err != nil {
			return err
		}
		if err := tx.Bucket(bucketMention).RaiseSequence(max(row.Read, row.Asked)); err != nil {
			return err
		}
		return fileSource(tx, &row)
	}),
	of(bucketLink, showLink, readLink, maskLink).with(func(tx *boltfile.Tx, k, v []byte) error {
		if _, err := decodeLink(v); err != nil || len(k) != codec.KeyLen {
			return codec.ErrShort
		}
		return tx.Bucket(bucketLink).RaiseSequence(codec.Number(k)) // the index follows
	}),
	of(bucketState, showState, readStateLine, maskState),
	of(bucketMention, showMention, readMention, maskMention).with(func(tx *boltfile.Tx, _, v []byte) error {
		holders, _, err := readMentionHead(v)
		for _, h := range holders {
			if err := tx.Bucket(bucketMention).RaiseSequence(h.Reading); err != nil {
				return err
			}
		}
		return err
	}),
	of(bucketHistory, showEvent, readEvent, maskEvent),
	of(bucketRun, showJSON, readJSON, maskJSON).with(func(tx *boltfile.Tx, k, _ []byte) error {
		if len(k) != codec.KeyLen {
			return codec.ErrShort
		}
		return tx.Bucket(bucketRun).RaiseSequence(codec.Number(k))
	}),
	of(bucketPin, showJSON, readJSON, maskJSON).with(raiseWords),
	of(bucketHost, showJSON, readJSON, maskJSON),
	of(bucketCache, showCached, readCached, maskCached),
	of(bucketName, showPlain, readPlain, maskPlain).with(func(tx *boltfile.Tx, k, _ []byte) error {
		if len(k) != nameKeyLen {
			return codec.ErrShort
		}
		return tx.Bucket(bucketName).RaiseSequence(codec.Number(k[4:]))
	}),
}

// of makes a table from the conversions between its rows and a type with JSON tags. mask
// takes the secrets from a row, or says that it cannot.
func of[T any](bucket []byte, show func(k, v []byte) (T, error), read func(*T) (k, v []byte, err error), mask func(*T) bool) table {
	return table{bucket: bucket,
		show: func(k, v []byte) (any, error) { return show(k, v) },
		read: func(row json.RawMessage) (k, v []byte, err error) {
			var t T
			if err := json.Unmarshal(row, &t); err != nil {
				return nil, nil, err
			}
			return read(&t)
		},
		mask: func(k, v []byte) (k2, v2 []byte, ok bool) {
			t, err := show(k, v)
			if err != nil || !mask(&t) {
				return nil, nil, false
			}
			k2, v2, err = read(&t)
			return k2, v2, err == nil
		}}
}

func (t table) with(also func(tx *boltfile.Tx, k, v []byte) error) table {
	t.also = also
	return t
}

// plainLine is a name and what it holds.
type plainLine struct {
	Name  string `json:"name"`
	Value []byte `json:"value"`
}

func showPlain(k, v []byte) (plainLine, error) { return plainLine{string(k), v}, nil }

func readPlain(l *plainLine) (k, v []byte, err error) { return []byte(l.Name), l.Value, nil }

// jsonLine is a row that is stored as JSON.
type jsonLine struct {
	Key   []byte          `json:"key"`
	Value json.RawMessage `json:"value"`
}

func showJSON(k, v []byte) (l jsonLine, err error) {
	if !json.Valid(v) {
		err = codec.ErrShort
	}
	return jsonLine{k, v}, err
}

func readJSON(l *jsonLine) (k, v []byte, err error) { return l.Key, l.Value, nil }

type cachedLine struct {
	Key string `json:"key"`
	recall.Row
}

func showCached(k, v []byte) (cachedLine, error) {
	row, err := recall.Decode(v)
	return cachedLine{string(k), row}, err
}

func readCached(l *cachedLine) (k, v []byte, err error) { return []byte(l.Key), l.Row.Encode(), nil }

type linkLine struct {
	ID uint64 `json:"id"`
	linkRow
}

func showLink(k, v []byte) (l linkLine, err error) {
	l.ID = codec.Number(k)
	if l.linkRow, err = decodeLink(v); err != nil || len(k) != codec.KeyLen {
		return l, codec.ErrShort
	}
	return l, nil
}

func readLink(l *linkLine) (k, v []byte, err error) { return codec.Key(l.ID), l.encode(), nil }

type mentionLine struct {
	Link       uint64    `json:"link"`
	Hash       uint64    `json:"hash"`
	Sources    []holding `json:"sources"`
	Collection string    `json:"collection,omitempty"`
	Member     string    `json:"member,omitempty"`
	Line       int       `json:"line,omitempty"`
	Column     int       `json:"column,omitempty"`
	Nth        int       `json:"nth,omitempty"`
	Record     string    `json:"record,omitempty"`
	Locator    string    `json:"locator,omitempty"`
	Raw        *string   `json:"raw,omitempty"` // none: the link's URL
	URL        *string   `json:"url,omitempty"` // none: as raw
	How        string    `json:"how,omitempty"`
	Context    string    `json:"context,omitempty"`
	Title      string    `json:"title,omitempty"`
	Date       string    `json:"date,omitempty"`
	DateFrom   string    `json:"date_from,omitempty"`
	CopyOf     string    `json:"copy_of,omitempty"`
	Owner      string    `json:"owner,omitempty"`
	FirstSeen  time.Time `json:"first_seen,omitzero"`
	LastSeen   time.Time `json:"last_seen,omitzero"`
	Retired    time.Time `json:"retired,omitzero"`
}

// notAText stands for "the link's URL", which a row of a mention does not hold.
const notAText = "\x00\x00"

func showMention(k, v []byte) (l mentionLine, err error) {
	row, err := decodeMention(v, notAText)
	if err != nil || len(k) != codec.KeyLen+hashLen {
		return l, codec.ErrShort
	}
	m := &row.Mention
	l = mentionLine{Sources: row.holders, Link: codec.Number(k[:codec.KeyLen]), Hash: codec.Number(k[codec.KeyLen:]), Collection: m.Collection, Member: m.Member, Line: m.Line, Column: m.Column, Nth: m.Nth, Record: m.Record, Locator: m.Locator, How: m.How, Context: m.Context, Title: m.Title, Date: m.Date, DateFrom: m.DateFrom, CopyOf: m.CopyOf, Owner: m.Owner, FirstSeen: m.FirstSeen, LastSeen: m.LastSeen, Retired: m.Retired}
	if m.Raw != notAText {
		l.Raw = &m.Raw
	}
	if m.URL != m.Raw {
		l.URL = &m.URL
	}
	return l, nil
}

func readMention(l *mentionLine) (k, v []byte, err error) {
	row := mentionRow{holders: l.Sources, Mention: Mention{Collection: l.Collection, Member: l.Member, Line: l.Line, Column: l.Column, Nth: l.Nth, Record: l.Record, Locator: l.Locator, Raw: notAText, How: l.How, Context: l.Context, Title: l.Title, Date: l.Date, DateFrom: l.DateFrom, CopyOf: l.CopyOf, Owner: l.Owner, FirstSeen: l.FirstSeen, LastSeen: l.LastSeen, Retired: l.Retired}}
	if l.Raw != nil {
		row.Raw = *l.Raw
	}
	if row.URL = row.Raw; l.URL != nil {
		row.URL = *l.URL
	}
	return mentionKey(l.Link, l.Hash), row.encode(notAText), nil
}

type eventLine struct {
	Link   uint64       `json:"link"`
	Run    uint64       `json:"run"`
	State  string       `json:"state"`
	Result check.Result `json:"result"`
}

func showEvent(k, v []byte) (l eventLine, err error) {
	e, err := decodeEvent(v)
	if err != nil || len(k) != 2*codec.KeyLen {
		return l, codec.ErrShort
	}
	return eventLine{codec.Number(k[:codec.KeyLen]), codec.Number(k[codec.KeyLen:]), e.State.String(), e.Result}, nil
}

func readEvent(l *eventLine) (k, v []byte, err error) {
	e := eventRow{State: stateOf(l.State), Result: l.Result}
	return eventKey(l.Link, l.Run), e.encode(), nil
}

// stateOf is the state of a word; New for what is no state.
func stateOf(word string) judge.State {
	s, _ := judge.ParseState(word)
	return s
}

type stateLine struct {
	Link  uint64 `json:"link"`
	State string `json:"state"`
	stateRow
}

func showState(k, v []byte) (l stateLine, err error) {
	l.Link = codec.Number(k)
	if l.stateRow, err = decodeState(v); err != nil || len(k) != codec.KeyLen {
		return l, codec.ErrShort
	}
	l.State = l.stateRow.State.String()
	return l, nil
}

func readStateLine(l *stateLine) (k, v []byte, err error) {
	l.stateRow.State = stateOf(l.State)
	return codec.Key(l.Link), l.encode(), nil
}

// ofLinks says whether all shards of a set have rows of the table.
func (t *table) ofLinks() bool {
	return slices.ContainsFunc([][]byte{bucketLink, bucketState, bucketMention, bucketHistory, bucketPin}, func(b []byte) bool { return bytes.Equal(b, t.bucket) })
}
