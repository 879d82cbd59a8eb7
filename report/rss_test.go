package report_test

import (
	"strconv"
	"strings"
)

// peak finds VmHWM in the text of a Linux process status.
func peak(status string) int64 {
	_, rest, ok := strings.Cut(status, "VmHWM:")
	if !ok {
		return 0
	}
	n, _ := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
	return n << 10
}
