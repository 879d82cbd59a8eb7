package harvest

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"strconv"
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
		page, err := records.ReadSRU(a.Body, func(r *records.Record) bool {
			told = set.record(r, recordMedia)
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
