package store

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"linkcheck/store/facts"
	"linkcheck/store/internal/boltfile"
	"linkcheck/store/internal/codec"
	"linkcheck/store/internal/under"
)

// mustAdd takes a step of a reading.
func mustAdd(t testing.TB, in *Ingest, st Step) {
	t.Helper()
	if err := in.Add(st); err != nil {
		t.Fatal(err)
	}
}

func beginAt(t testing.TB, s *Store, at time.Time) *Ingest {
	t.Helper()
	in, err := s.BeginIngest(at)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func finish(t testing.TB, in *Ingest) facts.IngestCounts {
	t.Helper()
	sum, err := in.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

// document is what a step holds of a document that was read whole.
func document(root *Root, name string, urls ...string) (Source, *Batch) {
	var list []Mention
	for _, u := range urls {
		list = append(list, Mention{Collection: root.Name, Nth: 1, Raw: u, URL: u, How: "href"})
	}
	b := Prepare(name, list, nil)
	b.Remote = root.Number
	return Source{Remote: root.Number, Path: name, Version: "v1", Media: "text/html", Options: "0011223344556677", Hash: []byte(name), Size: 7, Mentions: len(list)}, b
}

// harvested makes a store with two roots, one inside of the other.
func harvested(t testing.TB) (s *Store, site, guides *Root) {
	s = openTest(t)
	in := beginAt(t, s, epoch)
	site, guides = &Root{URI: "https://www.example.net/", Name: "Site", Kind: "web"}, &Root{URI: "https://www.example.net/guides/", Name: "Guides", Mark: []byte{1}}
	mustAdd(t, in, Step{Root: site})
	mustAdd(t, in, Step{Root: guides})
	for _, r := range []*Root{site, guides} {
		r.Sweep = in.Reading
		src, batch := document(r, "https://www.example.net/guides/", "http://a.example.org/", "http://b.example.org/")
		other, of := document(r, "https://www.example.net/guides/2", "http://a.example.org/")
		mustAdd(t, in, Step{Root: r, Batches: []*Batch{batch, of}, Whole: []Source{src, other},
			Found: []Source{{Remote: r.Number, Path: "https://www.example.net/guides/3", Depth: 2, Version: "listed"}}})
	}
	finish(t, in)
	mustVerify(t, s)
	return s, site, guides
}

// names are those of sources, with what is known of them.
func names(t testing.TB, in *Ingest, root *Root) (list []string) {
	t.Helper()
	for _, src := range collect(t, in.s.Under(root.Number)) {
		word := src.Path[strings.LastIndex(src.Path, "/")+1:]
		if src.Read != 0 {
			word += "+"
		}
		if !src.Gone.IsZero() {
			word += "-"
		}
		if src.Noted != 0 {
			word += "?"
		}
		list = append(list, word)
	}
	return list
}

// Documents of roots are known by root and name, and come in the order in which they were
// last met, those that were only found behind them.
func TestRoots(t *testing.T) {
	s, site, guides := harvested(t)
	roots, err := s.Roots()
	if err != nil || len(roots) != 2 || roots[0].URI != site.URI || roots[1].Sweep != guides.Sweep || string(roots[1].Mark) != "\x01" || roots[1].Number != 2 {
		t.Fatalf("%+v, %v", roots, err)
	}
	if all := collect(t, s.Sources()); len(all) != 4 || all[3].Collection != "Guides" || all[3].Root != guides.URI || all[3].Remote != guides.Number {
		t.Errorf("sources: %+v", all)
	}
	e := explainURL(t, s, "http://b.example.org/")
	if len(e.Mentions) != 2 || e.Mentions[0].Remote != guides.Number || e.Mentions[1].Remote != site.Number || e.Mentions[1].Nth != 1 {
		t.Errorf("mentions: %+v", e.Mentions)
	}
	in := beginAt(t, s, epoch.Add(day))
	first, _, err := in.Known(site.Number, "https://www.example.net/guides/")
	if err != nil || first.Version != "v1" || first.Media != "text/html" || first.Options != "0011223344556677" || first.Read != guides.Sweep || !first.ModTime.IsZero() {
		t.Errorf("%+v, %v", first, err)
	}
	if _, found, err := in.Known(0, first.Path); found || err != nil {
		t.Errorf("a document is no file: %v, %v", found, err)
	}
	mustAdd(t, in, Step{Same: []Source{first}})
	if got := names(t, in, site); !slices.Equal(got, []string{"2+", "+", "3"}) {
		t.Errorf("in order: %q", got)
	}
	mustAdd(t, in, Step{Found: []Source{{Remote: site.Number, Path: "https://www.example.net/guides/2", Version: "x"}}})
	if src, found, err := in.Known(site.Number, "https://www.example.net/guides/2"); !found || err != nil || src.Version != "v1" {
		t.Errorf("found again: %+v, %v", src, err)
	}
	if src, _, _ := in.Known(site.Number, "https://www.example.net/guides/3"); src.Version != "listed" || src.Depth != 2 || src.Read+src.Asked != 0 {
		t.Errorf("only found: %+v", src)
	}
	if err := in.Add(Step{Found: []Source{{Remote: 9, Path: "x"}}}); err == nil {
		t.Error("a document of no root is taken")
	}
	mustVerify(t, s)
}

func explainURL(t testing.TB, s *Store, url string) Explanation {
	t.Helper()
	l, found, err := s.Find(url)
	if !found || err != nil {
		t.Fatalf("%s: %v, %v", url, found, err)
	}
	return explain(t, s, l.ID)
}

// What is noted stays, and what is gone is retired, in its own root alone.
func TestNotedAndGone(t *testing.T) {
	s, site, guides := harvested(t)
	in := beginAt(t, s, epoch.Add(day))
	second := Source{Remote: site.Number, Path: "https://www.example.net/guides/2", Noted: 1, NotedAt: in.Now}
	mustAdd(t, in, Step{Noted: []Source{second}})
	if sum := finish(t, in); sum.Retired != 0 {
		t.Errorf("noted: %+v", sum)
	}
	if got := names(t, in, site); !slices.Equal(got, []string{"+", "2+?", "3"}) {
		t.Errorf("noted: %q", got)
	}
	in = beginAt(t, s, epoch.Add(2*day))
	mustAdd(t, in, Step{Gone: []Source{second}})
	if sum := finish(t, in); sum.Retired != 1 {
		t.Errorf("gone: %+v", sum)
	}
	if got, others := names(t, in, site), names(t, in, guides); !slices.Equal(got, []string{"+", "2+-", "3"}) || !slices.Equal(others, []string{"+", "2+", "3"}) {
		t.Errorf("gone: %q, %q", got, others)
	}
	in = beginAt(t, s, epoch.Add(3*day))
	src, batch := document(site, second.Path, "http://a.example.org/")
	mustAdd(t, in, Step{Whole: []Source{src}, Batches: []*Batch{batch}})
	if sum := finish(t, in); sum.Returned != 1 || sum.New != 0 {
		t.Errorf("back: %+v", sum)
	}
	mustVerify(t, s)
	in = beginAt(t, s, epoch.Add(4*day))
	mustAdd(t, in, Step{Gone: []Source{src}})
	finish(t, in)
	if p, err := s.Prune(t.Context(), epoch.Add(10*day)); err != nil || p.Sources != 1 || p.Mentions != 1 {
		t.Errorf("pruned: %+v, %v", p, err)
	}
	if got := names(t, in, site); !slices.Equal(got, []string{"+", "3"}) {
		t.Errorf("pruned: %q", got)
	}
	mustVerify(t, s)
}

// A step that is done twice is as if it was done once.
func TestStepTwice(t *testing.T) {
	s, site, _ := harvested(t)
	in := beginAt(t, s, epoch.Add(day))
	src, batch := document(site, "https://www.example.net/guides/3", "http://c.example.org/")
	src.Hash = []byte("other")
	gone := Source{Remote: site.Number, Path: "https://www.example.net/guides/2"}
	step := Step{Root: site, Whole: []Source{src}, Found: []Source{{Remote: site.Number, Path: "https://www.example.net/guides/4"}}, Gone: []Source{gone}}
	var once string
	for range 2 {
		step.Batches = []*Batch{batch}
		mustAdd(t, in, step)
		_, batch = document(site, src.Path, "http://c.example.org/")
		twice := exported(t, s)
		if once != "" && once != twice {
			t.Errorf("twice:\n%s\nonce:\n%s", twice, once)
		}
		once = twice
	}
	if sum := finish(t, in); sum.New != 1 || sum.Retired != 1 {
		t.Errorf("%+v", sum)
	}
	mustVerify(t, s)
}

// Lines of a page that is made anew each night move, and its links stay what they are
// (HARVEST section 4).
func TestMovingLines(t *testing.T) {
	s, site, _ := harvested(t)
	for night := range 90 {
		in := beginAt(t, s, epoch.Add(time.Duration(night)*day))
		var list []Mention
		for i := range 100 {
			u := fmt.Sprintf("http://a.example.org/%d", i/2)
			list = append(list, Mention{Collection: site.Name, Line: i + night, Column: 1 + night, Nth: 1 + i%2, Raw: u, URL: u})
		}
		b := Prepare("https://www.example.net/news", list, nil)
		b.Remote = site.Number
		mustAdd(t, in, Step{Batches: []*Batch{b}, Whole: []Source{{Remote: site.Number, Path: "https://www.example.net/news", Hash: []byte{byte(night)}}}})
		if sum := finish(t, in); sum.New+sum.Retired > 0 && night > 0 {
			t.Fatalf("night %d: %+v", night, sum)
		}
	}
	if st, err := s.Stats(); err != nil || st.Mentions != 6+100 || st.Retired != 0 {
		t.Errorf("%+v, %v", st, err)
	}
	if m := explainURL(t, s, "http://a.example.org/7").Mentions; len(m) != 2 || m[0].Line != 14+89 || m[0].Column != 90 {
		t.Errorf("shown is where they stand: %+v", m)
	}
}

// A link that is not in its final place yet is found, and of one that vanished nothing stands.
func TestFindLinked(t *testing.T) {
	s, site, _ := harvested(t)
	in := beginAt(t, s, epoch.Add(day))
	src, batch := document(site, "https://www.example.net/guides/", "http://new.example.org/")
	mustAdd(t, in, Step{Batches: []*Batch{batch}, Whole: []Source{src}})
	for address, want := range map[string]bool{"http://new.example.org": true, "HTTP://A.example.org:80/": true, "http://b.example.org/": true, "http://none.example.org/": false} {
		if l, found, err := s.Find(address); (found && l.Mentions > 0) != want || err != nil {
			t.Errorf("%s: %v, %v, %v", address, l.Mentions, found, err)
		}
	}
	in = beginAt(t, s, epoch.Add(2*day))
	mustAdd(t, in, Step{Gone: []Source{src}})
	finish(t, in)
	if l, found, err := s.Find("http://new.example.org/"); !found || l.Mentions > 0 || err != nil {
		t.Errorf("vanished: %v, %v, %v", l.Mentions, found, err)
	}
}

// Another name of a root is another collection of its mentions, and no news.
func TestRenamedRoot(t *testing.T) {
	s, site, guides := harvested(t)
	in := beginAt(t, s, epoch.Add(day))
	n, err := in.Move(t.Context(), func(src *Source) bool {
		src.Collection, src.Path = "Pages", src.Path+"x"
		return src.Remote == site.Number
	})
	if n != 3 || err != nil {
		t.Fatal(n, err)
	}
	site.Name = "Pages"
	src, batch := document(site, "https://www.example.net/guides/", "http://a.example.org/", "http://b.example.org/")
	mustAdd(t, in, Step{Root: site, Batches: []*Batch{batch}, Whole: []Source{src}})
	if sum := finish(t, in); sum.New+sum.Retired+sum.Returned != 0 || sum.Mentions != 2 {
		t.Errorf("%+v", sum)
	}
	m := explainURL(t, s, "http://b.example.org/").Mentions
	if len(m) != 2 || m[0].Collection != guides.Name || m[1].Collection != "Pages" || m[1].Path != src.Path {
		t.Errorf("%+v", m)
	}
	mustVerify(t, s)
}

// Documents whose names have one hash stand in one row, and are told apart.
func TestNamesOfOneHash(t *testing.T) {
	s, site, _ := harvested(t)
	err := s.file.Update(func(tx *boltfile.Tx) error {
		one, _, err := documentByName(tx, site.Number, "https://www.example.net/guides/")
		if err != nil {
			return err
		}
		b, key := tx.Bucket(bucketUnder), under.Key(site.Number, "https://www.example.net/guides/2")
		both := append(codec.Key32(one.id), b.Get(key)...)
		if err := b.Put(key, both); err != nil {
			return err
		}
		two, found, err := documentByName(tx, site.Number, "https://www.example.net/guides/2")
		if !found || err != nil || two.Path != "https://www.example.net/guides/2" {
			t.Errorf("%+v, %v", two, err)
		}
		if err := unfileDocument(tx, &two); err != nil || !slices.Equal(b.Get(key), codec.Key32(one.id)) {
			t.Errorf("left: %x, %v", b.Get(key), err)
		}
		return os.ErrClosed
	})
	if err != os.ErrClosed {
		t.Fatal(err)
	}
}

// An export holds roots and their documents, and a masked one without secrets.
func TestExportRoots(t *testing.T) {
	s, site, _ := harvested(t)
	in := beginAt(t, s, epoch.Add(day))
	hidden := Source{Remote: site.Number, Path: "https://www.example.net/x?token=verysecret", Noted: 1, NotedAt: in.Now}
	mustAdd(t, in, Step{Noted: []Source{hidden}})
	text := exported(t, s)
	other := openTest(t)
	if whole, err := other.Import(t.Context(), strings.NewReader(text)); !whole || err != nil {
		t.Fatal(whole, err)
	}
	mustVerify(t, other)
	if again := exported(t, other); again != text {
		t.Errorf("imported it is\n%s\nwant\n%s", again, text)
	}
	if strings.Contains(text, `"raw":`) && !strings.Contains(text, `"table":"meta"`) {
		t.Errorf("rows that are not readable:\n%s", text)
	}
	next := beginAt(t, other, epoch.Add(2*day))
	if next.Reading <= in.Reading {
		t.Errorf("reading %d follows %d", next.Reading, in.Reading)
	}
	var masked strings.Builder
	if err := s.Export(t.Context(), &masked, true); err != nil || strings.Contains(masked.String(), "verysecret") {
		t.Errorf("masked: %v\n%s", err, masked.String())
	}
	third := openTest(t)
	if _, err := third.Import(t.Context(), strings.NewReader(masked.String())); err != nil {
		t.Fatal(err)
	}
	mustVerify(t, third)
}

// A store of schema 6 gets the buckets of roots when it is opened.
func TestSchemaWithoutRoots(t *testing.T) {
	path := filepath.Join(t.TempDir(), "old.db")
	s, err := Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	lived(t, s)
	want := rowsOf(exported(t, s))
	err = s.file.Update(func(tx *boltfile.Tx) error {
		for _, name := range [][]byte{bucketRoot, bucketUnder} {
			if err := tx.DropBucket(name); err != nil {
				return err
			}
		}
		return tx.Bucket(bucketMeta).Put(metaSchema, codec.Key64(6))
	})
	if err == nil {
		err = s.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, readOnly := range []bool{true, false} {
		if s, err = Open(path, &Options{ReadOnly: readOnly}); err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		mustVerify(t, s)
		if got := rowsOf(exported(t, s)); got != want {
			t.Errorf("it holds\n%s\nwant\n%s", got, want)
		}
		if readOnly {
			s.Close()
		}
	}
	mustAdd(t, beginAt(t, s, epoch), Step{Root: &Root{URI: "https://www.example.net/", Name: "Site"}})
	mustVerify(t, s)
}

// A record of a catalogue, whose name is about a hundred octets long, is 300 in the file at
// most (HARVEST section 13).
func TestRecordsAreSmall(t *testing.T) {
	const records, most = 40_000, 300
	s := openTest(t)
	before := sizeOf(s.Path())
	in := beginAt(t, s, epoch)
	root := &Root{URI: "oai+https://catalogue.wells.example/oai", Name: "E-books"}
	mustAdd(t, in, Step{Root: root})
	for from := 0; from < records; from += 2000 {
		var whole []Source
		for i := range 2000 {
			name := fmt.Sprintf("https://catalogue.wells.example/oai?verb=GetRecord&metadataPrefix=marc21&identifier=oai:%07d", from+i)
			if len(name) != 95 {
				t.Fatal(len(name))
			}
			whole = append(whole, Source{Remote: root.Number, Path: name, Version: "2026-01-05T12:00:00Z", Options: "0011223344556677",
				Hash: []byte(name)[79:], Size: 2000, Mentions: 2})
		}
		mustAdd(t, in, Step{Root: root, Whole: whole})
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	each := (sizeOf(s.Path()) - before) / records
	t.Logf("%d octets each", each)
	if each > most {
		t.Errorf("%d octets each, at most %d are wanted", each, most)
	}
}
