package table

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"

	"linkcheck/report"
)

// ownerColumns are those of WriteOwners.
var ownerColumns = []string{"owner", "files", "links", "fix", "update", "check"}

// WriteOwners writes as TSV who mends links, in which files his are, and how many they are.
func WriteOwners(w io.Writer, rep *report.Report, files [][]string) error {
	out := csv.NewWriter(w)
	out.Comma = '\t'
	if err := out.Write(append(ownerColumns[:len(ownerColumns):len(ownerColumns)], guardedColumn)); err != nil {
		return err
	}
	for i, r := range rep.OwnerRows {
		cells := []string{r.Shown, strings.Join(files[i], " "), strconv.Itoa(r.Links)}
		for g := report.Fix; g <= report.Check; g++ {
			cells = append(cells, strconv.Itoa(r.ByGroup[g]))
		}
		if err := out.Write(guardText(cells, ownerColumns, rep.Raw)); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}
