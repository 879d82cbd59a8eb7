package ingest

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"linkcheck/extract"
	"linkcheck/store"
	"linkcheck/store/facts"
	"linkcheck/uri/secret"
)

// What a reader hands over at a time.
const (
	batchMentions = 1000 // mentions and names
	batchOctets   = 1 << 20
)

// part is what a reader hands over; one field is set.
type part struct {
	batch    *store.Batch // mentions; more comes
	mentions int          // in it
	octets   int          // of them
	document *document    // the end of a source
	unwalked error        // a path that could not be walked
	link     string       // to a folder, and not followed
	rows     *rowsEnd     // the end of a file of rows
	twice    bool         // a source that was read below another path of this reading
	err      error        // of the store: the reading ends
}

// document is one source, and what was found in it beside its mentions.
type document struct {
	src     store.Source
	before  store.Source   // what was known of it; zero: nothing, or it was gone
	same    bool           // not read: it has not changed
	emptied int            // not read: it is empty now, and had this number of mentions (OUTCOMES 5.1.10)
	damages Summary        // only its problems
	foreign map[string]int // number of documents by format, in formats that nothing here reads
	faults  facts.Gathered
	err     error // it could not be read whole
}

// readSource reads a source if it has changed, and sends what it holds.
func (r *reading) readSource(ctx context.Context, s source, send func(part) bool) {
	if s.err != nil {
		send(part{unwalked: s.err})
		return
	}
	if s.link != "" {
		send(part{link: s.link})
		return
	}
	if s.dir == "" && r.readRows(ctx, s, send) {
		return
	}
	id := identity(absolute(s.path), s.box)
	old, found, err := r.in.Known(0, id)
	seen := found && old.Asked == r.in.Reading
	if err != nil || seen {
		send(part{err: err, twice: seen})
		return
	}
	d := &document{foreign: map[string]int{}}
	d.src = store.Source{Path: id, Name: nameOf(s.path, id), Collection: r.collection, Root: r.root, Options: r.fingerprint, Size: s.info.Size(), ModTime: s.info.ModTime()}
	found = found && old.Gone.IsZero()
	if found {
		d.before = old
	}
	d.same = found && unchanged(ctx, &old, &d.src, s)
	if found && d.src.Size == 0 && !r.o.AllowEmpty {
		d.emptied = old.Mentions
	}
	if !d.same && d.emptied == 0 {
		r.extract(ctx, s, d, send)
	}
	send(part{document: d})
}

// unchanged says whether a source is as it was when it was read before: by size and
// time, or by content where only the time differs.
func unchanged(ctx context.Context, old, src *store.Source, s source) bool {
	if old.Collection != src.Collection || old.Options != src.Options || old.Size != src.Size {
		return false
	}
	if old.ModTime.Equal(src.ModTime) {
		return true
	}
	if len(old.Hash) == 0 {
		return false
	}
	f, err := s.open(ctx)
	if err != nil {
		return false // reading it will fail too, and report the error
	}
	defer f.Close()
	sum := sha256.New()
	_, err = io.Copy(sum, f)
	return err == nil && string(sum.Sum(nil)[:16]) == string(old.Hash)
}

// extract sends the mentions and names of one source in batches. The last one is sent
// even if it is empty, since the store numbers sources in the order of their batches.
func (r *reading) extract(ctx context.Context, s source, d *document, send func(part) bool) {
	f, err := s.open(ctx)
	if err != nil {
		d.err = err
		return
	}
	defer f.Close()
	sum := sha256.New()
	var g gathered
	o := r.o.Extract
	o.Names, o.Faults, o.Path, o.Context, o.Size = true, true, absolute(s.path), ctx, s.info.Size()
	for found, err := range Document(s.path, io.TeeReader(f, sum), o) {
		switch {
		case err != nil:
			d.failed(err)
		case found.Name != "":
			g.name(&found)
		case found.Fault != "":
			d.fault(&found, r.o.Owners)
		default:
			d.src.Mentions++
			g.mention(owned(r.o.Owners, mention(r.collection, &found), &d.src))
		}
		if g.much() && !send(g.part(&d.src)) {
			return
		}
	}
	d.beside()
	if read, err := f.Seek(0, io.SeekCurrent); err == nil && read == d.src.Size {
		d.src.Hash = sum.Sum(nil)[:16]
	}
	send(g.part(&d.src))
}

// gathered is what was found in a source and waits for its batch.
type gathered struct {
	mentions []store.Mention
	names    []store.Name
	octets   int // of both
}

func (g *gathered) name(f *extract.Found) {
	g.names = append(g.names, store.Name{Name: f.Name, Member: f.Member, Locator: f.Locator, Line: f.Line})
	g.octets += len(f.Name) + len(f.Member)
}

func (g *gathered) mention(m store.Mention) {
	g.octets += len(m.Member) + len(m.Record) + len(m.Raw) + len(m.URL) + len(m.Context) + len(m.Title) + len(m.Owner)
	g.mentions = append(g.mentions, m)
}

func (g *gathered) much() bool {
	return len(g.mentions)+len(g.names) >= batchMentions || g.octets >= batchOctets
}

// part makes a batch of all, and begins anew.
func (g *gathered) part(src *store.Source) part {
	p, next := part{batch: store.Prepare(src.Path, g.mentions, g.names), mentions: len(g.mentions), octets: g.octets}, gathered{}
	p.batch.Remote = src.Remote
	if g.much() { // more comes
		next.mentions = make([]store.Mention, 0, cap(g.mentions))
	}
	*g = next
	return p
}

// fault takes what is wrong with a place for an address.
func (d *document) fault(f *extract.Found, by Owners) {
	m := owned(by, mention(d.src.Collection, f), &d.src)
	d.faults.Add(faultOf(f, m.Owner))
}

// mostFaulty is how many octets are kept of a value, whose secrets are hidden before the cut.
const mostFaulty = 320

// faultOf is what is kept of it: no secret.
func faultOf(f *extract.Found, owner string) *facts.Fault {
	return &facts.Fault{Code: f.Fault, Member: f.Member, Line: f.Line, Record: f.Record, Locator: f.Locator, Title: f.Title, Owner: owner,
		Value: maskedStart(f.Raw), Repair: maskedStart(f.Repair)}
}

func maskedStart(text string) string {
	text = secret.MaskText(text)
	return strings.ToValidUTF8(text[:min(len(text), mostFaulty)], "")
}

// beside notes what stands in a source beside its links: the formats that nothing here reads,
// and faults.
func (d *document) beside() {
	d.src.Faults = d.faults.Faults()
	for _, kind := range slices.Sorted(maps.Keys(d.foreign)) {
		d.src.NotRead = append(d.src.NotRead, facts.Kind{Name: kind, N: d.foreign[kind]})
	}
}

// failed files an error of extract.Document: a format that nothing here reads, a
// damaged part, or a file that could not be read to its end.
func (d *document) failed(err error) {
	if foreign, ok := errors.AsType[*extract.Foreign](err); ok {
		d.foreign[foreign.Kind]++
		return
	}
	if notWhole(err) {
		d.err = err
	} else {
		if d.src.Problems++; d.src.Problems == 1 {
			d.src.Damage = damageText(err)
		}
		d.damages.addProblem(err)
	}
}

// notWhole says whether an error of extract.Document is no damage of a part alone.
func notWhole(err error) bool {
	_, damage := errors.AsType[*extract.Damage](err)
	_, file := errors.AsType[*fs.PathError](err)
	return file || !damage
}

// maxDamageText bounds what is kept of a damage, and of what a server says.
const maxDamageText = 200

// damageText says what is damaged, without passwords and the name of the source.
func damageText(err error) string {
	text := err.Error()
	if d, ok := errors.AsType[*extract.Damage](err); ok {
		text = strings.TrimLeft((&extract.Damage{Member: d.Member, Err: d.Err}).Error(), "!: ")
	}
	return shownText(text)
}

// shownText is what others wrote as it is kept for people: cut, and without passwords.
func shownText(text string) string {
	text = secret.MaskText(text)
	return strings.ToValidUTF8(text[:min(len(text), maxDamageText)], "")
}

// Owners are rules that say who mends a link by where it stands. String tells rules from others.
type Owners interface {
	// Of says it of a mention in a source; what the document says is in its Owner. "": nobody is known.
	Of(m *store.Mention, src *store.Source) string
	fmt.Stringer
}

// owned is a mention in a source with who mends it.
func owned(by Owners, m store.Mention, src *store.Source) store.Mention {
	if by != nil {
		m.Owner = by.Of(&m, src)
	}
	return m
}

// mention is what the store keeps of a link. A link that ends within a password is no
// link to ask about; it is kept as it may be shown, since nothing in it says later what to
// hide.
func mention(collection string, f *extract.Found) store.Mention {
	if f.Torn {
		source := f.Source
		*f = extract.WithoutSecrets(*f)
		f.Source = source
	}
	url := f.URI
	if f.Faulty {
		url = f.Raw // the record is to be mended, whatever answers at the URI that is meant
	}
	return store.Mention{
		Collection: collection, Source: f.Source, Member: f.Member, Line: f.Line, Column: f.Column,
		Record: f.Record, Locator: f.Locator, Raw: f.Raw, URL: url, How: f.How, Context: f.Context, Title: f.Title,
		Date: f.Date, DateFrom: f.DateFrom, CopyOf: f.CopyOf, Owner: f.Owner,
	}
}
