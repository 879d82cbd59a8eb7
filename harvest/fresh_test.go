package harvest

import (
	"testing"
	"time"
)

func TestFresh(t *testing.T) {
	now := time.Date(2026, 1, 10, 12, 4, 30, 0, time.UTC)
	for version, want := range map[string]bool{
		"modify=20260105120000;size=3": false, "modify=20260110120400;size=3": true, "modify=20260110120000;size=3": false, "modify=x": true, "": true,
		"-rw-r--r-- 1 0 0 30 Jan 10 12:03": true, "-rw-r--r-- 1 0 0 30 Jan 10 15:03": true, "-rw-r--r-- 1 0 0 30 Jan 10 11:40": false,
		"-rw-r--r-- 1 0 0 30 Jan  5 12:03": false, "-rw-r--r-- 1 0 0 30 Dec 20 12:03": false, "-rw-r--r-- 1 0 0 30 Dec 20  2024": false, "12-20-24 03:00PM 30": false,
	} {
		if isFresh(version, now) != want {
			t.Errorf("%s is fresh: %v", version, !want)
		}
	}
}
