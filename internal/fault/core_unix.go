//go:build unix

package fault

import "syscall"

// noCore denies this process, and those that it starts, a core file.
func noCore() { _ = syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{}) }
