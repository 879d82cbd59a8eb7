//go:build unix

package browser

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// supported says whether processes can be ended with all they started.
const supported = true

// group is a program and all that it starts.
type group struct {
	cmd   *exec.Cmd
	ended chan struct{}
}

// startGroup starts a program as the first of a group.
func startGroup(cmd *exec.Cmd) (*group, error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.WaitDelay = time.Second // others may hold its output open
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	g := &group{cmd: cmd, ended: make(chan struct{})}
	go func() {
		_ = cmd.Wait() // how it ended says nothing
		close(g.ended)
	}()
	return g, nil
}

// kill ends the group. It may be called again.
func (g *group) kill() { _ = syscall.Kill(-g.cmd.Process.Pid, syscall.SIGKILL) }

// end ends the group and waits for it.
func (g *group) end() {
	for range 40 {
		g.kill()
		select {
		case <-g.ended:
		case <-time.After(50 * time.Millisecond):
		}
		if errors.Is(syscall.Kill(-g.cmd.Process.Pid, 0), syscall.ESRCH) {
			return
		}
	}
}

// bound takes from this process and those that it starts what no question needs: memory
// in a file after a crash, and large files.
func bound() {
	_ = syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{})
	_ = syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: maxFile, Max: maxFile})
}

// maxFile is how many octets a file has at most that a browser writes.
const maxFile = 64 << 20

// helperCommand is this program again, however it was named and even if another file has
// its name since.
func helperCommand() *exec.Cmd {
	self, err := os.Executable()
	if _, there := os.Stat("/proc/self/exe"); there == nil || err != nil {
		self = "/proc/self/exe"
	}
	cmd := exec.Command(self)
	cmd.Args = []string{"linkcheck", HelperArgument}
	cmd.Env = []string{"TMPDIR=" + os.TempDir()} // a browser may see the environment of its helper
	return cmd
}

// startHelper starts a helper out of reach of the keys of our terminal.
func startHelper(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return cmd.Start()
}
