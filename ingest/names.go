package ingest

import (
	"context"
	"os"
	"slices"
	"strings"

	"linkcheck/extract"
)

// maxNameBytes bounds the names that are remembered and their locations, some 100
// bytes each; links to what comes after them stay unresolved.
const maxNameBytes = 128 << 20

// ReadNames reads all sources for the messages and parts in them, and nothing else.
// It maps each name (extract.NameOf) to its first location. What cannot be read has
// none; pipes are not read, since whoever reads their links can read them only once.
func ReadNames(ctx context.Context, paths []string, which Selection, o extract.Options) map[string]string {
	locations, size := map[string]string{}, 0
	o.Names, o.NoText = true, true
	paths = slices.DeleteFunc(slices.Clone(paths), isPipe)
	for f, err := range Extract(ctx, paths, which, o) {
		if err != nil || f.Name == "" || locations[f.Name] != "" {
			continue
		}
		if size > maxNameBytes {
			break
		}
		at := extract.Found{Source: f.Source, Member: f.Member, Line: f.Line}
		location := strings.TrimSpace(at.Location() + " " + f.Locator)
		locations[strings.Clone(f.Name)] = location
		size += len(f.Name) + len(location)
	}
	return locations
}

// isPipe says whether a path is neither a file nor a directory.
func isPipe(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir() && !info.Mode().IsRegular()
}
