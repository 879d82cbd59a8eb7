package preprocess

import (
	"os/exec"
	"syscall"
	"unsafe"
)

// start starts a program whose memory is bounded: prlimit(2).
func start(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) } // with all that it started
	if err := cmd.Start(); err != nil {
		return err
	}
	limit := syscall.Rlimit{Cur: maxMemory, Max: maxMemory}
	_, _, failed := syscall.RawSyscall6(syscall.SYS_PRLIMIT64, uintptr(cmd.Process.Pid), syscall.RLIMIT_AS, uintptr(unsafe.Pointer(&limit)), 0, 0, 0)
	if failed != 0 && failed != syscall.ESRCH { // it may have ended already
		_ = cmd.Cancel()
		_ = cmd.Wait()
		return failed
	}
	return nil
}
