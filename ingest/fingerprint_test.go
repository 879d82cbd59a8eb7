package ingest

import (
	"reflect"
	"testing"

	"linkcheck/extract"
	"linkcheck/internal/preprocess"
)

// A store that was filled by an earlier program keeps its fingerprints: another
// value of one of these reads every archive again.
func TestFingerprintOfStoresStays(t *testing.T) {
	all := extract.Options{Base: "http://h.test/a b/", Input: "csv:url", Charset: "iso-8859-2", Comments: true,
		MARC: []string{"856u", "956u"}, RecordID: "035", Names: true}
	for want, o := range map[string]Options{
		"582e5863dcdd2b0e": {Edition: 1, Extract: extract.Options{Input: "auto"}},
		"02213b58d5f01ffb": {Edition: 2, Extract: all},
		"97d03ac993329150": {Edition: 1, Extract: extract.Options{Limits: extract.DefaultLimits()}},
	} {
		if got := fingerprint(o); got != want {
			t.Errorf("%+v: %s, want %s", o, got, want)
		}
	}
}

// Every field of extract.Options counts: one that is added there is to be added to
// the fingerprint (where it is not the zero value, so that stores keep theirs). Context,
// Size and Path are of one reading.
func TestFingerprintHoldsEveryOption(t *testing.T) {
	plain := fingerprint(Options{})
	if fingerprint(Options{Edition: extract.Edition + 1}) == plain {
		t.Error("the edition does not count")
	}
	kind := reflect.TypeFor[extract.Options]()
	for i := range kind.NumField() {
		var o Options
		if name := kind.Field(i).Name; name == "Context" || name == "Size" || name == "Path" {
			continue
		}
		switch f := reflect.ValueOf(&o.Extract).Elem().Field(i); f.Kind() {
		case reflect.String:
			f.SetString("x")
		case reflect.Bool:
			f.SetBool(true)
		case reflect.Int, reflect.Int64:
			f.SetInt(1)
		case reflect.Slice:
			f.Set(reflect.MakeSlice(f.Type(), 1, 1))
			if item := f.Index(0); item.Kind() == reflect.String {
				item.SetString("x")
			}
		case reflect.Struct:
			if f.Type() == reflect.TypeFor[extract.Columns]() {
				f.Set(reflect.ValueOf(extract.Columns{Owner: "x"}))
				break
			}
			f.Set(reflect.ValueOf(extract.Limits{Members: 1}))
		case reflect.Interface:
			f.Set(reflect.ValueOf(preprocess.Rules{{Match: "x"}}))
		default:
			t.Errorf("%s is a %s: encode what it means, and set it here", kind.Field(i).Name, f.Kind())
			continue
		}
		if fingerprint(o) == plain {
			t.Errorf("fingerprint does not encode %s", kind.Field(i).Name)
		}
	}
}
