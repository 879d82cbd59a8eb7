package memento

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"
)

const (
	keepCopy    = 90 * 24 * time.Hour // how long a known copy is not looked up again
	keepNone    = 30 * 24 * time.Hour // the same, where the archive had none
	maxCopyFile = 256 << 20           // bytes of a file of copies
	maxCopies   = 1_000_000           // remembered
)

// Found is an archive's answer about one address.
type Found struct {
	URL  string    `json:"url"`
	Copy string    `json:"copy"` // "": none
	At   time.Time `json:"at"`   // when it was asked
}

// Copies holds the answers of an archive, by address. It is a report.Archive.
type Copies struct {
	known map[string]Found
}

// ReadCopies reads what Write wrote: one JSON object a line.
func ReadCopies(r io.Reader) (*Copies, error) {
	c := &Copies{known: map[string]Found{}}
	d := json.NewDecoder(io.LimitReader(r, maxCopyFile))
	for len(c.known) < maxCopies {
		var f Found
		err := d.Decode(&f)
		if err == io.EOF {
			return c, nil
		}
		if err != nil {
			return nil, fmt.Errorf("memento: read archived copies: %w", err)
		}
		c.known[f.URL] = f
	}
	return c, nil
}

// Write writes what is known, sorted by address.
func (c *Copies) Write(w io.Writer) error {
	e := json.NewEncoder(w)
	for _, url := range slices.Sorted(maps.Keys(c.known)) {
		if err := e.Encode(c.known[url]); err != nil {
			return fmt.Errorf("memento: write archived copies: %w", err)
		}
	}
	return nil
}

// Copy gives the archived copy of url, "" if none is known.
func (c *Copies) Copy(url string) string { return c.known[url].Copy }

// fresh reports whether the answer about url is too young to ask again.
func (c *Copies) fresh(url string, now time.Time) bool {
	f, ok := c.known[url]
	keep := keepCopy
	if f.Copy == "" {
		keep = keepNone
	}
	return ok && now.Sub(f.At) < keep
}
