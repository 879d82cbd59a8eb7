package version

import (
	"encoding/json"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"linkcheck/extract"
	"linkcheck/store/schema"
	"linkcheck/uri/equal"
)

func TestOf(t *testing.T) {
	i := Of("1.2.3")
	if i.Version != "1.2.3" || i.Go != runtime.Version() || i.Commit == "" || i.Schema != schema.Version || i.Rules != equal.Edition || i.Extractor != extract.Edition {
		t.Errorf("%+v", i)
	}
	row, err := json.Marshal(i)
	if err != nil {
		t.Fatal(err)
	}
	var keys map[string]any
	if err := json.Unmarshal(row, &keys); err != nil || len(keys) != 6 {
		t.Errorf("%s, %v", row, err)
	}
	for _, key := range []string{"version", "commit", "go", "schema", "rules", "extractor"} {
		if keys[key] == nil {
			t.Errorf("%s has no %s", row, key)
		}
	}
	if text := i.String(); !strings.HasPrefix(text, "linkcheck  1.2.3\ncommit ") || strings.Count(text, "\n") != 6 {
		t.Errorf("%q", text)
	}
}

func TestCommit(t *testing.T) {
	revision, clean, dirty := debug.BuildSetting{Key: "vcs.revision", Value: "abc"}, debug.BuildSetting{Key: "vcs.modified", Value: "false"}, debug.BuildSetting{Key: "vcs.modified", Value: "true"}
	for want, settings := range map[string][]debug.BuildSetting{
		"abc": {revision, clean}, "abc+dirty": {dirty, revision}, "": {{Key: "GOOS", Value: "linux"}},
	} {
		if got := commit(settings); got != want {
			t.Errorf("%v: %q, want %q", settings, got, want)
		}
	}
}
