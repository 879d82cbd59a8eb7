// Package version says which program this is: its version, the commit and the Go that it
// was built from, and the numbers by which stores and documents are read anew.
package version

import (
	"cmp"
	"fmt"
	"runtime/debug"

	"linkcheck/extract"
	"linkcheck/store/schema"
	"linkcheck/uri/equal"
)

// Info is what is known of the program. Its JSON is the row of `version --json`.
type Info struct {
	Version   string `json:"version"`
	Commit    string `json:"commit"` // "unknown": it was not built from a repository; with +dirty: and changes
	Go        string `json:"go"`
	Schema    int    `json:"schema"`    // of stores
	Rules     int    `json:"rules"`     // edition of those that make keys: keys are made anew
	Extractor int    `json:"extractor"` // edition: documents are read again
}

// Of is what the linker and the build say; version is the linker's word.
func Of(version string) Info {
	i := Info{Version: version, Schema: schema.Version, Rules: equal.Edition, Extractor: extract.Edition}
	if build, ok := debug.ReadBuildInfo(); ok {
		i.Commit, i.Go = commit(build.Settings), build.GoVersion
	}
	i.Commit, i.Go = cmp.Or(i.Commit, "unknown"), cmp.Or(i.Go, "unknown")
	return i
}

// commit is the revision among the settings of a build; "" if there is none.
func commit(settings []debug.BuildSetting) (id string) {
	dirty := ""
	for _, s := range settings {
		switch {
		case s.Key == "vcs.revision":
			id = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "+dirty"
		}
	}
	if id == "" {
		return ""
	}
	return id + dirty
}

// String is i for people, one line for each fact.
func (i Info) String() string {
	return fmt.Sprintf("linkcheck  %s\ncommit     %s\ngo         %s\nschema     %d\nrules      %d\nextractor  %d\n",
		i.Version, i.Commit, i.Go, i.Schema, i.Rules, i.Extractor)
}
