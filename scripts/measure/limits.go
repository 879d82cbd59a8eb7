package main

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// The limits that hold for every package and for the whole tree.
const (
	maxFiles     = 27
	maxExported  = 70
	maxAgainst   = 10     // percent of the calls between files
	maxCode      = 95_500 // lines, of the whole tree
	maxLongFuncs = 0
	maxLongFiles = 0
	minExamples  = 12

	maxFunction = 60  // lines
	maxFile     = 300 // lines
	orderFrom   = 6   // files from which doc.go must list them
)

// Faults says where the tree is beyond its limits.
func (t *Tree) Faults() []string {
	var all []string
	add := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	for _, p := range t.Packages {
		if p.Files > maxFiles {
			add("%s: %d files, the limit is %d", p.Path, p.Files, maxFiles)
		}
		if p.Exported > maxExported {
			add("%s: %d exported identifiers, the limit is %d", p.Path, p.Exported, maxExported)
		}
		if p.Against > 0 && 100*p.Against >= maxAgainst*p.Calls {
			add("%s: %d of %d calls against the order of files, the limit is under %d %%", p.Path, p.Against, p.Calls, maxAgainst)
		}
		all = append(all, p.faults...)
	}
	if t.Total.Code >= maxCode {
		add("%d lines of code, the limit is under %d", t.Total.Code, maxCode)
	}
	if t.Total.LongFuncs > maxLongFuncs {
		add("%d functions of more than %d lines, the limit is %d", t.Total.LongFuncs, maxFunction, maxLongFuncs)
	}
	if t.Total.LongFiles > maxLongFiles {
		add("%d files of more than %d lines, the limit is %d", t.Total.LongFiles, maxFile, maxLongFiles)
	}
	if t.Total.Examples < minExamples {
		add("%d Example functions, wanted are %d", t.Total.Examples, minExamples)
	}
	return all
}

// Print writes one line a package, and the totals.
func (t *Tree) Print(w io.Writer) error {
	tw := tabwriter.NewWriter(w, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "files\texported\tcode\tagainst/calls\tlong functions\tlong files\texamples\t package")
	row := func(p *Package, name string) {
		calls := fmt.Sprintf("%d/%d", p.Against, p.Calls)
		if p != &t.Total && !p.Ordered {
			calls = "-"
		}
		fmt.Fprintf(tw, "%d\t%d\t%d\t%s\t%d\t%d\t%d\t %s\n", p.Files, p.Exported, p.Code, calls, p.LongFuncs, p.LongFiles, p.Examples, name)
	}
	for _, p := range t.Packages {
		row(p, p.Path)
	}
	row(&t.Total, fmt.Sprintf("all %d packages", len(t.Packages)))
	fmt.Fprintf(tw, "\t\t%d\t\t\t\t\t of them in packages that only tests import\n", t.ForTests)
	return tw.Flush()
}
