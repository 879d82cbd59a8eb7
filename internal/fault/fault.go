// Package fault hands a panic of a goroutine to the one that waits for it, so that it ends
// the program in order and with an exit code that says so: the Go runtime ends a process
// with status 2, which is that of an error of usage. What no code can catch (out of memory,
// a map written by two) ends the process with SIGABRT.
//
// The files in reading order:
//
//	fault.go       panics as errors
//	abort.go       what cannot be caught
//	core_unix.go   no memory in a file
//	core_other.go  the same where there is no such limit
package fault

import (
	"fmt"
	"path"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
)

// Error is a panic that was caught: a fault of this program.
type Error struct {
	Value any
	At    string // the line of code where it began
	Trace []byte // of the goroutine
}

func (e *Error) Error() string { return fmt.Sprintf("%v at %s", e.Value, e.At) }

// Of makes an error of what a deferred function recovered; nil of nil. An Error stays
// what it is: it was caught in another goroutine.
func Of(recovered any) error {
	if recovered == nil {
		return nil
	}
	if e, ok := recovered.(*Error); ok {
		return e
	}
	return &Error{recovered, begun(), debug.Stack()}
}

// Catch, deferred, makes a panic the error of the function.
func Catch(err *error) {
	if caught := Of(recover()); caught != nil {
		*err = caught
	}
}

// Group is a sync.WaitGroup that hands on panics.
type Group struct {
	running sync.WaitGroup
	mu      sync.Mutex
	first   error
}

// Go calls f in a goroutine of its own.
func (g *Group) Go(f func()) {
	g.running.Go(func() {
		if err := call(f); err != nil {
			g.mu.Lock()
			defer g.mu.Unlock()
			if g.first == nil {
				g.first = err
			}
		}
	})
}

func call(f func()) (err error) {
	defer Catch(&err)
	f()
	return nil
}

// Wait waits for all, and panics with the first of their panics.
func (g *Group) Wait() {
	g.running.Wait()
	if g.first != nil {
		panic(g.first)
	}
}

// begun gives the line of code where the panic began that is being recovered from.
func begun() string {
	var stack [64]uintptr
	frames := runtime.CallersFrames(stack[:runtime.Callers(2, stack[:])])
	for panicked := false; ; {
		frame, more := frames.Next()
		ours := !strings.HasPrefix(frame.Function, "runtime.")
		if panicked && ours || !more {
			return fmt.Sprintf("%s:%d", path.Base(frame.File), frame.Line)
		}
		panicked = panicked || !ours
	}
}
