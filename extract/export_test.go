package extract

import (
	"bytes"
	"context"

	"linkcheck/extract/budget"
	"linkcheck/extract/doc"
)

// Candidates reads a document and gives what was charged to its budget as tried.
func Candidates(name string, data []byte, o Options, found func(Found, error)) int64 {
	b, stop := budget.New(context.Background(), o.Limits, int64(len(data)))
	defer stop()
	doc.New(name, bytes.NewReader(data), b, o, read, func(f Found, err error) bool {
		found(f, err)
		return true
	}).Read()
	return b.Candidates()
}

// FormatNames lists the names of the formats, without the containers, to the tests
// beside this package.
func FormatNames() []string { return namesOf(formats) }

// ContainerNames lists the names of the containers.
func ContainerNames() []string { return namesOf(containers) }

func namesOf(rows []format) (names []string) {
	for _, f := range rows {
		names = append(names, f.name)
	}
	return names
}
