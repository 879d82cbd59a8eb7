package harvest

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strings"
	"time"

	"linkcheck/check"
	"linkcheck/harvest/records"
)

const (
	formatsEvery = 30 * 24 * time.Hour
	fullEvery    = 90 * 24 * time.Hour
	fullAgain    = 7 * 24 * time.Hour // behind a full list that was not whole
	mostFaults   = 20                 // of lists, before one is whole
	mostTries    = 2                  // sweeps in which a window is not whole
	shownNames   = 20                 // formats or sets in a message
	oldest       = 1970               // year of a datestamp
)

// oaiNamespaces are those of the formats that are wanted, the best first: prefixes are
// called otherwise by each repository.
var oaiNamespaces = []string{"http://www.loc.gov/MARC21/slim", "http://www.loc.gov/mods/", "urn:isbn:1-931666-22-9", "http://ead3.archivists.org/",
	"http://www.openarchives.org/OAI/2.0/oai_dc/"}

// NewOAI makes the harvester of a repository of OAI-PMH 2.0. The query of the root's URI
// may name a set and a metadataPrefix.
func NewOAI(root Root, r check.Reader, o Options) Harvester {
	if o.Now == nil {
		o.Now = time.Now
	}
	base, given := address(&root, "set", "metadataPrefix", "verb")
	return &oai{catalogue: catalogue{root: root, reader: r, now: o.Now, protocol: "OAI-PMH"},
		base: base, set: given["set"], prefix: cmp.Or(root.Format, given["metadataPrefix"])}
}

type oai struct {
	catalogue
	base, set string
	prefix    string // "": the best that there is
}

// Harvest implements [Harvester].
func (o *oai) Harvest(ctx context.Context, known Known) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		run := &oaiRun{oai: o, session: session{ctx: ctx, known: known, yield: yield}, mark: readOAIMark(known.Mark())}
		if err := run.harvest(); err != nil && err != errEnded {
			yield(Item{}, err)
		}
	}
}

// oaiRun is one reading.
type oaiRun struct {
	*oai
	session
	mark     oaiMark
	layout   string // of datestamps
	earliest time.Time
	date     time.Time // responseDate of Identify
	names    string    // of documents, up to the identifier
}

func (h *oaiRun) harvest() error {
	if err := h.identify(); err != nil {
		return err
	}
	if err := h.choosePrefix(); err != nil {
		return err
	}
	h.names = request(h.base, "verb", "GetRecord", "metadataPrefix", h.mark.Prefix) + "&identifier="
	if len(h.mark.Windows) == 0 {
		h.plan()
	}
	if err := h.windows(); err != nil {
		return err
	}
	return h.finish()
}

// identify asks for the granularity of datestamps and the first of them (section 4.2).
func (h *oaiRun) identify() error {
	page, err := h.get(nil, "verb", "Identify")
	if err != nil {
		return notTorn(err)
	}
	if len(page.Errors) > 0 || page.Verb != "Identify" {
		return &Stop{Why: NotThis, Text: "Identify is answered: " + cmp.Or(faultWords(page.Errors), "nothing")}
	}
	h.layout = oaiDay
	if strings.Contains(page.Identify.Granularity, "T") {
		h.layout = oaiSecond
	}
	if h.earliest, _ = oaiTime(page.Identify.Earliest); h.earliest.Year() < oldest {
		h.earliest = time.Date(oldest, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	h.date = h.dateOf(page)
	return nil
}

// choosePrefix decides which format is asked for (section 4.4). One that was chosen stays
// while the repository has it: names hold it.
func (h *oaiRun) choosePrefix() error {
	if h.prefix != "" {
		if h.mark.Prefix != h.prefix {
			h.mark = oaiMark{Prefix: h.prefix}
		}
		return nil
	}
	if h.mark.Prefix != "" && h.now().Sub(h.mark.Formats) < formatsEvery {
		return nil
	}
	page, err := h.get(nil, "verb", "ListMetadataFormats")
	if err != nil {
		return notTorn(err)
	}
	has := func(prefix string) bool {
		return slices.ContainsFunc(page.Formats, func(f records.Format) bool { return f.Prefix == prefix })
	}
	if chosen := bestFormat(page.Formats); h.mark.Prefix != chosen && !has(h.mark.Prefix) {
		h.mark = oaiMark{Prefix: chosen}
	}
	h.mark.Formats = h.now()
	return nil
}

// bestFormat is the prefix of the best format; every repository has oai_dc (section 3.4).
func bestFormat(formats []records.Format) string {
	for _, namespace := range oaiNamespaces {
		for _, f := range formats {
			if f.Prefix != "" && strings.HasPrefix(f.Namespace, namespace) {
				return f.Prefix
			}
		}
	}
	return "oai_dc"
}

// plan begins a sweep: what is new since the last, what was not whole then, and all there
// is once in 90 days.
func (h *oaiRun) plan() {
	m := &h.mark
	m.Next, m.Late, m.Listed, m.News, m.Short, m.Why, m.Broken = time.Time{}, nil, 0, 0, false, 0, ""
	m.All = h.now().Sub(m.Full) >= fullEvery
	again := m.Failed
	if m.Failed = nil; m.Last.IsZero() || m.All && m.NoIDs {
		m.All, m.Windows = true, []oaiWindow{{All: true}}
		return
	}
	news := h.from().Format(h.layout)
	m.Windows = []oaiWindow{{oaiSpan: oaiSpan{From: news}}}
	for _, w := range again {
		if w.From < news { // else it is a part of the list of what is new
			m.Windows = append(m.Windows, w)
		}
	}
	if m.All {
		m.Windows = append(m.Windows, oaiWindow{IDs: true, All: true})
	}
}

// from is where the list of news begins: lists are not in order of date, and records
// appear with dates of hours ago.
func (h *oaiRun) from() time.Time {
	if h.layout == oaiDay {
		return h.mark.Last.AddDate(0, 0, -2)
	}
	return h.mark.Last.Add(-24 * time.Hour)
}

// finish ends the sweep. What a list of all there is did not name is gone.
func (h *oaiRun) finish() error {
	m := &h.mark
	if m.All && m.Listed == 0 && standing(h.known) {
		m.Why, m.Broken = Broken, "the list of all records is empty"
	}
	if m.All && m.Why == 0 && !m.Short && m.Documents < h.most() {
		for _, name := range h.unlisted() {
			if err := h.gone(Document{Name: name}); err != nil {
				return err
			}
		}
	}
	if m.Listed > 0 || m.News > 0 { // a repository in disorder says that there is nothing: the next list begins where this one did
		m.Last = m.Next
	}
	if m.All {
		m.Full = h.now()
	}
	if m.All && (m.Why != 0 || m.Short) {
		m.Full = m.Full.Add(fullAgain - fullEvery)
	}
	if m.Why == 0 {
		return h.tell(Item{Kind: Whole, Mark: m.bytes()})
	}
	return cmp.Or[error](h.tell(Item{Kind: Marked, Mark: m.bytes()}), &Stop{Why: m.Why, Text: m.Broken})
}
