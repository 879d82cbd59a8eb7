package ingest

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"linkcheck/harvest"
	"linkcheck/harvest/harvesttest"
	"linkcheck/internal/lab"
	"linkcheck/store"
)

// served is a server that changes from night to night, and a root on it.
type served struct {
	root  string
	night func(night int) // changes it
	http.Handler
}

// servedSite is a web site whose pages change, go, move and come.
func servedSite() *served {
	page := func(title string, links ...string) string {
		text := "<html><head><title>" + title + "</title></head><body>"
		for _, l := range links {
			text += "<p><a href=\"" + l + "\">" + l + "</a></p>\n"
		}
		return text + "</body></html>"
	}
	pages := map[string]string{}
	mux := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch text, ok := pages[r.URL.Path]; {
		case r.URL.Path == "/moved":
			http.Redirect(w, r, "/6", http.StatusMovedPermanently)
		case !ok:
			http.NotFound(w, r)
		default:
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, text)
		}
	})
	return &served{root: "http://guides.wells.example/", Handler: mux, night: func(night int) {
		for n := range 9 {
			pages[fmt.Sprintf("/%d", n)] = page(fmt.Sprint("Guide ", n), fmt.Sprint("/", (n+1)%9), fmt.Sprintf("http://h%d.example.org/", n), "http://all.example.org/")
		}
		pages["/"] = page("Guides", "/0", "/3", "/7", "/moved", "http://all.example.org/")
		if night > 0 {
			delete(pages, "/4")
			pages["/5"] = page("Guide 5", "/8", fmt.Sprintf("http://new%d.example.org/", night))
		}
		if night > 2 {
			pages["/new"] = page("New", "http://newest.example.org/")
			pages["/"] += page("more", "/new")
		}
	}}
}

// servedCatalogue is a repository of OAI-PMH whose records come, change and are deleted.
func servedCatalogue() *served {
	repository := &lab.OAI{Page: 4, Formats: [][2]string{{"marc21", "http://www.loc.gov/MARC21/slim"}}}
	record := func(n, night int, deleted bool, link string) lab.CatalogueRecord {
		at := harvestNight.AddDate(0, 0, night).Add(-3 * time.Hour)
		return lab.CatalogueRecord{ID: fmt.Sprint("wl", n), Date: at, Deleted: deleted, Metadata: map[string]string{"marc21": strings.NewReplacer("NUMBER", fmt.Sprint(n), "LINK", link).Replace(
			`<record xmlns="http://www.loc.gov/MARC21/slim"><controlfield tag="001">NUMBER</controlfield><datafield tag="245"><subfield code="a">Book NUMBER</subfield></datafield>` +
				`<datafield tag="856" ind1="4" ind2="0"><subfield code="u">LINK</subfield></datafield></record>`)}}
	}
	return &served{root: "oai+http://guides.wells.example/oai?metadataPrefix=marc21", Handler: repository, night: func(night int) {
		repository.Change(func() {
			repository.Now = func() time.Time { return harvestNight.AddDate(0, 0, night) }
			switch night {
			case 0:
				for n := range 14 {
					repository.Records = append(repository.Records, record(n, -30, false, fmt.Sprintf("http://books%d.example.org/", n)))
				}
			case 1:
				repository.Records[2] = record(2, night, true, "")
				repository.Records[3] = record(3, night, false, "http://changed.example.org/")
			case 2:
				repository.Records[2] = record(2, night, false, "http://back.example.org/")
			}
		})
	}}
}

const servedNights = 5

// TestHarvestersKilled has real harvesters read servers into the store, and ends the program
// behind each transaction: what the store holds in the end is what it holds without that.
func TestHarvestersKilled(t *testing.T) {
	for name, world := range map[string]func() *served{"site": servedSite, "catalogue": servedCatalogue} {
		t.Run(name, func(t *testing.T) {
			w, ref, kills := world(), newArchive(t), 0
			root, err := harvest.ParseRoot(w.root)
			if err != nil {
				t.Fatal(err)
			}
			ref.root = root
			for night := range servedNights {
				w.night(night)
				now := ref.now
				harvester := func() harvest.Harvester {
					h, err := harvest.New(root, harvesttest.NewWeb(w), harvest.Options{Now: func() time.Time { return now }})
					if err != nil {
						t.Fatal(err)
					}
					return h
				}
				var copies []string
				ref.o.Progress = func(*store.Root, HarvestCounts) {
					copies = append(copies, filepath.Join(t.TempDir(), "copy.db"))
					copyStore(t, ref.st.Path(), copies[len(copies)-1])
				}
				sum, _ := ref.read(eachStep(harvester()))
				if sum.Root.Sweep != 0 || sum.Err != nil {
					t.Fatalf("night %d: %+v", night, sum)
				}
				want := ref.canon(ref.st)
				for k, name := range copies {
					st, err := store.Open(name, nil)
					if err != nil {
						t.Fatal(err)
					}
					a := &archive{T: t, st: st, now: now, root: root}
					if roots, err := st.Roots(); err != nil {
						t.Fatal(err)
					} else if roots[0].Sweep != 0 {
						a.read(harvester())
					} else if _, err := Harvest(t.Context(), st, nil, HarvestOptions{Options: Options{Now: func() time.Time { return now }}}); err != nil {
						t.Fatal(err)
					}
					a.now = ref.now
					if got := a.canon(st); got != want {
						t.Fatalf("night %d, killed behind step %d of %d:\n%s\nwant\n%s", night, k+1, len(copies), got, want)
					}
					if err := st.Close(); err != nil {
						t.Fatal(err)
					}
					kills++
				}
			}
			t.Logf("%d kills, %d documents stand", kills, len(ref.stands()))
			if kills < 3*servedNights {
				t.Errorf("only %d kills", kills)
			}
		})
	}
}

// TestServedNights: what real harvesters make of changes on servers.
func TestServedNights(t *testing.T) {
	for _, tt := range []struct {
		world func() *served
		stand [servedNights]int
		links map[string][servedNights]bool // which stand
	}{
		{servedSite, [servedNights]int{10, 10, 9, 10, 10}, map[string][servedNights]bool{
			"http://h4.example.org/":      {true, true, false, false, false},
			"http://h5.example.org/":      {true, false, false, false, false},
			"http://new1.example.org/":    {false, true, false, false, false},
			"http://newest.example.org/":  {false, false, false, true, true},
			"http://guides.wells.example": {false, false, false, false, false},
		}},
		{servedCatalogue, [servedNights]int{14, 13, 14, 14, 14}, map[string][servedNights]bool{
			"http://books2.example.org/":  {true, false, false, false, false},
			"http://back.example.org/":    {false, false, true, true, true},
			"http://books3.example.org/":  {true, false, false, false, false},
			"http://changed.example.org/": {false, true, true, true, true},
			"http://books13.example.org/": {true, true, true, true, true},
		}},
	} {
		w, a := tt.world(), newArchive(t)
		root, err := harvest.ParseRoot(w.root)
		if err != nil {
			t.Fatal(err)
		}
		a.root = root
		for night := range servedNights {
			w.night(night)
			now := a.now
			h, err := harvest.New(root, harvesttest.NewWeb(w), harvest.Options{Now: func() time.Time { return now }})
			if err != nil {
				t.Fatal(err)
			}
			sum, err := a.read(h)
			if err != nil || sum.Root.Sweep != 0 || sum.Root.Documents != tt.stand[night] || len(a.stands()) != tt.stand[night] {
				t.Errorf("%s, night %d: %d stand, want %d; %+v, %v; %v", w.root, night, len(a.stands()), tt.stand[night], sum, err, a.stands())
			}
			for url, stands := range tt.links {
				if l, _, err := a.st.Find(url); err != nil || l.Mentions > 0 != stands[night] {
					t.Errorf("%s, night %d: %s stands %d times, %v", w.root, night, url, l.Mentions, err)
				}
			}
		}
	}
}

// eachStep has all that a harvester tells be kept at once, where it may be.
func eachStep(h harvest.Harvester) harvest.Harvester {
	return tells(func(known harvest.Known, yield func(harvest.Item) bool) error {
		mark := known.Mark()
		for item, err := range h.Harvest(context.Background(), known) {
			if err != nil {
				return err
			}
			if item.Kind != harvest.Found && !yield(harvest.Item{Kind: harvest.Marked, Mark: append([]byte{}, mark...)}) {
				return nil
			}
			if item.Mark != nil {
				mark = item.Mark
			}
			if !yield(item) {
				return nil
			}
		}
		return nil
	})
}
