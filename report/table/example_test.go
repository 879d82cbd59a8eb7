package table_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/report"
	"linkcheck/report/sample"
	"linkcheck/report/table"
	"linkcheck/store"
)

// moved is a store with one moved link that stands in two records.
var moved = &sample.Source{Extra: []store.Entry{{
	Link: store.Link{URL: "http://www.old.example/coins", Key: "http://www.old.example/coins", State: judge.Moved,
		Last: check.Result{Outcome: check.Moved, Reason: "http-301", SuggestedURL: "https://new.example/coins"}},
	LiveMentions: []store.Mention{
		{Source: "cat.mrc", Record: "b1", Locator: "856[1]$u", URL: "http://www.old.example/coins"},
		{Source: "cat.mrc", Record: "b2", Locator: "856[1]$u", URL: "http://www.old.example/coins#top"}},
}}}

// A table has a row for every mention, with the columns of table.Columns.
func ExampleWriteCSV() {
	var b bytes.Buffer
	if err := table.WriteCSV(context.Background(), &b, moved, report.Options{}); err != nil {
		fmt.Println(err)
		return
	}
	rows, _ := csv.NewReader(&b).ReadAll()
	record, message := slices.Index(rows[0], "record_id"), slices.Index(rows[0], "message")
	for _, row := range rows[1:] {
		fmt.Println(row[record], row[message])
	}
	// Output:
	// b1 It has moved for good.
	// b2 It has moved for good.
}

// The fixes are for the batch tools of catalogues: a fragment goes along.
func ExampleWriteFixes() {
	var b bytes.Buffer
	if err := table.WriteFixes(context.Background(), &b, moved, report.Options{Raw: true}); err != nil {
		fmt.Println(err)
	}
	for line := range strings.Lines(b.String()) {
		fmt.Println(strings.Fields(line)[2:4])
	}
	// Output:
	// [old_url new_url]
	// [http://www.old.example/coins https://new.example/coins]
	// [http://www.old.example/coins#top https://new.example/coins#top]
}
