package extract

import "testing"

// Options that nothing could be read by are refused, and not passed over.
func TestValidOptions(t *testing.T) {
	for _, tt := range []struct {
		o  Options
		ok bool
	}{
		{Options{}, true},
		{Options{Charset: "ISO-8859-1", MARC: []string{"856u", "956$u"}, RecordID: "035", Input: "csv:url", Base: "http://a.example/"}, true},
		{Options{Charset: "klingon"}, false},
		{Options{MARC: []string{"856"}}, false},
		{Options{MARC: []string{""}}, false},
		{Options{RecordID: "035a"}, false},
		{Options{Input: "pdf"}, false},
		{Options{Base: "nobase"}, false},
	} {
		if err := Validate(tt.o); (err == nil) != tt.ok {
			t.Errorf("%+v: %v", tt.o, err)
		}
	}
}
