package web

import (
	"io"
	"log"
	"os"
	"testing"
)

// net/http logs what servers send unasked, as the program does not let it.
func TestMain(m *testing.M) {
	log.SetOutput(io.Discard)
	os.Exit(m.Run())
}
