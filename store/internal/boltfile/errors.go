package boltfile

import (
	"fmt"
	"runtime/debug"
)

// Error is a fault that a caller branches on, with errors.Is.
type Error string

const (
	ErrInUse      Error = "the store is in use by another run"
	ErrForeign    Error = "the file is not a linkcheck store"
	ErrCorrupt    Error = "the store is damaged"
	ErrReadOnly   Error = "the store is open for reading only"
	ErrUnwritable Error = "the store cannot be written"
)

func (e Error) Error() string { return string(e) }

// catchPanic turns bbolt's panics over damaged pages, and faults on pages that
// vanished under the map, into ErrCorrupt.
func catchPanic(err *error) func() {
	was := debug.SetPanicOnFault(true)
	return func() {
		debug.SetPanicOnFault(was)
		if p := recover(); p != nil {
			*err = fmt.Errorf("%w: %.200v", ErrCorrupt, p)
		}
	}
}
