// Package corpus carries the documents that the program ships: those of the
// demo, with the truth about the links in them.
package corpus

import (
	"embed"
	"io/fs"
	"os"
	"path/filepath"
)

// Demo holds the documents of `linkcheck demo`. demo/truth.tsv lists every link
// that a careful reader finds in them, with its line or record.
//
//go:embed demo
var Demo embed.FS

// WriteDemo writes the documents of the demo into a folder, which is made.
func WriteDemo(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	files, err := fs.Glob(Demo, "demo/*")
	if err != nil {
		return err
	}
	for _, name := range files {
		if filepath.Base(name) == "truth.tsv" {
			continue
		}
		data, err := Demo.ReadFile(name)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(name)), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}
