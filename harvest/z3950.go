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
			if err := set.record(recordOf(e.Data, media), media); err != nil {
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
