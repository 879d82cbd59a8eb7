package harvest_test

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/check/checktest"
	"linkcheck/check/web"
	"linkcheck/harvest"
	"linkcheck/harvest/harvesttest"
	"linkcheck/internal/lab"
	"linkcheck/internal/lab/labtest"
)

// overHTTP reads over the loopback.
func overHTTP(t testing.TB) check.Reader {
	p := web.New(web.Options{Options: check.Options{Dialer: checktest.Loopback()}})
	t.Cleanup(func() { p.Close() })
	return p
}

// play serves the recorded sessions of a pattern: to a request that was recorded what was
// answered, to others 404. It returns where.
func play(t *testing.T, pattern string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(labtest.Transcripts(t), "harvest", pattern))
	if err != nil || len(files) == 0 {
		t.Fatalf("no sessions %s, %v", pattern, err)
	}
	answers := map[string]string{}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var asked, said string
		for line := range strings.Lines(string(text)) {
			line = strings.TrimSuffix(line, "\n")
			if target, ok := strings.CutPrefix(line, "C: GET "); ok {
				asked = normal(strings.Fields(target)[0])
			} else if octets, ok := strings.CutPrefix(line, "S: "); ok && octets != "<closes>" {
				said += string(labtest.Unescape(octets))
			}
		}
		answers[asked] = said
	}
	return labtest.Start(t, func(l net.Listener) error {
		return lab.Serve(l, func(c net.Conn) {
			r, err := http.ReadRequest(bufio.NewReader(c))
			if err != nil {
				return
			}
			said, ok := answers[normal(r.RequestURI)]
			if !ok {
				said = "HTTP/1.0 404 Not Found\r\n\r\nnot recorded: " + normal(r.RequestURI)
			}
			c.Write([]byte(said))
		})
	})
}

// normal is a request with its parameters decoded and in order.
func normal(target string) string {
	r := httptest.NewRequest("GET", target, nil)
	var all []string
	for name, values := range r.URL.Query() {
		if part := name + "=" + values[0]; part != "startRecord=1" && part != "recordSchema=marcxml" { // which may be left out
			all = append(all, part)
		}
	}
	slices.Sort(all)
	return r.URL.Path + "?" + strings.Join(all, "&")
}

// TestOAIRecorded reads what a Catmandu provider said.
func TestOAIRecorded(t *testing.T) {
	at := play(t, "oai-*-catmandu.txt")
	for _, test := range []struct{ query, end string }{
		{"?metadataPrefix=marc21", ""},
		{"?metadataPrefix=mods", "not understood: cannotDisseminateFormat: metadataPrefix mods is not supported; there are the formats oai_dc, marc21"},
		{"?metadataPrefix=marc21&set=nosuch", "not understood: badArgument: set does not exist; there are the sets ebooks"},
		{"", ""},
	} {
		root, err := harvest.ParseRoot("oai+http://" + at + "/oai" + test.query)
		if err != nil {
			t.Fatal(err)
		}
		var nights harvesttest.Nights
		var store harvesttest.Store
		err = store.Run(t.Context(), harvest.NewOAI(root, overHTTP(t), harvest.Options{Now: nights.Now}), 0, false)
		if got := fmt.Sprint(err); got != strings.TrimSpace(test.end) && (test.end != "" || err != nil) {
			t.Errorf("%s: it ends with %v", test.query, err)
		}
		var titles []string
		for _, name := range store.Standing() {
			d, _ := store.Document(name)
			titles = append(titles, d.Record+" "+d.Title)
		}
		if want := []string{"wl0001 Universal document identifiers", "wl0002 Uniform resource locators for Z39.50", "wl0004 The Internet Gopher protocol", "wl0005 Wide area information servers & more"}; test.end == "" && !slices.Equal(titles, want) {
			t.Errorf("%s: %q", test.query, titles)
		}
	}
}

// TestOAIStory: a catalogue is down for a week. When it is back, 40 of its records are
// deleted.
func TestOAIStory(t *testing.T) {
	l := wells(t, 400, wellsRoot)
	l.Page = 50
	l.whole(t)
	l.stand(t, 400)
	for night := range 7 {
		l.Nights++
		l.Before = func(*http.Request) http.Handler {
			return []http.Handler{lab.Status(500), lab.Status(503), lab.Status(404), lab.Page("Wells", "We will be back soon."),
				lab.Text("text/xml", "<OAI-PMH/>"), lab.Text("text/xml", `<OAI-PMH><error code="noRecordsMatch"/></OAI-PMH>`), lab.Text("text/html", "")}[night]
		}
		if err := l.night(t); err == nil {
			t.Errorf("night %d of the outage ends whole", night)
		}
		l.stand(t, 400)
	}
	l.Before = nil
	l.Nights++
	for i := range 40 {
		l.Records[10*i].Deleted, l.Records[10*i].Date = true, l.Nights.Now()
	}
	l.whole(t)
	l.stand(t, 360)
	if _, doubts := l.Whole(); doubts != 0 {
		t.Errorf("%d doubts", doubts)
	}
}

// model is what is true of the records of a repository.
type model struct {
	*repository
	random *rand.Rand
	truth  map[int]string // number to edition; "": deleted or vanished
}

func (m *model) index(n int) int {
	id := record(n, time.Time{}, "").ID
	return slices.IndexFunc(m.Records, func(r lab.CatalogueRecord) bool { return r.ID == id })
}

// day changes a repository as its librarians do in a day.
func (m *model) day() {
	for range m.random.IntN(8) {
		n := m.random.IntN(len(m.truth) + 3)
		edition, i := strconv.Itoa(m.random.Int()), m.index(n)
		at := m.repository.OAI.Now().Add(-time.Duration(m.random.IntN(20)) * time.Hour)
		switch chance := m.random.IntN(20); {
		case i < 0:
			m.Records = append(m.Records, record(n, at, edition))
		case chance == 0: // vanishes without a word
			m.Records, edition = slices.Delete(m.Records, i, i+1), ""
		case chance < 4:
			m.Records[i].Deleted, m.Records[i].Date, edition = true, at, ""
		default:
			m.Records[i] = record(n, at, edition)
		}
		m.truth[n] = edition
	}
}

// weather is how a repository fails in a night; nil: it does not.
func (m *model) weather() func(*http.Request) http.Handler {
	if m.random.IntN(3) > 0 {
		return nil
	}
	from, n := 1+m.random.IntN(8), 0
	how := []http.Handler{lab.Status(500), lab.Status(503, "Retry-After", "86400"), lab.Status(403), lab.Text("text/xml", "<OAI-PMH><ListRecords><record>"),
		lab.Page("Sorry", "Out of order"), lab.Text("text/xml", `<OAI-PMH><error code="badResumptionToken"/></OAI-PMH>`)}[m.random.IntN(6)]
	return func(*http.Request) http.Handler {
		if n++; n >= from && n < from+4 {
			return how
		}
		return nil
	}
}

// wrongly says whether a document is in the repository that is told to be gone.
func (m *model) wrongly(i harvest.Item) bool {
	return i.Kind == harvest.Gone && slices.ContainsFunc(m.Records, func(r lab.CatalogueRecord) bool {
		return !r.Deleted && strings.HasSuffix(i.Doc.Name, url.QueryEscape(r.ID))
	})
}

// needed is how many requests a careful harvester makes for what was asked.
func (m *model) needed(asked []string) (n int) {
	for _, q := range asked {
		v, _ := url.ParseQuery(q)
		size := 1
		if v.Has("from") && !v.Has("until") || v.Get("verb") == "ListIdentifiers" && !v.Has("resumptionToken") {
			size = 0
			for _, r := range m.Records {
				if r.Date.UTC().Format(time.RFC3339) >= v.Get("from") {
					size++
				}
			}
		} else if v.Has("resumptionToken") || v.Has("until") {
			size = 0
		}
		n += (size + m.Page - 1) / m.Page
		if v.Has("from") && size == 0 {
			n++ // to hear that there is nothing
		}
	}
	return n
}

// TestOAIModel: nights of a repository whose records appear, change and vanish, and that
// fails every third night.
func TestOAIModel(t *testing.T) {
	const repositories, nights = 20, 60
	var told struct{ wrong, twice, requests, needed, records int }
	for seed := range uint64(repositories) {
		m := &model{repository: wells(t, 0, wellsRoot), random: rand.New(rand.NewPCG(seed, 1)), truth: map[int]string{}}
		m.Page, m.Days = 10, seed%2 == 1
		m.watch = func(i harvest.Item) {
			if m.wrongly(i) {
				told.wrong++
			}
		}
		for range 40 {
			m.day()
		}
		quiet := false
		for range nights {
			m.Nights++
			m.day()
			m.Before = m.weather()
			err := m.night(t)
			asked := m.Asked()
			if m.Before == nil {
				told.twice += len(asked) - len(slices.Compact(slices.Sorted(slices.Values(asked))))
			}
			if quiet && m.Before == nil && err == nil { // it goes on with nothing
				told.requests += len(asked)
				told.needed += m.needed(asked)
			}
			quiet = err == nil
		}
		m.Nights, m.Before = m.Nights+100, nil
		m.whole(t)
		told.records += m.settled(t, seed)
	}
	t.Logf("%d repositories, %d nights each, %d records at the end: %d wrongly told gone, %d requests twice in a fair night, %d requests where %d are needed",
		repositories, nights, told.records, told.wrong, told.twice, told.requests, told.needed)
	if told.wrong > 0 || told.twice > 0 || told.requests > told.needed*102/100 || told.needed == 0 {
		t.Error("that is too much")
	}
}

// settled compares what is kept with what is true.
func (m *model) settled(t *testing.T, seed uint64) int {
	report, stand := m.Report(), 0
	for n, edition := range m.truth {
		if edition == "" {
			continue
		}
		if stand++; !strings.Contains(report, fmt.Sprintf("/%d/%s<", n, edition)) {
			t.Errorf("seed %d: record %d is not kept as it is", seed, n)
		}
	}
	m.stand(t, stand)
	return stand
}

// BenchmarkOAI harvests from the loopback at 100 records a page, without a gap.
func BenchmarkOAI(b *testing.B) {
	for _, n := range []int{100_000, 1_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			at := labtest.Start(b, func(l net.Listener) error { return lab.HTTP(l, manyRecords(n)) })
			root, err := harvest.ParseRoot("oai+http://" + at + "/oai?metadataPrefix=marc21")
			if err != nil {
				b.Fatal(err)
			}
			var peak uint64
			for b.Loop() {
				read := 0
				for item, err := range harvest.NewOAI(root, overHTTP(b), harvest.Options{}).Harvest(b.Context(), marked{}) {
					if err != nil {
						b.Fatal(err)
					}
					switch item.Kind {
					case harvest.Read:
						if _, err := io.Copy(io.Discard, item.Body); err != nil {
							b.Fatal(err)
						}
						read++
					case harvest.Marked:
						if read%(n/20) == 0 {
							var m runtime.MemStats
							runtime.ReadMemStats(&m)
							peak = max(peak, m.Sys-m.HeapReleased)
						}
					}
				}
				if read != n {
					b.Fatalf("%d records", read)
				}
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "records/s")
			b.ReportMetric(float64(peak)/1e6, "MB-of-memory")
		})
	}
}

// manyRecords is a repository of n records.
func manyRecords(n int) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		if q.Get("verb") == "Identify" {
			media, body := emptyOAI("verb=Identify")
			lab.Text(media, body)(w, r)
			return
		}
		from, _ := strconv.Atoi(q.Get("resumptionToken"))
		w.Header().Set("Content-Type", "text/xml")
		b := bufio.NewWriterSize(w, 1<<16)
		defer b.Flush()
		b.WriteString(`<?xml version="1.0" encoding="UTF-8"?><OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><responseDate>2026-03-01T03:00:00Z</responseDate><ListRecords>`)
		for i := from; i < from+100; i++ {
			fmt.Fprintf(b, `<record><header><identifier>oai:wells.example:wl%07d</identifier><datestamp>2026-01-05T12:00:00Z</datestamp><setSpec>ebooks</setSpec></header><metadata>`+marcRecord+"</metadata></record>\n", i, i, i, i, "x")
		}
		token := strconv.Itoa(from + 100)
		if from+100 >= n {
			token = ""
		}
		fmt.Fprintf(b, `<resumptionToken completeListSize="%d">%s</resumptionToken></ListRecords></OAI-PMH>`, n, token)
	})
}
