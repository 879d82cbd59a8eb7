//go:build !unix

package browser

import (
	"errors"
	"os/exec"
)

const supported = false

type group struct{}

func startGroup(*exec.Cmd) (*group, error) { return nil, errors.ErrUnsupported }

func (*group) kill() {}
func (*group) end()  {}

func bound() {}

func helperCommand() *exec.Cmd { return exec.Command("") }

func startHelper(*exec.Cmd) error { return errors.ErrUnsupported }
