package memento

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"linkcheck/internal/openfile"
	"linkcheck/store"
	"linkcheck/store/archived"
)

const (
	maxCopyFile = 256 << 20 // octets of a file of copies
	maxCopies   = 1_000_000 // remembered
)

// Copies are the answers of a file that older programs kept beside a store: one JSON object a
// line, by address. They are for no day.
type Copies map[string]archived.Answer

// ReadCopies reads such a file.
func ReadCopies(r io.Reader) (Copies, error) {
	c := Copies{}
	d := json.NewDecoder(io.LimitReader(r, maxCopyFile))
	for len(c) < maxCopies {
		var f struct {
			URL, Copy string
			At        time.Time
		}
		switch err := d.Decode(&f); {
		case err == io.EOF:
			return c, nil
		case err != nil:
			return nil, fmt.Errorf("memento: read archived copies: %w", err)
		}
		_, made, _ := archived.Held(f.Copy)
		c[f.URL] = archived.Answer{Copy: f.Copy, Made: made, At: f.At}
	}
	return c, nil
}

// Copy gives the copy of a page, and when it was asked for.
func (c Copies) Copy(page string) (copied string, at time.Time, ok bool) {
	a, ok := c[page]
	return a.Copy, a.At, ok
}

// Keep takes the answers over into a store, where it has none.
func (c Copies) Keep(st *store.Store) error {
	for page, a := range c {
		if _, known := archived.Get(st, page, ""); known || len(page) > archived.MaxPage {
			continue
		}
		if err := archived.Put(st, page, a, ""); err != nil {
			return err
		}
	}
	return nil
}

// CopiesFile is where older programs kept the answers about the links of a store.
func CopiesFile(storePath string) string {
	if info, err := os.Stat(storePath); err == nil && info.IsDir() {
		return filepath.Join(storePath, "set.copies")
	}
	return storePath + ".copies"
}

// OpenCopies reads the answers of older programs about the links of a store; without a file
// there are none. Nobody named that file: no link is followed to it (SECURITY.md).
func OpenCopies(ctx context.Context, storePath string) (Copies, error) {
	file := CopiesFile(storePath)
	info, err := os.Lstat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err == nil && !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s: it is no file", file)
	}
	data, err := openfile.ReadAll(ctx, file)
	if err != nil {
		return nil, err
	}
	c, err := ReadCopies(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return c, nil
}
