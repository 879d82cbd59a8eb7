//go:build !unix

package main

import "errors"

// mkfifo fails: this system has no FIFOs among its files.
func mkfifo(string) error { return errors.ErrUnsupported }
