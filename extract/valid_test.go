package extract_test

import (
	"testing"

	"linkcheck/extract"
	"linkcheck/extract/doc"
)

// Options that nothing could be read by are refused, and not passed over.
func TestValidOptions(t *testing.T) {
	for _, tt := range []struct {
		o  doc.Options
		ok bool
	}{
		{doc.Options{}, true},
		{doc.Options{Charset: "ISO-8859-1", MARC: []string{"856u", "956$u"}, RecordID: "035", Input: "csv:url", Base: "http://a.example/"}, true},
		{doc.Options{Charset: "klingon"}, false},
		{doc.Options{MARC: []string{"856"}}, false},
		{doc.Options{MARC: []string{""}}, false},
		{doc.Options{RecordID: "035a"}, false},
		{doc.Options{RecordID: "999$c"}, true},
		{doc.Options{RecordID: "999$cd"}, false},
		{doc.Options{Input: "djvu"}, false},
		{doc.Options{Base: "nobase"}, false},
	} {
		if err := extract.Validate(tt.o); (err == nil) != tt.ok {
			t.Errorf("%+v: %v", tt.o, err)
		}
	}
}
