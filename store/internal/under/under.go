// Package under is the index of the documents of remote roots: a document is found by the end of its
// name behind the hash of the beginning, for names that follow one another are mostly met one after
// the other; its row holds the name. Where that is equal of several, they stand in one row.
package under

import (
	"iter"
	"slices"

	"github.com/cespare/xxhash/v2"

	"linkcheck/store/internal/codec"
)

const (
	end    = 8 // octets of the name
	KeyLen = 4 + 4 + end
)

// Fill is how much of a page is filled.
const Fill = 0.9

// Key is the key of a name.
func Key(root uint32, name string) []byte {
	cut := max(0, len(name)-end)
	k := append(make([]byte, 0, KeyLen), codec.Key32(root)...)
	k = append(k, codec.Key32(uint32(xxhash.Sum64String(name[:cut])))...)
	return append(k, name[cut:]...)
}

// Each gives the numbers of the sources in a row.
func Each(row []byte) iter.Seq[[]byte] { return slices.Chunk(row, 4) }

// With is a row with one more number, or as it is where it has that.
func With(row, id []byte) []byte {
	for other := range Each(row) {
		if slices.Equal(other, id) {
			return row
		}
	}
	return append(slices.Clone(row), id...)
}

// Without is the inverse of With; nil: none is left.
func Without(row, id []byte) (left []byte) {
	for other := range Each(row) {
		if !slices.Equal(other, id) {
			left = append(left, other...)
		}
	}
	return left
}
