package ingest

import (
	"context"
	"crypto/sha1"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/check/checktest"
	"linkcheck/check/imap"
	"linkcheck/harvest"
	"linkcheck/harvest/harvesttest"
	"linkcheck/internal/lab"
	"linkcheck/internal/lab/labtest"
	"linkcheck/store"
)

// served is a server that changes from night to night, and a root on it.
type served struct {
	root  string
	night func(night int) // changes it
	http.Handler
	mail *lab.Mail // in its place, where root is a mailbox

	reader check.Reader
	beside []string // faults that nothing tells from an answer, as of a text whose length was said
}

// begin has it serve, and gives its root.
func (w *served) begin(t *testing.T) harvest.Root {
	t.Helper()
	if w.reader = harvesttest.NewWeb(w); w.mail != nil {
		mail := imap.New(check.Options{Dialer: checktest.Loopback(), Timeout: 10 * time.Second})
		w.root, w.reader = "imap://"+labtest.Start(t, w.mail.Serve)+"/list", mail.(check.Reader)
		t.Cleanup(func() { mail.Close() })
	}
	root, err := harvest.ParseRoot(w.root)
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// harvester reads it at a time.
func (w *served) harvester(t *testing.T, root harvest.Root, r check.Reader, now time.Time) harvest.Harvester {
	t.Helper()
	if web, is := r.(*harvesttest.Web); is { // which remembers robots.txt for a run
		r = harvesttest.NewWeb(web.Handler)
	}
	h, err := harvest.New(root, r, harvest.Options{Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	return h
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

// servedMailbox is a mailbox in which messages come and go, and are numbered anew.
func servedMailbox() *served {
	mail := &lab.Mail{Mailbox: "list", Validity: 7, Messages: map[uint32]string{}}
	put := func(uid uint32, n int) {
		mail.Messages[uid] = fmt.Sprintf("From: a@wells.example\r\nMessage-ID: <%d@wells.example>\r\nSubject: Letter %d\r\n\r\nhttp://mail%d.example.org/\r\n", n, n, n)
	}
	return &served{mail: mail, beside: []string{"empty", "garbage"}, night: func(night int) {
		mail.Change(func() {
			switch night {
			case 0:
				for n := range 6 {
					put(uint32(n+1), n)
				}
			case 1:
				delete(mail.Messages, 3)
			case 2:
				put(20, 20)
			case 3:
				mail.Validity, mail.Messages = 8, map[uint32]string{}
				for n := range 6 {
					put(uint32(n+3), n)
				}
			}
		})
	}}
}

// servedCrawls is a server of WASAPI whose web archive files come and go.
func servedCrawls() *served {
	names, texts := []string{}, map[string]string{}
	put := func(name, link string) {
		page := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html><body><a href=\"" + link + "\">link</a></body></html>"
		names = append(names, name)
		texts[name] = fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://%s.example.org/\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", name, len(page), page)
	}
	serve := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, isFile := strings.CutPrefix(r.URL.Path, "/files/")
		if isFile {
			fmt.Fprint(w, texts[name])
			return
		}
		from, next := 0, `"http://guides.wells.example/webdata?page=2"`
		if r.URL.Query().Get("page") == "2" {
			from, next = 2, "null"
		}
		var rows []string
		for _, name := range names[from:min(len(names), max(2, 2*from))] {
			rows = append(rows, fmt.Sprintf(`{"filename":%q,"size":%d,"checksums":{"sha1":"%x"},"locations":["http://guides.wells.example/files/%s"]}`, name, len(texts[name]), sha1.Sum([]byte(texts[name])), name))
		}
		fmt.Fprintf(w, `{"count":%d,"next":%s,"files":[%s]}`, len(names), next, strings.Join(rows, ","))
	})
	return &served{root: "wasapi+http://guides.wells.example/webdata", Handler: serve, night: func(night int) {
		switch night {
		case 0:
			for _, name := range []string{"a", "b", "c"} {
				put(name, "http://crawl-"+name+".example.org/")
			}
		case 1:
			names = names[1:]
		case 2:
			put("d", "http://crawl-d.example.org/")
		}
	}}
}

const servedNights = 5

// TestHarvestersKilled has real harvesters read servers into the store, and ends the program
// behind each transaction: what the store holds in the end is what it holds without that.
func TestHarvestersKilled(t *testing.T) {
	for name, world := range map[string]func() *served{"site": servedSite, "catalogue": servedCatalogue, "mailbox": servedMailbox, "crawls": servedCrawls} {
		t.Run(name, func(t *testing.T) {
			w, ref, kills := world(), newArchive(t), 0
			root := w.begin(t)
			ref.root = root
			for night := range servedNights {
				w.night(night)
				now := ref.now
				harvester := func() harvest.Harvester { return w.harvester(t, root, w.reader, now) }
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
		{servedMailbox, [servedNights]int{6, 5, 6, 6, 6}, map[string][servedNights]bool{
			"http://mail1.example.org/":  {true, true, true, true, true},
			"http://mail2.example.org/":  {true, false, false, true, true},
			"http://mail20.example.org/": {false, false, true, false, false},
		}},
		{servedCrawls, [servedNights]int{3, 2, 3, 3, 3}, map[string][servedNights]bool{
			"http://crawl-a.example.org/": {true, false, false, false, false},
			"http://crawl-b.example.org/": {true, true, true, true, true},
			"http://crawl-d.example.org/": {false, false, true, true, true},
		}},
	} {
		w, a := tt.world(), newArchive(t)
		root := w.begin(t)
		a.root = root
		for night := range servedNights {
			w.night(night)
			sum, err := a.read(w.harvester(t, root, w.reader, a.now))
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
