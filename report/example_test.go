package report_test

import (
	"context"
	"fmt"
	"time"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/report"
	"linkcheck/report/sample"
	"linkcheck/store"
)

// twoLinks is a store of one catalogue record with a dead and a moved link.
func twoLinks() report.Source {
	links := []store.Link{
		{URL: "gopher://gopher.old.example/00/maps", State: judge.Dead,
			Last: check.Result{Outcome: check.Gone, Reason: "gopher-error-item", Reply: "3 '/maps' does not exist"}},
		{URL: "http://www.old.example/coins", State: judge.Moved,
			Last: check.Result{Outcome: check.Moved, Reason: "http-301", SuggestedURL: "https://new.example/coins"}},
	}
	src := &sample.Source{}
	for _, l := range links {
		l.Key = l.URL
		src.Extra = append(src.Extra, store.Entry{Link: l, LiveMentions: []store.Mention{
			{Collection: "Catalogue", Source: "cat.mrc", Record: "b1", Locator: "856[1]$u", Raw: l.URL, URL: l.URL}}})
	}
	return src
}

// A report sums up a store and says of every link what happened and what to do.
func ExampleBuild() {
	r, err := report.Build(context.Background(), twoLinks(), report.Options{Now: time.Date(2026, 11, 20, 7, 0, 0, 0, time.UTC)})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Headline())
	for _, row := range r.Top {
		fmt.Printf("%s: %s\n  %s %s\n", row.Group, row.URL, row.Message, row.Step)
	}
	// Output:
	// 2 links in 1 record. 2 need you.
	// fix: gopher://gopher.old.example/00/maps
	//   The gopher server is up and has no such item. Look for the item on the web; many gopher holes were archived.
	// update: http://www.old.example/coins
	//   It has moved for good. Write https://new.example/coins instead.
}
