// Command measure prints how the source is shaped, one line a package, and the faults
// that the limits of CONTRIBUTING.md name. Run it at the root of the module:
//
//	go run ./scripts/measure            the table and the totals
//	go run ./scripts/measure -faults    also each call against the order of files, long function and long file
//
// What counts:
//   - files: those that are compiled on any system, without tests.
//   - exported: functions, types, variables, constants, and the methods of exported
//     types; the constants of one block that have one type are one. Fields and the
//     methods that an interface asks for do not count.
//   - code: lines with at least one token that is no comment; tests are left out, and so
//     is this program in the total.
//   - calls: those of a function or method of the same package that stands in another
//     file. One is against the order if that file is listed before the caller's in
//     doc.go. A method called through an interface is not followed.
//   - long: functions of more than 60 lines, from "func" to the closing brace, and files
//     of more than 300 lines, comments and all.
//   - examples: Example functions in tests.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	faults := flag.Bool("faults", false, "name each call against the order of files, each long function and each long file")
	flag.Parse()
	tree, err := Measure(".")
	if err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(1)
	}
	if err := tree.Print(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(1)
	}
	if *faults {
		for _, p := range tree.Packages {
			for _, note := range p.Notes {
				fmt.Println(note)
			}
		}
	}
	for _, fault := range tree.Faults() {
		fmt.Println("fault:", fault)
	}
}
