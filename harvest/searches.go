package harvest

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"net/url"
	"strconv"
	"strings"
	"time"

	"linkcheck/check"
	"linkcheck/harvest/records"
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
