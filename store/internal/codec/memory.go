package codec

import "linkcheck/check/likeness"

// Memory writes what is known of a text: of its values those that are not zero, behind
// a bit for each.
func (w *Writer) Memory(m *likeness.Memory) {
	if !m.Valid() {
		return
	}
	w.Byte(byte(m.Kind))
	w.Uint(uint64(m.Size))
	w.Uint(uint64(m.Site))
	var moved uint64
	if m.Moved {
		moved = 1
	}
	for _, n := range []uint64{uint64(m.Looks), uint64(m.Others), moved, uint64(m.Turns)} {
		w.Uint(n)
	}
	w.Str(m.Title)
	w.Time(m.Seen)
	w.Time(m.Last)
	w.Uint(uint64(len(m.Values)))
	if len(m.Kept) == 0 {
		w.Buf = append(w.Buf, m.Values...)
		return
	}
	var set [likeness.TextSize / 8]byte
	var kept [likeness.TextSize / 4]byte
	values := make([]byte, 0, likeness.TextSize)
	for i, v := range m.Values {
		if v == 0 {
			continue
		}
		set[i/8] |= 1 << (i % 8)
		n := len(values)
		kept[n/4] |= m.Kept[i] & 3 << (n % 4 * 2)
		values = append(values, v)
	}
	w.Buf = append(append(append(w.Buf, set[:]...), values...), kept[:(len(values)+3)/4]...)
}

// Memory reads what Writer.Memory wrote.
func (r *Reader) Memory() (m likeness.Memory) {
	if len(r.Buf) == 0 {
		return m
	}
	m.Kind, m.Size, m.Site = likeness.Kind(r.Byte()), uint32(r.Uint()), uint32(r.Uint())
	m.Looks, m.Others, m.Moved, m.Turns = uint8(r.Uint()), uint8(r.Uint()), r.Uint() == 1, uint8(r.Uint())
	m.Title, m.Seen, m.Last = r.Str(), r.Time(), r.Time()
	n := int(r.Uint())
	switch {
	case (m.Kind == likeness.File || m.Kind == likeness.Sized) && n == likeness.FileSize:
		m.Values = append([]byte(nil), r.take(uint64(n))...)
		return m
	case n != likeness.TextSize || m.Kind != likeness.Main && m.Kind != likeness.Whole:
		r.Fail()
		return m
	}
	set, at := r.take(uint64(n/8)), 0
	if set == nil {
		return m
	}
	m.Values, m.Kept = make([]byte, n), make([]byte, n)
	for i := range m.Values {
		if set[i/8]&(1<<(i%8)) != 0 {
			m.Values[i] = max(r.Byte(), 1)
			at++
		}
	}
	kept := r.take(uint64(at+3) / 4)
	if kept == nil && at > 0 {
		return m
	}
	at = 0
	for i, v := range m.Values {
		if v != 0 {
			m.Kept[i] = kept[at/4] >> (at % 4 * 2) & 3
			at++
		}
	}
	return m
}
