package main

import (
	"errors"
	"io/fs"
	"syscall"

	"linkcheck/fleet"
	"linkcheck/internal/exit"
	"linkcheck/store"
	"linkcheck/store/setfile"
)

// storeErrors says what each failure of a store means to the shell, and what to do about it.
var storeErrors = []struct {
	is   error
	code int
	hint string
}{
	{setfile.ErrFleet, exit.InUse, "'linkcheck run' and 'linkcheck mark' with --engine and --copies go to the fleet; other verbs do not change its store"},
	{store.ErrInUse, exit.InUse, "wait for the other run to end, or use another --store"},
	{store.ErrForeign, exit.BadUsage, "the file was left as it is; give another name with --store"},
	{store.ErrNewer, exit.BadUsage, "the file was left as it is; use the newer program"},
	{store.ErrOlder, exit.BadUsage, "'linkcheck store join' makes one file of it, and 'linkcheck store split' a set of that"},
	{store.ErrCorrupt, exit.Distrusted, "the file was left as it is; restore the last backup ('linkcheck store backup' makes them); without one, 'linkcheck store salvage' saves what can be read"},
	{store.ErrUnwritable, exit.Distrusted, "is the disk full, or the file read-only? what was committed is kept"},
	{store.ErrReadOnly, exit.BadUsage, "a run brings the store up to date"},
	{store.ErrNotFound, exit.BadUsage, ""},
}

// storeFailed adds the exit code and the hint to an error of the store.
func storeFailed(err error) error {
	for _, e := range storeErrors {
		if errors.Is(err, e.is) {
			return exit.Fail(e.code, e.hint, "%w", err)
		}
	}
	_, told := errors.AsType[*exit.Failure](err)
	if _, system := errors.AsType[syscall.Errno](err); system && !told && !errors.Is(err, fs.ErrNotExist) {
		return exit.Fail(exit.Distrusted, "the system refused; what was committed is kept", "%w", err)
	}
	return err
}

// reportFailed is a usage error where the options were wrong, and else a store that cannot be read.
func reportFailed(err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, store.ErrCorrupt) {
		return exit.Fail(exit.Distrusted, "try 'linkcheck store verify'", "%w", err)
	}
	return exit.Usage("%w", err)
}

// fleetErrors says what each failure of a fleet means to the shell, and what to do about it.
var fleetErrors = []struct {
	is   error
	code int
	hint string
}{
	{fleet.ErrNoEngine, exit.Distrusted, "is it started, and the address right? linkcheck-engine is one"},
	{fleet.ErrRefused, exit.BadUsage, "--creds names the file of a user that the engine knows"},
	{fleet.ErrNoSet, exit.BadUsage, "'linkcheck fleet init' makes one; of several --set names one"},
	{fleet.ErrStands, exit.BadUsage, "'linkcheck fleet work' serves it; --set gives another name"},
	{fleet.ErrOtherSet, exit.BadUsage, "nothing was changed"},
	{setfile.ErrForeign, exit.BadUsage, "nothing was changed"},
	{fleet.ErrClock, exit.Distrusted, "set the clock of the one that is wrong; nothing was changed"},
	{fleet.ErrSameName, exit.InUse, "wait for it to end, or give another --name"},
}

// fleetFailed adds the exit code and the hint to an error of a fleet.
func fleetFailed(err error) error {
	for _, e := range fleetErrors {
		if errors.Is(err, e.is) {
			return exit.Fail(e.code, e.hint, "%w", err)
		}
	}
	return storeFailed(err)
}
