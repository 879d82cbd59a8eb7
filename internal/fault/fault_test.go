package fault

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// catches calls f and gives the fault in which it ended.
func catches(f func()) (err error) {
	defer Catch(&err)
	f()
	return errors.New("none")
}

func broken(list []int) { fmt.Println(list[len(list)]) }

// TestCatch: the value, and the line where the panic began, of the goroutine in which it
// began.
func TestCatch(t *testing.T) {
	if err := catches(func() {}); err.Error() != "none" {
		t.Errorf("no panic: %v", err)
	}
	var g Group
	g.Go(func() {})
	g.Wait()
	g.Go(func() { broken(nil) })
	for name, f := range map[string]func(){"here": func() { broken(nil) }, "a group": g.Wait} {
		err := catches(f)
		fault, ok := errors.AsType[*Error](err)
		if !ok || !strings.Contains(err.Error(), "index out of range [0] with length 0 at fault_test.go:17") || !strings.Contains(string(fault.Trace), "fault.broken") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
