package harvest

import (
	"cmp"
	"context"
	"errors"
	"io"
	"iter"
	"net/url"
	"strconv"
	"strings"
	"time"

	"linkcheck/check"
	"linkcheck/harvest/records"
	"linkcheck/uri"
)

const (
	usualVersion = "1.1"
	usualQuery   = "cql.allRecords=1"
	usualSchema  = "marcxml"
	usualPortion = "50"

	noSuchSchema = "66" // diagnostics of SRU 1.1
	pastTheEnd   = "61"
)

// NewSRU makes the harvester of what a query finds on a server of SRU 1.1, 1.2 or 2.0. The
// query of the root's URI may name version, query, recordSchema and maximumRecords; its
// other parameters are sent as they are.
func NewSRU(root Root, r check.Reader, o Options) Harvester {
	if o.Now == nil {
		o.Now = time.Now
	}
	base, given := address(&root, "version", "operation", "query", "recordSchema", "startRecord", "maximumRecords")
	return &sru{catalogue: catalogue{root: root, reader: r, now: o.Now, protocol: "SRU"}, base: base,
		version: cmp.Or(given["version"], usualVersion), query: cmp.Or(root.Query, given["query"], usualQuery),
		schema: cmp.Or(root.Format, given["recordSchema"]), size: cmp.Or(given["maximumRecords"], usualPortion)}
}

type sru struct {
	catalogue
	base, version, query string
	schema               string // "": the usual one, where there is one
	size                 string // records of a portion
}

// Harvest implements [Harvester].
func (s *sru) Harvest(ctx context.Context, known Known) iter.Seq2[Item, error] {
	return search(ctx, &s.catalogue, s, known)
}

func (s *sru) portion(set *resultSet) (p portion, err error) {
	schema := s.schema
	if schema == "" && !set.mark.Other {
		schema = usualSchema
	}
	err = s.ask(set.ctx, request(s.base, "version", s.version, "operation", "searchRetrieve", "query", s.query,
		"startRecord", strconv.Itoa(set.mark.Start), "maximumRecords", s.size, "recordSchema", schema), s.wanted(), func(a *check.Answer) error {
		var told error
		n := 0
		page, err := records.ReadSRU(a.Body, func(r *records.Record) bool {
			n++
			told = set.record(r, recordMedia, set.mark.Start+n-1)
			return told == nil
		})
		p = portion{page.Count, page.Records, page.Diagnostics}
		if err == nil && p.Count < 0 && len(p.Faults) == 0 {
			err = errors.New("it has no numberOfRecords")
		}
		return cmp.Or(told, err)
	})
	return p, err
}

func (s *sru) otherwise(m *setMark, faults []records.Fault) bool {
	other := !m.Other && s.schema == "" && faults[0].Code == noSuchSchema
	m.Other = m.Other || other
	return other
}

func (*sru) isEnd(f records.Fault) bool { return f.Code == pastTheEnd }

const (
	recordMARC  = "application/marc"
	z3950Size   = 100   // records of a portion
	otherSyntax = "xml" // where a server has none of USmarc
)

// NewZ3950 makes the harvester of what a query finds in a database of Z39.50. The query is
// one in prefix notation (Root.Query); without one it is all that have a control number.
// The root's URI may name an element set and record syntaxes.
func NewZ3950(root Root, r check.Reader, o Options) Harvester {
	if o.Now == nil {
		o.Now = time.Now
	}
	return &z3950{catalogue{root: root, reader: r, now: o.Now, protocol: "Z39.50"}}
}

type z3950 struct{ catalogue }

// Harvest implements [Harvester].
func (z *z3950) Harvest(ctx context.Context, known Known) iter.Seq2[Item, error] {
	return search(ctx, &z.catalogue, z, known)
}

func (z *z3950) portion(set *resultSet) (p portion, err error) {
	address := z.root.Address()
	if syntax := cmp.Or(z.root.Format, map[bool]string{true: otherSyntax}[set.mark.Other]); syntax != "" && !strings.Contains(address, ";rs=") {
		address += ";rs=" + url.PathEscape(syntax)
	}
	wanted := check.Wanted{Query: z.root.Query, After: strconv.Itoa(set.mark.Start - 1), Most: z3950Size, MaxBytes: records.MaxPage, Secret: z.root.Secret}
	err = z.ask(set.ctx, address, wanted, func(a *check.Answer) error {
		p = portion{}
		if p.Count, err = strconv.Atoi(a.Version); err != nil || a.Entries == nil {
			return errors.New("it has no number of records")
		}
		media := cmp.Or(a.Media, recordMARC)
		for e, err := range a.Entries {
			if err != nil {
				_, lost := lostBy(err)
				return torn{err, lost}
			}
			p.Came++
			if err := set.record(recordOf(e.Data, media), media, set.mark.Start+p.Came-1); err != nil {
				return err
			}
		}
		return nil
	})
	stop := (*Stop)(nil)
	if code, ok := strings.CutPrefix(string(z.last.Reason), "z3950-"); ok && errors.As(err, &stop) && stop.Why == NotThis {
		text := strings.TrimSpace(strings.TrimPrefix(z.last.Reply, "diagnostic "+code))
		return portion{Count: set.mark.Count, Faults: []records.Fault{{Code: code, Text: text}}}, nil
	}
	return p, err
}

// recordOf reads what a record says of itself.
func recordOf(data []byte, media string) *records.Record {
	r := &records.Record{Body: data}
	switch {
	case data == nil:
	case media == recordMedia:
		r.Body, r.Facts = records.Alone(data)
	default:
		r.Facts = records.MARC(data)
	}
	return r
}

// otherwise: Bib-1 diagnostics 238 and 239 say that the syntax is not there, 227 no data in
// it.
func (z *z3950) otherwise(m *setMark, faults []records.Fault) bool {
	switch faults[0].Code {
	case "227", "238", "239":
		other := !m.Other && z.root.Format == "" && !strings.Contains(z.root.Address(), ";rs=")
		m.Other = m.Other || other
		return other
	}
	return false
}

// isEnd: 13 is a place out of range.
func (*z3950) isEnd(f records.Fault) bool { return f.Code == "13" }

// largestFile is how many octets of a web archive file are read (HARVEST section 9).
const largestFile = 1 << 30

// NewWASAPI makes the harvester of web archive files that a server lists by WASAPI. The query
// of the root's URI says which. A file that is known by its checksum is not asked for again.
func NewWASAPI(root Root, r check.Reader, o Options) Harvester {
	if o.Now == nil {
		o.Now = time.Now
	}
	return &wasapi{catalogue: catalogue{root: root, reader: r, now: o.Now, protocol: "WASAPI"}}
}

type wasapi struct {
	catalogue
	health  health
	next    string // the address of the next page
	refused int    // files one after the other: maxInRow of them are a refusal of all
}

// Harvest implements [Harvester].
func (w *wasapi) Harvest(ctx context.Context, known Known) iter.Seq2[Item, error] {
	run := &wasapi{catalogue: w.catalogue}
	return search(ctx, &run.catalogue, run, unmarked{known})
}

// unmarked has each run begin the list anew: its pages are short, and of a list that was read in
// one run it is known what is gone.
type unmarked struct{ Known }

// Mark implements Known.
func (unmarked) Mark() []byte { return nil }

func (w *wasapi) portion(set *resultSet) (p portion, err error) {
	m := &set.mark
	if p.Count = m.Count; m.Start > 1 && w.next == "" { // it was the last
		return p, w.health.tellHeld(set.tell)
	}
	var page *records.WASAPI
	wanted := check.Wanted{NoRobots: true, MaxBytes: records.MaxPage, Secret: w.root.Secret}
	err = w.ask(set.ctx, cmp.Or(w.next, w.root.Address()), wanted, func(a *check.Answer) (err error) {
		page, err = records.ReadWASAPI(a.Body)
		return err
	})
	switch {
	case err != nil:
		return p, notTorn(err)
	case page.Next != "" && (page.Next == w.next || !sameServer(page.Next, w.root.Address())):
		return p, set.stop(Broken, "the list goes on at "+quoted(page.Next))
	}
	for i := range page.Files {
		if err := w.file(set, &page.Files[i]); err != nil {
			return p, err
		}
	}
	w.next = page.Next
	return portion{Count: page.Count, Came: len(page.Files)}, w.health.tellHeld(set.tell)
}

// sameServer says whether two addresses have scheme, host and port in common.
func sameServer(a, b string) bool {
	x, errX := url.Parse(a)
	y, errY := url.Parse(b)
	return errX == nil && errY == nil && x.Scheme == y.Scheme && strings.EqualFold(x.Host, y.Host)
}

// file asks for a file that is not known. The root's secret is for the root's own server.
func (w *wasapi) file(set *resultSet, f *records.WebFile) error {
	d := Document{Name: w.root.URI + "#" + url.QueryEscape(f.Name), Version: f.Version(), Media: "application/warc"}
	known, _ := set.known.Document(d.Name)
	if wanted, err := set.wants(&d); !wanted || known.Asked || err != nil { // in an earlier run of the sweep
		return err
	}
	item := Item{Kind: Failed, Doc: Document{Name: d.Name}, Note: "no address of the web is given for it"}
	for _, location := range f.Locations {
		u, err := uri.Parse(location)
		if err != nil || u.Scheme() != "https" && u.Scheme() != "http" {
			continue
		}
		if set.known.Enough() {
			return errEnded
		}
		wanted := check.Wanted{NoRobots: true, MaxBytes: largestFile}
		if sameServer(location, w.root.Address()) {
			wanted.Secret = w.root.Secret
		}
		taken := false
		res, err := w.reader.Read(set.ctx, check.Target{URI: u}, wanted, func(a *check.Answer) error {
			taken, w.refused = true, 0
			if err := w.health.up(set.tell); err != nil {
				return err
			}
			body := f.Checked(a.Body)
			if a.Cut {
				body = io.MultiReader(a.Body, failing{errCut})
			}
			return set.tell(Item{Kind: Read, Doc: d, Body: body})
		})
		away := (*check.Elsewhere)(nil)
		switch {
		case set.ctx.Err() != nil:
			return set.ctx.Err()
		case errors.As(err, &away):
			item.Note = "moved to " + quoted(away.To.String())
			continue
		case err != nil || taken:
			return err
		}
		item.Heard, item.Note = res, words(&res)
		switch {
		case isResting(&res):
			return &Stop{Why: Resting, Text: words(&res), Until: w.now().Add(cmp.Or(res.RetryAfter, maxWait))}
		case isDown(&res):
			return w.health.down(item)
		case isRefused(&res):
			if w.refused++; w.refused == maxInRow {
				return &Stop{Why: Refused, Text: words(&res)}
			}
		}
	}
	return cmp.Or(w.health.up(set.tell), set.tell(item))
}

func (*wasapi) otherwise(*setMark, []records.Fault) bool { return false }

func (*wasapi) isEnd(records.Fault) bool { return false }
