package html

import (
	"bufio"
	"context"
	"strconv"
	"strings"
	"time"

	"linkcheck/report"
	"linkcheck/store"
	"linkcheck/uri"
)

// maxMentions is how many mentions of one link the page holds; CSV has them all.
const maxMentions = 12

// blockOctets is how much data one element holds, about: browsers take longer for what is
// in one piece.
const blockOctets = 256 << 10

// neverDay stands for a missing date, counted in days before the report.
const neverDay = -99999

// pageData writes the links as JSON in the page: one array a link (its fields in
// the order of report.js), in elements of a bounded size, then the tables of what they
// refer to by number. It streams; only the tables are held.
type pageData struct {
	*report.Report
	out  *bufio.Writer
	line []byte // the link being written

	blocks int // begun
	octets int // of the links in the last one

	schemes, hosts, reasons, replies, flags, changes, whats, steps, collections, sources, records, pins, proofs StringTable

	recordList []record // by their numbers in records
	templates  []string // of record addresses, by the numbers of collections
	members    []int    // numbers of sources that are members of a document with an address
}

// record is a catalogue's record, or a document, that mentions links.
type record struct {
	collection int
	id, title  string
}

func writeData(ctx context.Context, out *bufio.Writer, r *report.Report) error {
	d := &pageData{Report: r, out: out}
	d.block()
	err := r.EachRow(ctx, store.Pick{Only: r.OnPage(), Most: maxMentions, History: true}, func(row *report.Row) error {
		r.Describe(row)
		return d.row(row)
	})
	if err != nil {
		return err
	}
	out.WriteString("]</script>\n" + `<script type="application/json" id="dict">`)
	d.tables()
	_, err = out.WriteString("</script>\n")
	return err
}

// block begins an element with links: data, data-2 and so on.
func (d *pageData) block() {
	id := "data"
	if d.blocks++; d.blocks > 1 {
		id += "-" + strconv.Itoa(d.blocks)
		d.out.WriteString("]</script>\n")
	}
	d.out.WriteString(`<script type="application/json" id="` + id + `">[`)
	d.octets = 0
}

// row writes one link. Numbers are indexes of tables, an empty text is 0, days are
// counted back from the day of the report.
func (d *pageData) row(r *report.Row) error {
	d.line = d.line[:0]
	if d.octets > blockOctets {
		d.block()
	} else if d.octets > 0 {
		d.line = append(d.line, ',')
	}
	d.line = append(d.line, "\n["...)
	d.line = strconv.AppendUint(d.line, r.ID, 10)
	d.address(r)
	d.text(r.Key, r.URL)
	d.numbers(d.schemes.Number(r.Scheme), d.hosts.Number(r.Host), int(r.Standing), d.whats.Number(d.what(r)),
		d.steps.Number(report.StepKey(d.Words, r)), d.reasons.Number(string(r.Last.Reason)), int(r.Last.Outcome), d.replies.Number(r.ServerReply()))
	d.text(r.Last.FinalURL, "")
	d.text(r.Suggested, r.Last.FinalURL)
	d.numbers(d.flags.Number(strings.Join(r.Last.Flags, " ")), d.day(r.FirstSeen), d.day(r.Last.At), d.day(r.LastOK),
		d.day(r.FailingSince), d.day(r.NextCheck), r.Strikes, r.Needed, r.Checks, d.changes.Number(r.ChangeCodes()))
	d.text(r.Archived, "")
	d.text(pastChecks(r.History), "")
	d.text(Chain(d.Scope, r), "")
	d.numbers(d.pins.Number(d.pin(r)), d.proofs.Number(r.Proof.Line(d.Words)))
	d.mentions(r)
	d.octets += len(d.line)
	_, err := d.out.Write(append(d.line, ']'))
	return err
}

// what is the key of the sentence that says what happened; where that depends on more
// than the page knows, the sentence itself.
func (d *pageData) what(r *report.Row) string {
	if r.Standing >= report.Drift {
		return r.Message
	}
	return report.MessageKey(d.Words, &r.Last)
}

// address appends an address without its scheme and host, which the row names
// too: then it begins with one of / : ? #. A whole address that begins so, or with
// ~, gets a ~ before it.
func (d *pageData) address(r *report.Row) {
	const tail = "/:?#"
	text := r.URL
	if path, ok := strings.CutPrefix(r.URL, r.Scheme+"://"+r.Host); ok && path != "" && strings.IndexByte(tail, path[0]) >= 0 {
		text = path
	} else if r.URL != "" && strings.IndexByte(tail+"~", r.URL[0]) >= 0 {
		text = "~" + r.URL
	}
	d.text(text, "")
}

// mentions appends how many mentions a link has and the first of them.
func (d *pageData) mentions(r *report.Row) {
	d.numbers(r.Count)
	d.line = append(d.line, ",["...)
	for i := range r.LiveMentions[:min(maxMentions, len(r.LiveMentions))] {
		m := &r.LiveMentions[i]
		number := d.records.Number(m.Collection + "\x00" + report.RecordOf(m))
		if number == len(d.recordList) {
			d.recordList = append(d.recordList, record{d.collection(m), strings.Clone(d.Sanitize(m.Record)), strings.Clone(d.Sanitize(m.Title))})
		}
		if i > 0 {
			d.line = append(d.line, ',')
		}
		d.line = strconv.AppendInt(d.line, int64(number), 10)
		d.numbers(d.source(m))
		d.text(d.Sanitize(report.Locator(m)), "")
	}
	d.line = append(d.line, ']')
}

// collection gives the number of the collection of a mention.
func (d *pageData) collection(m *store.Mention) int {
	number := d.collections.Number(d.Sanitize(m.Collection))
	if number == len(d.templates) {
		d.templates = append(d.templates, d.RootOf(m.Collection).RecordURL)
	}
	return number
}

// source gives the number of the source of a mention.
func (d *pageData) source(m *store.Mention) int {
	known := len(d.sources.list)
	number := d.sources.Number(d.Sanitize(report.File(m)))
	if number == known && m.Member != "" && uri.Clickable(m.Source) {
		d.members = append(d.members, number)
	}
	return number
}

// text appends a string; one that equals known is written as 1, an empty one as 0.
func (d *pageData) text(s, known string) {
	switch {
	case s == "":
		d.numbers(0)
	case s == known:
		d.numbers(1)
	default:
		d.line = report.AppendJSON(append(d.line, ','), s)
	}
}

func (d *pageData) numbers(list ...int) {
	for _, n := range list {
		d.line = strconv.AppendInt(append(d.line, ','), int64(n), 10)
	}
}

// day counts how many days before the report's a time lies.
func (d *pageData) day(t time.Time) int {
	if t.IsZero() {
		return neverDay
	}
	return dayNumber(d.Now) - dayNumber(t)
}

// pin is what people said of a link.
func (d *pageData) pin(r *report.Row) string {
	var words []string
	if r.Pin != nil {
		text := d.Sanitize(r.Pin.By) + ": " + d.Sanitize(r.Pin.Why)
		if !r.Pin.Until.IsZero() {
			text += " (→ " + d.Words.Day(r.Pin.Until) + ")"
		}
		words = append(words, text)
	}
	if r.Owner != nil {
		words = append(words, d.Words.Get("owner")+": "+d.Sanitize(r.Owner.Text))
	}
	if r.Note != nil {
		words = append(words, d.Sanitize(r.Note.By)+": "+d.Sanitize(r.Note.Text))
	}
	return strings.Join(words, "; ")
}

// pastChecks packs the last checks: for each the letters of its state and
// outcome and the days since the one before in base 36; "*n" repeats it n times.
func pastChecks(events []store.Event) string {
	events = events[max(0, len(events)-stripLength):]
	var packed []string
	times := 1
	for i, e := range events {
		check := string([]byte{'a' + byte(e.State), 'a' + byte(e.Result.Outcome)})
		if i > 0 {
			check += strconv.FormatInt(int64(max(0, dayNumber(e.Result.At)-dayNumber(events[i-1].Result.At))), 36)
		}
		last := len(packed) - 1
		if last >= 0 && check == strings.TrimSuffix(packed[last], "*"+strconv.Itoa(times)) {
			times++
			packed[last] = check + "*" + strconv.Itoa(times)
			continue
		}
		packed, times = append(packed, check), 1
	}
	return strings.Join(packed, " ")
}

// Chain gives the redirects of a link that needs a person, one a line: status code and
// address, but not the final address, which is shown beside it.
func Chain(s *report.Scope, r *report.Row) string {
	if !r.Group.NeedsYou() {
		return ""
	}
	var lines []string
	for _, h := range r.Last.Hops {
		line := strconv.Itoa(h.Code)
		if url := s.SanitizeURL(h.URL); url != r.Last.FinalURL {
			line += " " + url
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}
