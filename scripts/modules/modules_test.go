package main

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"linkcheck/internal/testprogram"
)

// TestNotices: every module that the program links on some platform has its notice in
// THIRD_PARTY_NOTICES, in the version that is linked, with the whole text.
func TestNotices(t *testing.T) {
	have, err := os.ReadFile("../../THIRD_PARTY_NOTICES")
	if err != nil {
		t.Fatal(err)
	}
	list, err := linked()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range list {
		var want bytes.Buffer
		files, err := m.noticesOf()
		if err == nil {
			err = section(&want, m.path+" "+m.version, files, m.dir)
		}
		if err != nil || want.Len() < 300 || !bytes.Contains(have, want.Bytes()) {
			t.Errorf("THIRD_PARTY_NOTICES lacks %s %s: make notices (%v)", m.path, m.version, err)
		}
	}
	if n := bytes.Count(have, []byte(rule)); len(list) < 20 || n != 2*(len(list)+1) {
		t.Errorf("%d modules are linked, and there are %d rules: make notices", len(list), n)
	}
}

// TestSBOM: the bill of a binary names the modules that the linker put into it.
func TestSBOM(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a binary")
	}
	file, err := testprogram.Build(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("SOURCE_DATE_EPOCH", "1700000000")
	var first, second bytes.Buffer
	if err := run([]string{"sbom", file, "1.2.3"}, &first); err != nil {
		t.Fatal(err)
	}
	if err := run([]string{"sbom", file, "1.2.3"}, &second); err != nil || first.String() != second.String() {
		t.Errorf("not the same twice, %v", err)
	}
	var b bill
	if err := json.Unmarshal(first.Bytes(), &b); err != nil {
		t.Fatal(err)
	}
	if b.Metadata.Component.Version != "1.2.3" || b.Metadata.Timestamp != "2023-11-14T22:13:20Z" {
		t.Errorf("%+v", b.Metadata)
	}
	found := false
	for _, c := range b.Components[1:] {
		found = found || c.Name == "go.etcd.io/bbolt"
		if len(c.Hashes) != 1 || len(c.Hashes[0].Content) != 64 || !strings.HasPrefix(c.PURL, "pkg:golang/"+c.Name+"@") {
			t.Errorf("%+v", c)
		}
	}
	if !found || len(b.Components) < 20 || len(b.Dependencies[0].On) != len(b.Components) {
		t.Errorf("%d components", len(b.Components))
	}
}
