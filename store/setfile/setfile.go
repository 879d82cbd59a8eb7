// Package setfile is what a folder says of itself that holds a store of many files: how many
// they are, and which link stands in which.
package setfile

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"

	"linkcheck/store/internal/linkkey"

	"linkcheck/internal/newfile"
	"linkcheck/internal/openfile"
)

const (
	Most  = 256 // shards: the number takes 8 of the 40 bits of a link's
	Place = 2   // how Of places links; 1 did not know naming

	name     = "set.json"
	schema   = "linkcheck.set.v1"
	mostHead = 4 << 10
)

// Set is what the file set.json says.
type Set struct {
	Schema  string `json:"schema"`
	Shards  int    `json:"shards"`
	Place   int    `json:"place"`
	Edition uint64 `json:"edition"`           // of the rules by which identities were made, and hosts by these
	ID      string `json:"id,omitempty"`      // of this set, in all of its files
	Stores  bool   `json:"stores,omitempty"`  // the shards are stores of their own, those of a fleet
	Copies  bool   `json:"copies,omitempty"`  // the files are copies, of which the newest of a shard counts
	Filling bool   `json:"filling,omitempty"` // what is to fill it has not come to its end
}

// Faults of the file, beside those of the system.
var (
	ErrForeign = errors.New("the folder holds no linkcheck store")
	ErrNewer   = errors.New("a newer linkcheck made the set")
)

// New describes a new set.
func New(shards int, edition uint64) *Set {
	return &Set{Schema: schema, Shards: shards, Place: Place, Edition: edition, ID: rand.Text()}
}

// NewFleet describes a folder of the shards of a fleet, each under its File.
func NewFleet(shards int, edition uint64) *Set {
	return &Set{Schema: schema, Shards: shards, Place: Place, Edition: edition, ID: rand.Text(), Stores: true}
}

// Stands says whether a folder has the file.
func Stands(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, name))
	return err == nil
}

// Write writes the file into a folder, whole or not at all.
func (c *Set) Write(dir string) error {
	return newfile.Replace(filepath.Join(dir, name), newfile.Private, func(f *os.File) error { return json.NewEncoder(f).Encode(c) })
}

// Read reads the file of a folder. The error wraps ErrForeign or ErrNewer where it is one of
// these.
func Read(ctx context.Context, dir string) (*Set, error) {
	f, err := openfile.Read(ctx, filepath.Join(dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: there is no %s in it ('linkcheck store split' makes a set)", ErrForeign, name)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, mostHead))
	if err != nil {
		return nil, err
	}
	return Parse(head)
}

// Parse reads what Read reads, wherever it was kept.
func Parse(head []byte) (*Set, error) {
	c := &Set{}
	switch err := json.Unmarshal(head, c); {
	case !bytes.Contains(head, []byte(`"linkcheck.set.`)), err != nil && c.Schema == schema:
		return nil, fmt.Errorf("%w: its %s is not that of a set", ErrForeign, name)
	case c.Schema != schema, c.Place < 1, c.Place > Place:
		return nil, fmt.Errorf("%w: %.40q, place %d; this program knows %s, place %d", ErrNewer, c.Schema, c.Place, schema, Place)
	case c.Shards < 1 || c.Shards > Most || c.ID == "" && !c.Stores:
		return nil, fmt.Errorf("%w: its %s speaks of %d shards", ErrForeign, name, c.Shards)
	}
	return c, nil
}

// File is the path of a shard.
func File(dir string, number int) string { return filepath.Join(dir, fmt.Sprintf("%03d.db", number)) }

// Copy is the path of a copy of a shard, which holds at least the changes up to a place of its
// log.
func Copy(dir string, number int, cursor uint64) string {
	return filepath.Join(dir, fmt.Sprintf("%03d@%d", number, cursor))
}

// Cursors lists those of the copies of a shard in a folder, the greatest first.
func Cursors(dir string, number int) (list []uint64, err error) {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		cursor, ok := strings.CutPrefix(e.Name(), fmt.Sprintf("%03d@", number))
		if at, err := strconv.ParseUint(cursor, 10, 64); ok && err == nil {
			list = append(list, at)
		}
	}
	slices.Sort(list)
	slices.Reverse(list)
	return list, err
}

// Path is that of a shard of this set, which need not be there.
func (c *Set) Path(dir string, number int) string {
	if !c.Copies {
		return File(dir, number)
	}
	list, _ := Cursors(dir, number) // without one nothing is opened
	return Copy(dir, number, slices.Max(append(list, 0)))
}

// Mark is what a shard says of itself. What is of no set says nothing.
func (c *Set) Mark(number int) string {
	switch {
	case c == nil:
		return ""
	case c.Stores:
		return fmt.Sprintf("%s%d of %d", storeMark, number, c.Shards)
	}
	return c.ID + " " + strconv.Itoa(number) + " of " + strconv.Itoa(c.Shards)
}

// storeMark begins the mark of a shard that is a store of its own.
const storeMark = "store "

// NumberBits of a link's number count in its shard; those above say which that is.
const NumberBits = 32

// OfNumber is the number of the shard in which a link of a number stands.
func OfNumber(link uint64) int { return int(link >> NumberBits) }

// ErrFleet says that a folder holds shards of a fleet, or copies of them.
var ErrFleet = errors.New("its shards are stores of a fleet, which alone changes them")

// OfFleet says whether a mark is that of a store of a fleet.
func OfFleet(mark string) bool { return strings.HasPrefix(mark, storeMark) }

// naming are the schemes whose links may name a message or a part of one, and no server.
var naming = [][]byte{[]byte("cid"), []byte("mid"), []byte("news"), []byte("snews")}

// NamesMessage says whether links ask for a name that stand in the first shard: other names
// are those of files, which links of any host may ask for.
func NamesMessage(name string) bool {
	return strings.HasPrefix(name, "mid:") || strings.HasPrefix(name, "cid:")
}

// OfLink is the number of the shard in which a link stands, as it is written.
func OfLink(written string, shards int) int { return Of(linkkey.Of(written).Identity, shards) }

// Of is the number of the shard in which links of an identity stand: those of a host in one,
// and those that name messages in the first, which has their names. An identity is a scheme,
// a host and the rest, with a NUL between two.
func Of(identity []byte, shards int) int {
	scheme, rest, _ := bytes.Cut(identity, []byte{0})
	if host, _, _ := bytes.Cut(rest, []byte{0}); len(host) > 0 {
		identity = host
	} else if slices.ContainsFunc(naming, func(s []byte) bool { return bytes.Equal(s, scheme) }) {
		return 0
	}
	return int(xxhash.Sum64(identity) % uint64(shards))
}
