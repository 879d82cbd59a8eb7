package main

import (
	"strings"
	"testing"

	"linkcheck/internal/lab"
	"linkcheck/internal/testdoc"
)

// OUTCOMES section 6, story 1: a cataloguer gets bib numbers with each bad 856.
func TestCatalogueRecordsInReport(t *testing.T) {
	const gone, home, hours = "http://www.mill.test/gone.html", "http://www.mill.test/", "http://www.mill.test/hours.html"
	l := newLibrary(t, map[string]string{"bibs.mrc": testdoc.Catalogued("bib1", "Mill papers", "|u"+home+"|u"+gone) +
		testdoc.Catalogued("bib2", "Mill letters", "|u"+gone+"|zonline") + testdoc.Catalogued("bib3", "Opening hours", "|u"+hours)})
	web := l.serveWeb(lab.Web{"www.mill.test": {"/": lab.Page("Mill", "The mill."), "/hours.html": lab.Page("Hours", "From nine to five.")}})
	for night := range 8 {
		l.runWell(float64(night))
		want := map[int]int{0: 1, 1: 1, 4: 1, 7: 2}[night] // the last one asked again, as browsers ask
		if n := count(web.pages(), "GET www.mill.test/gone.html"); n != want {
			t.Errorf("day %d: %d probes of the page that is gone, want %d", night, n, want)
		}
	}
	var dead []map[string]string
	rows := l.table("--record-url", "https://ils/bib/{id}")
	for _, row := range rows {
		if row["state"] == "dead" {
			dead = append(dead, row)
		}
	}
	if len(rows) != 4 || len(dead) != 2 {
		t.Fatalf("%d rows, %d of them dead, want 4 and 2: %q", len(rows), len(dead), rows)
	}
	for i, want := range []struct{ record, title, locator string }{{"bib1", "Mill papers", "856[1]$u[2]"}, {"bib2", "Mill letters", "856[1]$u"}} {
		got := dead[i]
		if got["record_id"] != want.record || got["locator"] != want.locator || got["record_title"] != want.title ||
			got["record_url"] != "https://ils/bib/"+want.record || got["url"] != gone || !strings.HasSuffix(got["source"], "bibs.mrc") ||
			got["reason"] != "http-404" || got["fail_streak"] != "4" || got["fail_days"] != "7" || got["changes"] != "newly-dead" {
			t.Errorf("row %d: want %v, got %q", i, want, got)
		}
	}
	for _, row := range rows {
		if row["record_id"] == "bib3" && (row["state"] != "alive" || row["locator"] != "856[1]$u") {
			t.Errorf("the good record: %q", row)
		}
	}
}

// The columns of a report are stable: programs read them (OUTCOMES section 2.2).
func TestReportColumns(t *testing.T) {
	l := newLibrary(t, map[string]string{"a.txt": "see info:lccn/85000002 for more"})
	l.runWell(0)
	head, _, _ := strings.Cut(l.ok("report", "--csv", "-"), "\r\n")
	const want = "link_id,collection,record_id,record_title,record_url,source,locator,context,url,url_normalized,scheme,host,group,state," +
		"action,outcome,reason,evidence,reply,final_url,suggested_url,archive_url,flags,first_seen,first_checked,last_checked,last_ok," +
		"failing_since,fail_streak,fail_days,checks_total,next_check,duplicate_group,pinned_by,note,changes,message,root,owner,guarded"
	if head != want {
		t.Errorf("got  %s\nwant %s", head, want)
	}
}
