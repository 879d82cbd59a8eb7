package ingest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"linkcheck/harvest"
	"linkcheck/store"
)

var harvestRecords = flag.Int("harvest-records", 20_000, "records of the catalogue in BenchmarkHarvestRecords; HARVEST section 13 asks for 1,000,000")

// BenchmarkHarvestRecords reads a catalogue in pages of 100 records with two links each, and
// reads it again as it is, without a server. It gives records in a second, the most memory,
// and octets in the store.
func BenchmarkHarvestRecords(b *testing.B) {
	for range b.N {
		st, err := store.Open(filepath.Join(b.TempDir(), "links.db"), nil)
		if err != nil {
			b.Fatal(err)
		}
		root := harvest.Root{URI: "oai+https://catalogue.wells.example/oai", Name: "E-books", Kind: harvest.OAI, Bytes: 1 << 50, Time: 100 * time.Hour}
		o := HarvestOptions{Harvester: func(harvest.Root) (harvest.Harvester, error) { return catalogueOf(*harvestRecords), nil }}
		for _, name := range []string{"new", "same"} {
			began := time.Now()
			sum, err := Harvest(b.Context(), st, []harvest.Root{root}, o)
			if err != nil || sum.Roots[0].Root.Documents != *harvestRecords || name == "same" && sum.Roots[0].Same != *harvestRecords {
				b.Fatalf("%+v, %v", sum, err)
			}
			b.ReportMetric(float64(*harvestRecords)/time.Since(began).Seconds(), name+"-records/s")
		}
		b.ReportMetric(mostMemory(b), "MB-RSS")
		if err := st.Close(); err != nil {
			b.Fatal(err)
		}
		info, err := os.Stat(st.Path())
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(info.Size())/float64(*harvestRecords), "octets/record")
	}
}

// catalogueOf yields records as a harvester of OAI-PMH does.
func catalogueOf(records int) harvest.Harvester {
	return tells(func(known harvest.Known, yield func(harvest.Item) bool) error {
		for n := range records {
			name := fmt.Sprintf("https://catalogue.wells.example/oai?verb=GetRecord&metadataPrefix=marc21&identifier=oai:%07d", n)
			known.Document(name)
			item := harvest.Item{Kind: harvest.Read, Doc: harvest.Document{Name: name, Version: "2026-01-05T12:00:00Z", Record: fmt.Sprint("oai:", n)}, Body: strings.NewReader(marcRecord(n))}
			if !yield(item) || n%100 == 99 && !yield(harvest.Item{Kind: harvest.Marked, Mark: []byte(name)}) {
				return nil
			}
		}
		yield(harvest.Item{Kind: harvest.Whole})
		return nil
	})
}

func marcRecord(n int) string {
	return fmt.Sprintf(`<record xmlns="http://www.loc.gov/MARC21/slim"><leader>00714cam a2200205 a 4500</leader>
<controlfield tag="001">%07d</controlfield><controlfield tag="008">920219s1993    caua   j      000 0 eng  </controlfield>
<datafield tag="245" ind1="1" ind2="0"><subfield code="a">Record %d /</subfield><subfield code="c">somebody.</subfield></datafield>
<datafield tag="650" ind1=" " ind2="1"><subfield code="a">Arithmetic</subfield><subfield code="x">Juvenile poetry.</subfield></datafield>
<datafield tag="856" ind1="4" ind2="0"><subfield code="u">http://books%d.example.org/%d</subfield><subfield code="z">Full text</subfield></datafield>
<datafield tag="856" ind1="4" ind2="2"><subfield code="u">http://covers.example.org/%d.jpg</subfield></datafield></record>`, n, n, n%500, n, n)
}

// mostMemory is the most that the process has held in memory, in MB; 0: not known.
func mostMemory(b *testing.B) float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	var kb float64
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	fmt.Sscan(rest, &kb)
	return kb / 1024
}
