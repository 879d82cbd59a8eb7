// Package rotate names files after the time at which they were made, so that their names
// sort by it, and finds the old ones among them.
package rotate

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

const (
	stamp   = "20060102T150405Z"
	perStep = 99 // files of one second
)

// stamped is what stands behind the name: the second, and of several in it the number.
var stamped = regexp.MustCompile(`^-\d{8}T\d{6}Z(-\d{2})?$`)

// Next gives a name that is not taken for a file made now: base-20261123T094500Z, and for
// another one in that second base-20261123T094500Z-02.
func Next(base string, now time.Time) (string, error) {
	first := base + "-" + now.UTC().Format(stamp)
	for n := 1; n <= perStep; n++ {
		name := first
		if n > 1 {
			name = fmt.Sprintf("%s-%02d", first, n)
		}
		if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			return name, nil
		} else if err != nil {
			return "", err
		}
	}
	return "", fmt.Errorf("%s: %d files of this second: %w", first, perStep, fs.ErrExist)
}

// Keep removes the oldest files that have a name of Next, down to a number of them, and
// gives the names of those that it removed. What is no regular file stays and does not count;
// or, where folders are kept, what is none.
func Keep(base string, number int, folders bool) (removed []string, err error) {
	dir, file := filepath.Split(base)
	entries, err := os.ReadDir(filepath.Clean(dir))
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		end, ours := strings.CutPrefix(e.Name(), file)
		if ours && stamped.MatchString(end) && (!folders && e.Type().IsRegular() || folders && e.IsDir()) {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	remove := os.Remove
	if folders {
		remove = os.RemoveAll
	}
	for _, name := range names[:max(len(names)-number, 0)] {
		name = filepath.Join(dir, name)
		if err := remove(name); err != nil {
			return removed, err
		}
		removed = append(removed, name)
	}
	return removed, nil
}
