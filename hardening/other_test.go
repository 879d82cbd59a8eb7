//go:build !linux

package hardening

import "testing"

func TestNotHere(t *testing.T) {
	t.Skip("the attacks measure processor time and memory as Linux counts them")
}
