package table

import (
	"archive/zip"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
)

// writeSorted writes the archive that fill makes with its entries in the order of
// their names: excelize puts its sheets in by chance, and two reports on one store
// are equal to the byte. The entries are copied as they are, through a temporary file,
// so that memory does not grow with them.
func writeSorted(w io.Writer, fill func(io.Writer) error) error {
	f, err := os.CreateTemp("", "linkcheck-*.xlsx")
	if err == nil {
		err = errors.Join(fillAndSort(w, f, fill), f.Close(), os.Remove(f.Name()))
	}
	if err != nil {
		return fmt.Errorf("report: write workbook: %w", err)
	}
	return nil
}

func fillAndSort(w io.Writer, f *os.File, fill func(io.Writer) error) error {
	if err := fill(f); err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	in, err := zip.NewReader(f, info.Size())
	if err != nil {
		return err
	}
	slices.SortFunc(in.File, func(a, b *zip.File) int { return cmp.Compare(a.Name, b.Name) })
	out := zip.NewWriter(w)
	for _, entry := range in.File {
		if err := out.Copy(entry); err != nil {
			return err
		}
	}
	return out.Close()
}
