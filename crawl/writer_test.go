package crawl

import (
	"errors"
	"path/filepath"
	"testing"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/store"
)

// What cannot be written is reported by the end of the run at the latest, be it only
// the last of its results (DESIGN law 7).
func TestWriterReportsTheLastWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	st, err := store.Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	addLinks(t, st, "http://a.test.net/")
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	if st, err = store.Open(path, &store.Options{ReadOnly: true}); err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	w := newWriter(st, 1, judge.Policy{})
	if err := w.add(store.Checked{ID: 1, Result: check.New(check.OK, "http-200", "")}); err != nil {
		t.Fatalf("before anything was written: %v", err)
	}
	if err := w.close(); !errors.Is(err, store.ErrReadOnly) {
		t.Errorf("the end of the run: %v", err)
	}
}
