// Package testprogram builds the program for tests that start it.
package testprogram

import (
	"fmt"
	"io/fs"
	"os/exec"
	"path/filepath"
	"strings"
)

// Build writes the program into folder and gives its path. The go command uses the result of
// a test again until a file changes that the test has opened, and knows nothing of what a
// process of the test opens: so Build opens each folder of the module itself.
func Build(folder string) (file string, err error) {
	root, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return "", fmt.Errorf("go list: %w", err)
	}
	err = filepath.WalkDir(strings.TrimSpace(string(root)), func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && (d.Name() == "bin" || d.Name()[0] == '.') {
			return fs.SkipDir
		}
		return err
	})
	if err != nil {
		return "", err
	}
	file = filepath.Join(folder, "linkcheck")
	if out, err := exec.Command("go", "build", "-o", file, "linkcheck/cmd/linkcheck").CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w: %s", err, out)
	}
	return file, nil
}
