package telnet

import (
	"testing"

	"linkcheck/check"
	"linkcheck/check/checktest"
)

func TestSuite(t *testing.T) {
	checktest.Run(t, checktest.Case{
		New:      func(o check.Options) check.Prober { return New(Options{Options: o}) },
		URL:      "telnet://guest:secret@{at}/",
		Reply:    "\xff\xfb\x01\xff\xfd\x18login: ",
		Lying:    []string{"\xff\xfa\x18\x01", "\xff", "\xff\xfb"},
		SilentOK: true,
		Never:    []string{"secret", "guest"},
	})
}
