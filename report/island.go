package report

import (
	"bufio"
	"context"
	"strconv"
	"strings"
	"time"

	"linkcheck/store"
)

// maxPlaces is how many places of one link the page holds; CSV has them all.
const maxPlaces = 12

// neverDay stands for a missing date, counted in days before the report.
const neverDay = -99999

// island writes the links as JSON in the page: one array a link (its fields in
// the order of report.js), then what they refer to by number. It streams; only
// the dictionaries are held.
type island struct {
	*Report
	out  *bufio.Writer
	line []byte
	n    int

	schemes, hosts, reasons, replies, flags, changes, whats, steps, cols, sources, recs, pins dict
	records                                                                                   []record
}

// record is one entry of the records that links stand in.
type record struct {
	col       int
	id, title string
}

// dict numbers strings in the order they come.
type dict struct {
	list []string
	nums map[string]int
}

func (d *dict) num(s string) int {
	n, ok := d.nums[s]
	if !ok {
		if d.nums == nil {
			d.nums = map[string]int{}
		}
		s = strings.Clone(s)
		n = len(d.list)
		d.list, d.nums[s] = append(d.list, s), n
	}
	return n
}

func (r *Report) writeIsland(ctx context.Context, out *bufio.Writer) error {
	is := &island{Report: r, out: out}
	out.WriteString(`<script type="application/json" id="data">[`)
	err := r.eachRow(ctx, r.src, store.Pick{Only: r.links.only(), Past: true}, func(row *Row) error {
		r.tell(row)
		return is.row(row)
	})
	if err != nil {
		return err
	}
	out.WriteString("]</script>\n" + `<script type="application/json" id="dict">`)
	is.dictionaries()
	_, err = out.WriteString("</script>\n")
	return err
}

// row writes one link. Numbers point into dictionaries, 0 stands for nothing to
// say, days are counted back from the day of the report.
func (is *island) row(r *Row) error {
	b := append(is.line[:0], ",\n["[b2i(is.n == 0):]...)
	b = strconv.AppendUint(b, r.ID, 10)
	b = is.address(b, r)
	b = is.text(b, r.Key, r.URL)
	b = numbers(b, is.schemes.num(r.Scheme), is.hosts.num(r.Host), int(r.State), is.whats.num(is.words.whatKey(&r.Last)),
		is.steps.num(is.words.stepKey(r)), is.reasons.num(string(r.Last.Reason)), int(r.Last.Outcome), is.replies.num(r.said()))
	b = is.text(b, r.Last.FinalURL, "")
	b = is.text(b, r.Suggested, r.Last.FinalURL)
	b = numbers(b, is.flags.num(strings.Join(r.Last.Flags, " ")), is.day(r.FirstSeen), is.day(r.Last.At), is.day(r.LastOK),
		is.day(r.FailingSince), is.day(r.NextCheck), r.Strikes, r.Needed, r.Checks, is.changes.num(changeWords(r)))
	b = is.text(b, r.Archived, "")
	b = is.text(b, pastChecks(r.Past), "")
	b = is.text(b, chain(is.scope, r), "")
	b = numbers(b, is.pins.num(is.pin(r)))
	is.n++
	is.line = append(is.places(b, r), ']')
	_, err := is.out.Write(is.line)
	return err
}

// text appends a string; one that equals known is written as 1, an empty one as 0.
func (is *island) text(b []byte, s, known string) []byte {
	switch {
	case s == "":
		return append(b, ",0"...)
	case s == known:
		return append(b, ",1"...)
	}
	return appendJSON(append(b, ','), s)
}

// address appends an address without its scheme and host, which the row names
// too: then it begins with one of / : ? #. A whole address that begins so, or with
// ~, gets a ~ before it.
func (is *island) address(b []byte, r *Row) []byte {
	const tail = "/:?#"
	if rest, ok := strings.CutPrefix(r.URL, r.Scheme+"://"+r.Host); ok && rest != "" && strings.IndexByte(tail, rest[0]) >= 0 {
		return appendJSON(append(b, ','), rest)
	}
	if r.URL != "" && strings.IndexByte(tail+"~", r.URL[0]) >= 0 {
		return appendJSON(append(b, ','), "~"+r.URL)
	}
	return is.text(b, r.URL, "")
}

func numbers(b []byte, list ...int) []byte {
	for _, n := range list {
		b = strconv.AppendInt(append(b, ','), int64(n), 10)
	}
	return b
}

// day counts how many days before the report's a time lies.
func (s *scope) day(t time.Time) int {
	if t.IsZero() {
		return neverDay
	}
	return dayNumber(s.Now) - dayNumber(t)
}

func dayNumber(t time.Time) int {
	s := t.Unix()
	return int((s - ((s%86400)+86400)%86400) / 86400)
}

func changeWords(r *Row) string {
	words := make([]string, len(r.Changed))
	for i, c := range r.Changed {
		words[i] = string(c)
	}
	return strings.Join(words, " ")
}

func (is *island) pin(r *Row) string {
	if r.Pin == nil {
		return ""
	}
	text := is.clean(r.Pin.By) + ": " + is.clean(r.Pin.Why)
	if !r.Pin.Until.IsZero() {
		text += " (→ " + is.words.day(r.Pin.Until) + ")"
	}
	return text
}

// pastChecks packs the last checks: for each the letters of its state and
// outcome and the days since the one before in base 36; "*n" repeats it n times.
func pastChecks(events []store.Event) string {
	events = events[max(0, len(events)-stripLength):]
	var b strings.Builder
	before, times := "", 0
	flush := func() {
		if before == "" {
			return
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		if b.WriteString(before); times > 1 {
			b.WriteString("*" + strconv.Itoa(times))
		}
	}
	for i, e := range events {
		check := string([]byte{'a' + byte(e.State), 'a' + byte(e.Result.Outcome)})
		if i > 0 {
			check += strconv.FormatInt(int64(max(0, dayNumber(e.Result.At)-dayNumber(events[i-1].Result.At))), 36)
		}
		if check == before {
			times++
			continue
		}
		flush()
		before, times = check, 1
	}
	flush()
	return b.String()
}

// chain gives the redirects of a link that needs a look, one a line. The address
// where it ended is not said twice.
func chain(s *scope, r *Row) string {
	if !r.Group.NeedsYou() {
		return ""
	}
	var lines []string
	for _, h := range r.Last.Hops {
		line := strconv.Itoa(h.Code)
		if url := s.address(h.URL); url != r.Last.FinalURL {
			line += " " + url
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// places appends how many places a link has and the first of them.
func (is *island) places(b []byte, r *Row) []byte {
	b = append(numbers(b, r.N), ",["...)
	for i := range firstN(r.Places, maxPlaces) {
		m := &r.Places[i]
		name := m.Collection + "\x00" + recordOf(m)
		rec := is.recs.num(name)
		if rec == len(is.records) {
			is.records = append(is.records, record{is.cols.num(is.clean(m.Collection)), strings.Clone(is.clean(m.Record)), strings.Clone(is.clean(m.Title))})
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = numbers(strconv.AppendInt(b, int64(rec), 10), is.sources.num(is.clean(File(m))))
		b = is.text(b, is.clean(locator(m)), "")
	}
	return append(b, ']')
}
