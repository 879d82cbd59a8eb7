// Command modules tells what the programs are made of: the notices of all modules that are
// linked into them on any system, or the bill of materials (CycloneDX) of one binary.
//
//	go run ./scripts/modules notices > THIRD_PARTY_NOTICES
//	go run ./scripts/modules sbom BINARY VERSION > BINARY.cdx.json
package main

import (
	"fmt"
	"io"
	"os"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "modules:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	switch {
	case len(args) == 1 && args[0] == "notices":
		return notices(out)
	case len(args) == 3 && args[0] == "sbom":
		return sbom(out, args[1], args[2])
	}
	return fmt.Errorf("usage: modules notices | modules sbom BINARY VERSION")
}
