package harvest_test

import (
	"context"
	"crypto/sha1"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/harvest"
	"linkcheck/harvest/harvesttest"
)

// webArchive is a server of WASAPI in memory, with the files of a collection: name to text.
type webArchive struct {
	names []string
	texts map[string]string
	sums  map[string]string // in place of the right ones
	page  int               // files of a page
	count int               // in place of the right one
	next  string            // in place of the right one, but on the last page
	fails map[string]int    // status of files
	at    string            // host of the files; "": that of the list
	asked []string
}

const archiveAt = "https://partner.example/wasapi/v1/webdata?collection=7"

func (a *webArchive) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name, isFile := strings.CutPrefix(r.URL.Path, "/files/")
	if status := a.fails[name]; isFile && status != 0 {
		w.WriteHeader(status)
		return
	}
	if isFile {
		a.asked = append(a.asked, name)
		w.Header().Set("Content-Type", "application/octet-stream")
		fmt.Fprint(w, a.texts[name])
		return
	}
	if r.URL.Path == "/robots.txt" {
		http.NotFound(w, r)
		return
	}
	n, _ := strconv.Atoi(r.URL.Query().Get("page"))
	a.asked = append(a.asked, "")
	from := min(max(n-1, 0)*a.page, len(a.names))
	to := min(from+a.page, len(a.names))
	page := map[string]any{"count": len(a.names), "next": nil, "previous": nil, "includes-extra": false}
	if a.count != 0 {
		page["count"] = a.count
	}
	if to < len(a.names) {
		page["next"] = fmt.Sprintf("%s&page=%d", archiveAt, max(n, 1)+1)
		if a.next != "" {
			page["next"] = a.next
		}
	}
	files := []map[string]any{}
	for _, name := range a.names[from:to] {
		sum := sha1.Sum([]byte(a.texts[name]))
		host := "partner.example"
		if a.at != "" {
			host = a.at
		}
		words := hex.EncodeToString(sum[:])
		if a.sums[name] != "" {
			words = a.sums[name]
		}
		files = append(files, map[string]any{"filename": name, "filetype": "warc", "size": len(a.texts[name]), "checksums": map[string]string{"sha1": words, "md5": ""},
			"locations": []string{"s3://bucket/" + name, "https://" + host + "/files/" + name}})
	}
	page["files"] = files
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(page)
}

func archiveOf(n int) *webArchive {
	a := &webArchive{texts: map[string]string{}, sums: map[string]string{}, fails: map[string]int{}, page: 3}
	for i := range n {
		name := fmt.Sprintf("A-%d.warc.gz", i)
		a.names, a.texts[name] = append(a.names, name), fmt.Sprintf("a crawl with http://h%d.example/", i)
	}
	return a
}

func TestWASAPISuite(t *testing.T) {
	Run(t, Case{
		Open: func(r check.Reader, now func() time.Time) harvest.Harvester {
			return harvest.NewWASAPI(rootOf(t, "wasapi+"+archiveAt), r, harvest.Options{Now: now})
		},
		World: func() check.Reader { return harvesttest.NewWeb(archiveOf(7)) },
		Empty: func(string) (string, string) { return "application/json", `{"count":0,"next":null,"files":[]}` },
		Again: 4, // the pages and the file at hand
		Endless: map[string]func() check.Reader{"pages": func() check.Reader {
			a := archiveOf(7)
			a.count, a.next = 1<<40, archiveAt+"&page=1"
			return harvesttest.NewWeb(a)
		}},
	})
}

// TestWASAPI: files come, change and go; what is known by its checksum is not asked for.
func TestWASAPI(t *testing.T) {
	for name, c := range map[string]struct {
		change func(a *webArchive)
		files  string // that are asked for in the second night
		stand  int
		ends   string
	}{
		"nothing":                {func(a *webArchive) {}, "", 7, ""},
		"a new file":             {func(a *webArchive) { a.names = append(a.names, "B"); a.texts["B"] = "b" }, "B", 8, ""},
		"one has changed":        {func(a *webArchive) { a.texts["A-2.warc.gz"] = "other" }, "A-2.warc.gz", 7, ""},
		"one is gone":            {func(a *webArchive) { a.names = a.names[1:] }, "", 6, ""},
		"one that is cut":        {func(a *webArchive) { a.names = append(a.names, "B"); a.sums["B"] = strings.Repeat("ab", 20) }, "B", 7, ""},
		"one that is not there":  {func(a *webArchive) { a.names = append(a.names, "B"); a.fails["B"] = 404 }, "", 7, ""},
		"one that is refused":    {func(a *webArchive) { a.names = append(a.names, "B"); a.fails["B"] = 403 }, "", 7, ""},
		"no file":                {func(a *webArchive) { a.names = nil }, "", 7, "broken: no record is found, where there were some"},
		"fewer than are counted": {func(a *webArchive) { a.names = a.names[1:]; a.count = 7 }, "", 7, "incomplete: 6 of 7: make the query narrower"},
		"pages of another": {func(a *webArchive) { a.next = "https://evil.example/page" }, "", 7,
			"broken: the list goes on at https://evil.example/page"},
		"the same page again": {func(a *webArchive) { a.next = archiveAt + "&page=2" }, "", 7,
			"broken: the list goes on at https://partner.example/wasapi/v1/webdata?collection=7&page=2"},
	} {
		a, store := archiveOf(7), harvesttest.Store{}
		h := harvest.NewWASAPI(rootOf(t, "wasapi+"+archiveAt), harvesttest.NewWeb(a), harvest.Options{})
		if err := store.Run(t.Context(), h, 0, false); err != nil || len(store.Standing()) != 7 || len(a.asked) != 3+7 {
			t.Fatalf("%v, %q stand, asked %q", err, store.Standing(), a.asked)
		}
		a.asked = nil
		c.change(a)
		err := store.Run(t.Context(), h, 0, false)
		var files []string
		for _, name := range a.asked {
			if name != "" {
				files = append(files, name)
			}
		}
		ends := ""
		if err != nil {
			ends = err.Error()
		}
		if ends != c.ends || strings.Join(files, " ") != c.files || len(store.Standing()) != c.stand || len(store.Wrong) > 0 {
			t.Errorf("%s: %q, asked %q, %d stand %q; notes %q", name, ends, files, len(store.Standing()), store.Wrong, store.Notes)
		}
	}
}

// TestWASAPIRefused: where five files in a row are refused the others are not asked for.
func TestWASAPIRefused(t *testing.T) {
	a, store := archiveOf(20), harvesttest.Store{}
	for _, name := range a.names {
		a.fails[name] = 401
	}
	web := harvesttest.NewWeb(a)
	err := store.Run(t.Context(), harvest.NewWASAPI(rootOf(t, "wasapi+"+archiveAt), web, harvest.Options{}), 0, false)
	if stop, ok := errors.AsType[*harvest.Stop](err); !ok || stop.Why != harvest.Refused || web.Requests() != 2+5 {
		t.Errorf("%v after %d requests", err, web.Requests())
	}
}

// TestWASAPISecret: the root's secret goes to the root's server alone, wherever the list says
// that files are.
func TestWASAPISecret(t *testing.T) {
	for host, want := range map[string]int{"": 3 + 7, "warcs.example": 3, "partner.example:8443": 3} {
		a, store := archiveOf(7), harvesttest.Store{}
		a.at = host
		web, secret := harvesttest.NewWeb(a), check.Secret{User: "ann", Password: "sesame"}
		var sent, hosts []string
		spy := check.ReadFunc(func(ctx context.Context, t check.Target, w check.Wanted, take func(*check.Answer) error) (check.Result, error) {
			if at, _ := t.URI.Endpoint(); w.Secret == secret {
				sent, hosts = append(sent, t.URI.String()), append(hosts, fmt.Sprintf("%s:%d", at.Host, at.Port))
			}
			return web.Read(ctx, t, w, take)
		})
		root := rootOf(t, "wasapi+"+archiveAt)
		root.Secret = secret
		if err := store.Run(t.Context(), harvest.NewWASAPI(root, spy, harvest.Options{}), 0, false); err != nil || len(store.Standing()) != 7 {
			t.Errorf("%v, %q stand", err, store.Standing())
		}
		if len(sent) != want || len(slices.Compact(hosts)) != 1 || hosts[0] != "partner.example:443" {
			t.Errorf("%q: sent to %q", host, sent)
		}
	}
}
