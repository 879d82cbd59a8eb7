package interop

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"linkcheck/check/all"
	"linkcheck/harvest"
	"linkcheck/harvest/harvesttest"
)

// harvested reads a root whole, and gives its documents as record and title.
func harvested(t *testing.T, address string, change func(*harvest.Root)) (list []string, err error) {
	t.Helper()
	root, err := harvest.ParseRoot(address)
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(&root)
	}
	h, err := harvest.New(root, newProbers(t, all.Options{}), harvest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var store harvesttest.Store
	err = store.Run(t.Context(), h, 0, false)
	for _, name := range store.Standing() {
		d, _ := store.Document(name)
		list = append(list, d.Media+" "+d.Record+" "+d.Title)
	}
	if ended, _ := store.Whole(); ended != (err == nil) {
		t.Errorf("%s: whole %v, %v", address, ended, err)
	}
	return list, err
}

// TestZebraHarvest reads the databases of Zebra by Z39.50.
func TestZebraHarvest(t *testing.T) {
	at, _ := zebra(t, "")
	for address, want := range map[string][]string{
		"z39.50s://" + at + "/Default":        {"application/marc lc0001 Universal document identifiers", "application/marc lc0002 Z39.50 in theory"},
		"z39.50r://" + at + "/books":          {"application/marc bk0001 The telnet scheme"},
		"z39.50s://" + at + "/Default+books":  {"application/marc bk0001 The telnet scheme", "application/marc lc0001 Universal document identifiers", "application/marc lc0002 Z39.50 in theory"},
		"z39.50s://" + at + "/Default;rs=xml": {"application/xml lc0001 Universal document identifiers", "application/xml lc0002 Z39.50 in theory"},
		"z39.50s://" + at + "/nosuch":         nil,
	} {
		got, err := harvested(t, address, nil)
		if !slices.Equal(got, want) || (err == nil) != (want != nil) {
			t.Errorf("%s: %q, %v", address, got, err)
		}
	}
	got, err := harvested(t, "z39.50s://"+at+"/Default", func(r *harvest.Root) { r.Query = "@and @attr 1=12 lc0002 @attr 1=4 theory" })
	if err != nil || !slices.Equal(got, []string{"application/marc lc0002 Z39.50 in theory"}) {
		t.Errorf("a query: %q, %v", got, err)
	}
}

// TestZebraSRU reads Zebra by SRU.
func TestZebraSRU(t *testing.T) {
	at := zebraSRU(t)
	both := []string{"application/xml lc0001 Universal document identifiers", "application/xml lc0002 Z39.50 in theory"}
	for query, want := range map[string]struct {
		list []string
		end  string
	}{
		"":                              {both, ""},
		"?version=1.2&maximumRecords=1": {both, ""},
		"?version=2.0":                  {both, ""},
		"?recordPacking=string":         {both, ""},
		"?query=rec.id%3Dlc0002":        {both[1:], ""},
		"?query=nosuch.index%3D1":       {nil, "not understood: 15: Unsupported context set"},
		"?version=.1":                   {nil, "not understood: 5: Unsupported version: 2.0"},
	} {
		got, err := harvested(t, "sru+http://"+at+"/Default"+query, nil)
		if end := fmt.Sprint(err); !slices.Equal(got, want.list) || end != want.end && (err != nil || want.end != "") {
			t.Errorf("%s: %q, %v", query, got, err)
		}
	}
}

// zebraSRU is zebra with what SRU wants: indexes of CQL, and MARCXML.
func zebraSRU(t *testing.T) string {
	t.Helper()
	server, config := zebraIndex(t, "")
	dir := filepath.Dir(config)
	p := port(t)
	gfs := write(t, dir, "gfs.xml", fmt.Sprintf(`<yazgfs><listen id="l">tcp:127.0.0.1:%d</listen><server listenref="l"><directory>%s</directory><config>%s</config>
<cql2rpn>%s</cql2rpn>
<retrievalinfo><retrieval syntax="usmarc"/><retrieval syntax="xml" name="marcxml" identifier="info:srw/schema/1/marcxml-v1.1"><backend syntax="xml" name="F"/></retrieval></retrievalinfo>
</server></yazgfs>`, p, dir, config, write(t, dir, "pqf.properties", `
set.cql = info:srw/cql-context-set/1/cql-v1.1
set.rec = info:srw/cql-context-set/2/rec-1.1
index.cql.allRecords = 1=_ALLRECORDS 2=103
index.cql.serverChoice = 1=1016
index.rec.id = 1=12
relation.eq = 2=3
relation.scr = 2=3
relationModifier.relevant = 2=102
structure.* = 4=1
position.any = 3=3 6=1
`)))
	return daemon(t, p, command(server, "-v", "none", "-f", gfs))
}
