package dates

import "testing"

func TestOfText(t *testing.T) {
	for text, want := range map[string]string{
		"Tue, 5 Nov 1996 10:00:00 +0000 (GMT)": "1996-11-05", // RFC 5322 section 3.3
		"5 Nov 96 10:00 EST":                   "1996-11-05", // RFC 822 section 5
		"5-Nov-96 10:00:00":                    "1996-11-05",
		"Sat Jan  3 01:05:34 1996":             "1996-01-03", // asctime
		"Tue, 05 Sept 2000":                    "2000-09-05",
		"November 5, 1996":                     "1996-11-05",
		"November 1996":                        "1996-11", // RFC 7322 section 4.1.6
		"1 Jan 02":                             "2002-01-01",
		"Tue, 45 Nov 1996":                     "",
		"5 Nov 0096":                           "",
		"1996-11-05":                           "",
		"Maybe 5 1996":                         "",
		"yesterday":                            "",
		"":                                     "",
	} {
		if got := OfText(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestOfDigits(t *testing.T) {
	for text, want := range map[string]string{
		"1996-11-05T10:00:00Z": "1996-11-05", "19961105": "1996-11-05", "19961105100000.0": "1996-11-05",
		"19961300": "", "1996-11": "", "99999999": "", "0": "", "": "",
	} {
		if got := OfDigits(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// The date entered comes before that of the last change, and a year of publication counts from
// 1995 on, when nothing else is there.
func TestMARC(t *testing.T) {
	type field struct{ tag, value string }
	for _, tt := range []struct {
		fields     []field
		date, from string
	}{
		{[]field{{"005", "20200101000000.0"}, {"008", "970203s1790    xx"}}, "1997-02-03", Entered},
		{[]field{{"008", "      s1998    xx"}, {"005", "20200101000000.0"}}, "2020-01-01", Changed},
		{[]field{{"008", "      s1998    xx"}}, "1998", Issued},
		{[]field{{"008", "      s1790    xx"}, {"260", "1790"}}, "", ""},
		{[]field{{"260", "c2004, printed 2005."}}, "2004", Issued},
		{[]field{{"264", "[1994]"}}, "", ""},
		{[]field{{"100", "20010203d2001    m  y0engy50      ba"}}, "2001-02-03", Entered}, // UNIMARC
		{[]field{{"100", "Miller, Ann, 1901-1990"}}, "", ""},
		{[]field{{"008", "030201"}}, "2003-02-01", Entered},
		{[]field{{"008", "990000"}}, "", ""},
	} {
		var m MARC
		for _, f := range tt.fields {
			m.Note(f.tag, f.value)
		}
		if date, from := m.Best(); date != tt.date || from != tt.from {
			t.Errorf("%v: %q %q", tt.fields, date, from)
		}
	}
}

// FuzzDates: a date is none, or one that is written as dates are.
func FuzzDates(f *testing.F) {
	f.Add("Tue, 5 Nov 1996 10:00:00 GMT")
	f.Add("970203s1998")
	f.Fuzz(func(t *testing.T, text string) {
		var m MARC
		for _, tag := range []string{"005", "008", "100", "260", "264"} {
			m.Note(tag, text)
		}
		best, _ := m.Best()
		for _, date := range []string{OfText(text), OfDigits(text), best} {
			if n := len(date); n != 0 && n != 4 && n != 7 && n != 10 || n > 0 && (date[:4] < "1968" || date[:4] > "2100") {
				t.Errorf("%q: %q", text, date)
			}
		}
	})
}
