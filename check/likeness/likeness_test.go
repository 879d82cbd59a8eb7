package likeness

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"
)

// text is n sentences about a thing, of which no word stands in a text about another.
func text(thing string, from, n int) (list []string) {
	for i := range n {
		var words []string
		for k := range 9 {
			words = append(words, thing+numeral(10*(from+i)+k))
		}
		list = append(list, strings.Join(words, " ")+".")
	}
	return list
}

// numeral is a number in letters: words with digits are not heard.
func numeral(n int) string {
	s := ""
	for ; n > 0 || s == ""; n /= 10 {
		s = string(rune('a'+n%10)) + s
	}
	return s + "x"
}

func lookAt(sentences []string) Look {
	var m Maker
	for _, s := range sentences {
		for w := range strings.FieldsSeq(s) {
			m.AddText(w, false)
		}
		m.EndBlock()
	}
	return m.Look()
}

// The estimate of how much of a text stands in another one is right to about a quarter,
// whatever the other one holds besides.
func TestContained(t *testing.T) {
	for _, size := range []int{5, 20, 100, 1000} {
		for _, kept := range []float64{0, 0.25, 0.5, 1} {
			for _, more := range []float64{0, 1, 3} {
				old := text("mill", 0, size)
				now := append(append([]string{}, old[:int(kept*float64(size))]...), text("weir", 0, int(more*float64(size))+1)...)
				m := Memory{}.After(lookAt(old), "", time.Unix(1, 0))
				got := m.left(lookAt(now), 0)
				want := float64(int(kept*float64(size))) / float64(size)
				if math.Abs(got-want) > 0.25 {
					t.Errorf("%d sentences, of which %.2f stay beside %.0f times as much: %.2f", size, want, more, got)
				}
			}
		}
	}
}

// What says nothing of a text changes nothing.
func TestWordsThatCount(t *testing.T) {
	one := lookAt([]string{"Der große Müller, der im Jahr 1804 die Mühle erbaute, wurde Bürger der Stadt genannt."})
	for _, same := range []string{
		"der GROSSE müller der im jahr 1911 die «Mühle» erbaute – wurde Bürger der Stadt genannt.",
		"Der gro\xc3\x83\xc5\xb8e M\xc3\x83\xc2\xbcller, der im Jahr 1804 die M\xc3\x83\xc2\xbchle erbaute, wurde B\xc3\x83\xc2\xbcrger der Stadt genannt.",
	} {
		m := Memory{}.After(one, "", time.Unix(1, 0))
		if got := m.Compare(lookAt([]string{same}), ""); got != Same {
			t.Errorf("%q: %d", same, got)
		}
	}
	m := Memory{}.After(lookAt([]string{"Пшеницу мололи на старой мельнице у реки до самой войны. 水車小屋は川のそばにあり、村の人々は麦を運んだ。"}), "", time.Unix(1, 0))
	if got := m.Compare(lookAt([]string{"Корабли стояли в гавани всю долгую зиму под снегом и льдом. 港には船が並び、冬の間ずっと雪に覆われていた。"}), ""); got != Other {
		t.Errorf("other scripts: %d", got)
	}
}

// A memory says what it must after each look.
func TestMemory(t *testing.T) {
	old, other := lookAt(text("mill", 0, 30)), lookAt(text("casino", 0, 30))
	there := lookAt(text("casino", 0, 30)).At("win.example")
	file := LookAtFile("%PDF-1.4")
	small, revised, large := LookAtSize(4000), LookAtSize(9000), LookAtSize(4_000_000)
	tests := []struct {
		name    string
		looks   []Look
		drifted bool
		others  uint8
		known   uint8 // looks at the text that is known
	}{
		{"five and three", []Look{old, old, old, old, old, other, other, other}, true, 3, 5},
		{"five and two", []Look{old, old, old, old, old, other, other}, false, 2, 5},
		{"four and three: it gives way", []Look{old, old, old, old, other, other, other}, false, 0, 2},
		{"not changed since", []Look{old, SameAsBefore(), SameAsBefore(), SameAsBefore(), SameAsBefore(), other, other, other}, true, 3, 5},
		{"one look at another site, from the first", []Look{old, there, there, there}, true, 3, 1},
		{"two at another site", []Look{old, there, there}, false, 2, 1},
		{"always at another site", []Look{there, there, old, old, old}, false, 0, 2},
		{"one look alone", []Look{old, old, old, old, old, other, old, other, old, other}, false, 1, 7},
		{"back", []Look{old, old, old, old, old, other, other, other, old}, false, 0, 6},
		{"nothing to see", []Look{old, old, old, old, old, nil, nil, nil, Look("x"), SameAsBefore()}, false, 0, 6},
		{"a file instead", []Look{old, old, old, old, old, file, file, file}, false, 0, 5},
		{"files", []Look{file, file, LookAtFile("%PDF-1.5")}, false, 0, 1},
		{"sizes", []Look{small, small, revised, small, revised, large, large, LookAtSize(0)}, true, 3, 5},
		{"a revision of a file", []Look{small, small, small, small, small, revised, LookAtSize(20_000), large}, false, 1, 7},
		{"not changed since nothing", []Look{SameAsBefore()}, false, 0, 0},
	}
	for _, tt := range tests {
		var m Memory
		for i, l := range tt.looks {
			was := fmt.Sprint(m)
			next := m.After(l, "", time.Date(2026, 1, 1+i, 0, 0, 0, 0, time.UTC))
			if fmt.Sprint(m) != was {
				t.Errorf("%s: look %d changed the memory before it", tt.name, i+1)
			}
			m = next
		}
		if m.Drifted() != tt.drifted || m.Others != tt.others || m.Looks != tt.known || m.Changing() {
			m.Values, m.Kept = nil, nil
			t.Errorf("%s: %+v", tt.name, m)
		}
	}
}

// A third of a text makes it the same one; its address is proposed from half of it on, or
// under the same title. What another site shows of less is not learned.
func TestProves(t *testing.T) {
	old := text("mill", 0, 200)
	for _, tt := range []struct {
		kept   int // percent
		title  string
		degree Degree
		proves bool
	}{
		{100, "", Same, true}, {65, "", Same, true}, {65, "Weir", Same, true}, {41, "", Same, false}, {41, "Weir", Same, false},
		{41, "Mill", Same, true}, {15, "Mill", Other, false}, {0, "Mill", Other, false},
	} {
		m := Memory{}
		for i := range 3 {
			m = m.After(lookAt(old), "Mill", time.Date(2026, 1, 1+i, 0, 0, 0, 0, time.UTC))
		}
		now := lookAt(append(append([]string{}, old[:2*tt.kept]...), text("weir", 0, 200-2*tt.kept)...)).At("weir.example")
		for i := range 4 {
			if got, proves := m.Compare(now, tt.title), m.Proves(now, tt.title); got != tt.degree || proves != tt.proves {
				t.Errorf("%d %%, title %q, look %d: %d, %v", tt.kept, tt.title, i+1, got, proves)
			}
			m = m.After(now, tt.title, time.Date(2026, 2, 1+i, 0, 0, 0, 0, time.UTC))
		}
		if (m.Others == 0) != (tt.degree == Same) || m.Site != 0 {
			t.Errorf("%d %%, title %q: %d others", tt.kept, tt.title, m.Others)
		}
	}
	file, again := LookAtFile("%PDF-1.4"), SameAsBefore()
	m := Memory{}.After(file, "", time.Unix(1, 0))
	if !m.Proves(file, "") || !m.Proves(again, "") || m.Proves(LookAtFile("%PDF-1.5"), "") || m.Proves(nil, "") {
		t.Error("files")
	}
	if m = (Memory{}).After(LookAtSize(4000), "", time.Unix(1, 0)); !m.Proves(LookAtSize(4000), "") || m.Proves(LookAtSize(5000), "") {
		t.Error("sizes")
	}
}

// A text that is another at every look is said to be so.
func TestChanging(t *testing.T) {
	var m Memory
	for i := range 8 {
		m = m.After(lookAt(text(numeral(i)+"paper", 0, 30)), "News", time.Date(2026, 1, 1+i, 0, 0, 0, 0, time.UTC))
		if m.Drifted() {
			t.Fatalf("look %d: %+v", i+1, m)
		}
	}
	if !m.Changing() {
		t.Errorf("%+v", m)
	}
}

// FuzzMemory: no octets of a look or a memory make a comparison panic.
func FuzzMemory(f *testing.F) {
	f.Add([]byte(lookAt(text("mill", 0, 30))), []byte(lookAt(text("weir", 0, 3))), byte(1))
	f.Add([]byte(LookAtFile("x")), []byte(SameAsBefore()), byte(3))
	f.Add([]byte{}, []byte("x"), byte(9))
	f.Fuzz(func(t *testing.T, a, b []byte, kind byte) {
		m := Memory{Kind: Kind(kind % 6), Values: a, Kept: b, Looks: 3}
		at := time.Unix(1, 0)
		for i, l := range []Look{a, b, a, b, b, b} {
			m = m.After(l, string(a), at.AddDate(0, 0, i))
			_, _, _ = m.Changing(), m.Drifted(), m.Compare(l, "")
		}
		if len(m.Title) > titleBytes || m.Looks > 0 && m.Looks != 3 && !m.Valid() {
			t.Errorf("%+v", m)
		}
	})
}
