package table

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"io"
	"iter"
	"strconv"
	"strings"

	"linkcheck/lint"
)

// faultColumns are those of WriteFaultsCSV; one more names the guarded cells of a row.
var faultColumns = []string{"fault", "collection", "record_id", "record_title", "record_url", "source", "locator", "line", "value", "repair", "also_in", "also_more", "owner"}

// WriteFaultsCSV writes a row for each fault (RFC 4180), guarded as in WriteCSV. address gives
// that of a record; "" is none.
func WriteFaultsCSV(w io.Writer, raw bool, rows iter.Seq[lint.Row], address func(*lint.Row) string) error {
	out := csv.NewWriter(w)
	out.UseCRLF = true
	if err := out.Write(append(faultColumns[:len(faultColumns):len(faultColumns)], guardedColumn)); err != nil {
		return err
	}
	for r := range rows {
		cells := []string{r.Code, r.Collection, r.Record, r.Title, address(&r), sourceOf(&r), r.Locator, orEmpty(r.Line), r.Value, r.Repair, strings.Join(r.Also, " "), orEmpty(r.More), r.Owner}
		if err := out.Write(guard(cells, faultColumns, raw)); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func sourceOf(r *lint.Row) string {
	if r.Member != "" {
		return r.Source + "!" + r.Member
	}
	return r.Source
}

func orEmpty(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// faultRow is a row of WriteFaultsJSON.
type faultRow struct {
	Fault string `json:"fault"`
	lint.Place
	RecordURL string   `json:"record_url,omitempty"`
	Value     string   `json:"value"`
	Repair    string   `json:"repair,omitempty"`
	Also      []string `json:"also_in,omitempty"`
	More      int      `json:"also_more,omitempty"`
}

// WriteFaultsJSON writes a JSON object a line for each fault.
func WriteFaultsJSON(w io.Writer, rows iter.Seq[lint.Row], address func(*lint.Row) string) error {
	out := bufio.NewWriter(w)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	for r := range rows {
		if err := enc.Encode(faultRow{r.Code, r.Place, address(&r), r.Value, r.Repair, r.Also, r.More}); err != nil {
			return err
		}
	}
	return out.Flush()
}
