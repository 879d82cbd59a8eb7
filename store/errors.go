package store

import "linkcheck/store/internal/boltfile"

// Error is a fault that a caller branches on with errors.Is. The file is untouched in
// every one of these cases.
type Error = boltfile.Error

const (
	// ErrInUse: another process holds the store. The program ends with code 5.
	ErrInUse Error = boltfile.ErrInUse
	// ErrForeign: the file is no store of ours; an empty file is foreign too, for a
	// new store is made under another name and renamed (OUTCOMES 5.1.12).
	ErrForeign Error = boltfile.ErrForeign
	// ErrNewer: a later version of the program wrote the store.
	ErrNewer Error = "the store was written by a newer linkcheck"
	// ErrCorrupt: the store is damaged or cut short. The program ends with code 4.
	ErrCorrupt Error = boltfile.ErrCorrupt
	// ErrReadOnly: a change was asked of a store opened for reading.
	ErrReadOnly Error = boltfile.ErrReadOnly
	// ErrNotFound: the link, run or pin is not in the store.
	ErrNotFound Error = "not in the store"
	// ErrUnwritable: the disk is full or refuses. The program ends with code 4.
	ErrUnwritable Error = boltfile.ErrUnwritable
)
