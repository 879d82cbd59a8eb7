package store

import "errors"

// What a caller branches on. The file is untouched in every one of these cases.
var (
	// ErrInUse: another process holds the store. The program ends with code 5.
	ErrInUse = errors.New("the store is in use by another run")
	// ErrForeign: the file is no store of ours; an empty file is foreign too, for a
	// new store is made under another name and renamed (OUTCOMES 5.1.12).
	ErrForeign = errors.New("the file is not a linkcheck store")
	// ErrNewer: a later version of the program wrote the store.
	ErrNewer = errors.New("the store was written by a newer linkcheck")
	// ErrCorrupt: the store is damaged or cut short. The program ends with code 4.
	ErrCorrupt = errors.New("the store is damaged")
	// ErrReadOnly: a change was asked of a store opened for reading.
	ErrReadOnly = errors.New("the store is open for reading only")
	// ErrNotFound: the link, run or pin is not in the store.
	ErrNotFound = errors.New("not in the store")
	// ErrUnwritable: the disk is full or refuses. The program ends with code 4.
	ErrUnwritable = errors.New("the store cannot be written")
)
