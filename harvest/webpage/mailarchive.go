package webpage

import (
	"path"
	"regexp"
	"slices"
)

// The archives of mailing lists show each message in many orders. One of them is enough.

// pipermailPage is the name of a page in an archive of pipermail: an index of a month, or of
// another time, or a message.
var pipermailPage = regexp.MustCompile(`^(.*/(?:\d{4}(?:-[A-Z][a-z]+|q[1-4])?|Week-of-Mon-\d{8}|\d{8}))/(?:thread|subject|author|date|index|\d{6,7})\.html$`)

// MonthText is the text of all messages of that time, in the names that it may have,
// where the page is one of pipermail.
func MonthText(name string) []string {
	if m := pipermailPage.FindStringSubmatch(name); m != nil {
		return []string{m[1] + ".txt", m[1] + ".txt.gz"}
	}
	return nil
}

// orders are the pages of hypermail and MHonArc that list the same messages as those by
// date do.
var orders = map[string]bool{"thread.html": true, "threads.html": true, "author.html": true, "authors.html": true,
	"subject.html": true, "subjects.html": true, "attachment.html": true}

// byDate are the pages that list them by date.
var byDate = []string{"date.html", "maillist.html"}

// IsOtherOrder says whether a page lists the messages of an archive that another one lists:
// linked says which pages stand beside it.
func IsOtherOrder(name string, linked func(name string) bool) bool {
	folder, last := path.Split(name)
	if !orders[last] {
		return false
	}
	others := 0
	for other := range orders {
		if other != last && linked(folder+other) {
			others++
		}
	}
	return others > 0 && slices.ContainsFunc(byDate, func(date string) bool { return linked(folder + date) })
}
