package store

import (
	"bytes"
	"encoding/binary"
	"time"

	"linkcheck/store/facts"
	"linkcheck/store/internal/codec"
)

// sourceRow is a Source with its numbers.
type sourceRow struct {
	Source
	id       uint32
	prevSeen time.Time // when it was seen before LastSeen
}

// isKnown says whether a source that was read is told from another version of it.
func (s *sourceRow) isKnown() bool {
	return s.Read != 0 && (s.Version != "" || len(s.Hash) > 0 || s.Remote == 0 && s.Options != "")
}

func (s *sourceRow) encode() []byte {
	w := codec.Writer{}
	w.Uint(s.Read)
	w.Uint(s.Asked)
	w.Int(s.Size)
	strs := [...]string{s.Path, s.Collection, s.Root, s.Options, string(s.Hash)}
	if s.Remote == 0 {
		w.Int(s.ModTime.UnixNano())
	} else {
		w.Int(0)
		strs[1], strs[2], strs[3] = "", "", "" // the root has them, or the end of the row
	}
	w.Time(s.LastSeen)
	if s.Remote != 0 && s.prevSeen.Equal(s.LastSeen) {
		w.Time(time.Time{})
	} else {
		w.Time(s.prevSeen)
	}
	w.Time(s.Gone)
	w.Int(int64(s.Mentions))
	w.Int(int64(s.Problems))
	for _, v := range strs {
		w.Str(v)
	}
	if len(s.NotRead) > 0 || s.Name != "" || s.Damage != "" || s.Remote != 0 || s.Rows != "" || s.hasFaults() {
		w.Uint(uint64(len(s.NotRead)))
		for _, k := range s.NotRead {
			w.Str(k.Name)
			w.Int(int64(k.N))
		}
		w.Str(s.Name)
		w.Str(s.Damage)
	}
	switch {
	case s.Remote != 0:
		s.encodeRemote(&w)
	case s.Rows != "" || s.hasFaults():
		w.Uint(0)
		w.Str(s.Rows)
		s.encodeFaults(&w)
	}
	return w.Buf
}

func (s *sourceRow) encodeRemote(w *codec.Writer) {
	w.Uint(uint64(s.Remote))
	w.Packed(s.Options)
	w.Packed(s.Version)
	if s.Media == "" && s.Depth == 0 && s.Noted == 0 && !s.hasFaults() {
		return // past the end all is zero
	}
	w.Packed(s.Media)
	w.Uint(uint64(s.Depth))
	w.Byte(s.Noted)
	if s.Noted != 0 {
		w.Time(s.NotedAt)
	}
	s.encodeFaults(w)
}

func (s *sourceRow) hasFaults() bool { return s.Faults != facts.Faults{} }

func (s *sourceRow) encodeFaults(w *codec.Writer) {
	if s.hasFaults() { // past the end there are none
		w.Str(s.Faults.Lines)
		w.Int(int64(s.Faults.More))
	}
}

func decodeSource(k, b []byte) (s sourceRow, err error) {
	if len(k) != 4 {
		return s, codec.ErrShort
	}
	s.id = binary.BigEndian.Uint32(k)
	r := codec.Reader{Buf: b}
	s.Read, s.Asked = r.Uint(), r.Uint()
	s.Size = r.Int()
	s.ModTime = time.Unix(0, r.Int()).UTC()
	s.LastSeen, s.prevSeen, s.Gone = r.Time(), r.Time(), r.Time()
	s.Mentions, s.Problems = r.Small(), r.Small()
	s.Path, s.Collection, s.Root, s.Options = r.Str(), r.Str(), r.Str(), r.Str()
	s.Hash = bytes.Clone(r.Raw())
	for range r.Count() {
		s.NotRead = append(s.NotRead, facts.Kind{Name: r.Str(), N: r.Small()})
	}
	s.Name, s.Damage = r.Str(), r.Str()
	if s.Remote = r.Uint32(); s.Remote != 0 {
		s.decodeRemote(&r)
	} else {
		s.Rows = r.Str()
	}
	s.Faults = facts.Faults{Lines: r.Str(), More: r.Small()}
	return s, r.Err()
}

func (s *sourceRow) decodeRemote(r *codec.Reader) {
	s.ModTime, s.Collection, s.Root = time.Time{}, "", ""
	s.Options, s.Version, s.Media = r.Packed(), r.Packed(), r.Packed()
	if s.Depth = int(r.Uint32()); s.prevSeen.IsZero() {
		s.prevSeen = s.LastSeen
	}
	if s.Noted = r.Byte(); s.Noted != 0 {
		s.NotedAt = r.Time()
	}
}

// sourceLine is a source as it is exported.
type sourceLine struct {
	ID         uint32    `json:"id"`
	Gen        uint64    `json:"gen"`
	SeenGen    uint64    `json:"seen_gen"`
	Path       string    `json:"path"`
	Collection string    `json:"collection,omitempty"`
	Root       string    `json:"root,omitempty"`
	Options    string    `json:"options,omitempty"`
	Size       int64     `json:"size"`
	ModTime    int64     `json:"mod_time_ns"`
	Hash       []byte    `json:"hash,omitempty"`
	LastSeen   time.Time `json:"last_seen,omitzero"`
	PrevSeen   time.Time `json:"prev_seen,omitzero"`
	Gone       time.Time `json:"gone,omitzero"`
	Mentions   int       `json:"mentions"`
	Problems   int       `json:"problems,omitempty"`
	Name       string    `json:"name,omitempty"`
	Damage     string    `json:"damage,omitempty"`
	Remote     uint32    `json:"remote,omitempty"`
	Version    string    `json:"version,omitempty"`
	Media      string    `json:"media,omitempty"`
	Depth      int       `json:"depth,omitempty"`
	Noted      byte      `json:"noted,omitempty"`
	NotedAt    time.Time `json:"noted_at,omitzero"`
	Rows       string    `json:"rows,omitempty"`

	Faults facts.Faults `json:"faults,omitzero"`
}

func showSource(k, v []byte) (sourceLine, error) {
	s, err := decodeSource(k, v)
	return sourceLine{s.id, s.Read, s.Asked, s.Path, s.Collection, s.Root, s.Options, s.Size, s.ModTime.UnixNano(),
		s.Hash, s.LastSeen, s.prevSeen, s.Gone, s.Mentions, s.Problems, s.Name, s.Damage, s.Remote, s.Version, s.Media, s.Depth, s.Noted, s.NotedAt, s.Rows, s.Faults}, err
}

func readSource(l *sourceLine) (k, v []byte, err error) {
	s := sourceRow{id: l.ID, prevSeen: l.PrevSeen, Source: Source{
		Path: l.Path, Collection: l.Collection, Root: l.Root, Options: l.Options, Size: l.Size,
		ModTime: time.Unix(0, l.ModTime).UTC(), Hash: l.Hash, LastSeen: l.LastSeen, Gone: l.Gone, Mentions: l.Mentions, Problems: l.Problems,
		Name: l.Name, Damage: l.Damage, Read: l.Gen, Asked: l.SeenGen,
		Remote: l.Remote, Version: l.Version, Media: l.Media, Depth: l.Depth, Noted: l.Noted, NotedAt: l.NotedAt, Rows: l.Rows, Faults: l.Faults}}
	return codec.Key32(s.id), s.encode(), nil
}
