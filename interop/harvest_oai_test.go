package interop

import (
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// testCatmandu reads the provider of OAI-PMH of Catmandu, over records in a file.
func testCatmandu(t *testing.T, program string) {
	perl, n, dir := need(t, "perl"), port(t), t.TempDir()
	if err := exec.Command(perl, "-MDancer::Plugin::Catmandu::OAI", "-e", "1").Run(); err != nil {
		missing(t, "libdancer-plugin-catmandu-oai-perl is not installed: run interop/install.sh")
	}
	script, err := filepath.Abs("testdata/oai.pl")
	if err != nil {
		t.Fatal(err)
	}
	records, now := map[string]string{}, time.Now().UTC().AddDate(0, 0, -30)
	keep := func(id, deleted, marc string) {
		records[id] = strings.Join([]string{id, now.Format(time.RFC3339), deleted, marc}, "\t") + "\n"
		write(t, dir, "records", strings.Join(slices.Sorted(maps.Values(records)), ""))
	}
	keep("lc0000", "", "")
	server := command(perl, script, filepath.Join(dir, "records"), fmt.Sprint(n))
	server.Dir = dir
	addr := daemon(t, n, server)
	put := func(id, title, link string) { keep(id, "", marcXML(id, title, link)) }
	remove := func(id string) {
		now = time.Now().UTC() // this and what follows is new to one who asks from a date on
		keep(id, "1", "")
	}
	testCatalogue(t, program, "oai+http://"+oneAtATime(t, anyPort, addr)+"/oai", put, remove)
}
