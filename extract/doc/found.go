package doc

import (
	"context"
	"fmt"
	"io"
	"strings"

	"linkcheck/extract/budget"
	"linkcheck/extract/columns"
	"linkcheck/extract/mirror"
	"linkcheck/uri/secret"
)

// Found is one occurrence of a reference. Its JSON is a row of `extract --jsonl`.
type Found struct {
	URI     string `json:"uri"` // after the document's damage is undone, not normalized; "" for a relative reference without a base
	Raw     string `json:"raw"` // exactly as it stands
	Scheme  string `json:"scheme"`
	Source  string `json:"source"`  // the file, as the caller named it
	Member  string `json:"member"`  // path inside a container, nested with "!"
	Line    int    `json:"line"`    // physical line from 1; 0: none
	Column  int    `json:"column"`  // byte column from 1, in UTF-8 where the text had to be decoded first; 0: none
	Record  string `json:"record"`  // MARC control number, WARC record id, Message-ID ...
	Locator string `json:"locator"` // 856[2]$u, offset 123, part 1.2 ...
	How     string `json:"how"`     // how it was recognised: href, bracket, url-prefix, bare, hostpath ...
	Context string `json:"context"` // a little text around it, one line

	// Target is where the message or part stands that URI names, for callers who
	// brought the names of a set of documents together.
	Target string `json:"target,omitempty"`

	// Date is that of the document or record in which it stands, as exact as that says it
	// (2006-01-02, 2006-01, 2006), and DateFrom where it says so (package dates); "" where it does not.
	Date     string `json:"date,omitempty"`
	DateFrom string `json:"date_from,omitempty"`
	// CopyOf is the address of which URI is an archived copy, made at Date, where the link says
	// so (Robust Links, robustlinks.mementoweb.org/spec).
	CopyOf string `json:"copy_of,omitempty"`

	Title  string `json:"title,omitempty"`  // of the record or page, for reports
	Owner  string `json:"owner,omitempty"`  // who mends it, as the document says: see Options.Owners and Columns
	Faulty bool   `json:"faulty,omitempty"` // a URI must stand here, and Raw is none: a host without a scheme
	Hidden bool   `json:"hidden,omitempty"` // a secret of URI or Raw is, see extract.WithoutSecrets

	// Name is set where nothing is linked: a message or part that links may name
	// begins here (MessageName, ContentName, PartName). See Options.Names.
	Name string `json:"-"`

	// Fault is set where nothing is linked: it is what is wrong with the place, a word of package
	// lint, Raw what stands there, and Repair what to write instead. See Options.Faults.
	Fault  string `json:"-"`
	Repair string `json:"-"`

	// Torn says that the reference ends within a password: URI and Raw hold a part of it,
	// and its '@' stands behind them.
	Torn bool `json:"torn,omitempty"`

	Binary bool `json:"-"` // the lines of the file mean nothing

	// Leads says that a reader would go on there: a link, a frame, an item of a menu, not
	// what a page shows or sends something to. See Options.Leads.
	Leads bool `json:"-"`
	// NoFollow says that the document asks programs not to go there; without a URI nothing
	// is linked, and it asks for that of all its leads.
	NoFollow bool `json:"-"`
	// Canonical says that nothing is linked: URI is the address by which the document itself
	// wants to be known (RFC 6596).
	Canonical bool `json:"-"`
}

// Location says where it stands, as compilers do: file!member:line:column; in
// binary MARC by record and field, and by the message where nothing else is known.
func (f Found) Location() string {
	s := f.Source
	if f.Member != "" {
		s += "!" + f.Member
	}
	switch {
	case f.Binary:
		for _, t := range []string{f.Record, f.Locator} {
			if t != "" {
				s += " " + t
			}
		}
	case f.Line > 0 && f.Column > 0:
		return s + fmt.Sprintf(":%d:%d", f.Line, f.Column)
	case f.Line > 0:
		s += fmt.Sprintf(":%d", f.Line)
	case f.Record != "":
		s += " " + f.Record
	}
	return s
}

// Damage is an error that spoils a part of a document: the rest was read.
type Damage struct {
	Source, Member string
	Line           int
	Err            error
}

func (d *Damage) Error() string {
	s := d.Source
	if d.Member != "" {
		s += "!" + d.Member
	}
	if d.Line > 0 {
		s += fmt.Sprintf(":%d", d.Line)
	}
	return s + ": " + d.Err.Error()
}

func (d *Damage) Unwrap() error { return d.Err }

// Foreign is the error of a document in a format that is known and that nothing
// here reads. It is whole, as far as anybody can say: that its links are not seen
// is a limit of this program and no fault of the source.
type Foreign struct{ Kind string }

func (f *Foreign) Error() string { return "not read: " + f.Kind }

// Options says how documents are read. The zero value works.
type Options struct {
	Base     string          // base URI for relative references in what no mirror holds
	Input    string          // force a format: auto marc marcxml html rfc mbox maildir warc text csv:COL; "" is auto
	Charset  string          // override every declared charset
	Comments bool            // give links in comments too, marked
	MARC     []string        // fields with URIs such as "856u"; nil: the default set
	RecordID string          // MARC field of the record id, or its subfield: 999$c; "" is 001
	Names    bool            // give out the names of messages and parts too, each where it begins
	NoText   bool            // running text is not searched for links
	Owners   string          // codes of the subfields that say who mends the links of a field of MARC, such as "59": the first that is there
	Columns  columns.Columns // of tables: what they hold; the zero value: links are looked for in every cell
	NoCode   bool            // code in documents with marks (Markdown, AsciiDoc) is not searched
	Faults   bool            // give out what is wrong with places for addresses too: Found.Fault
	Leads    bool            // give out what a document says of itself too: Found.NoFollow without a URI, Found.Canonical

	// Preprocess makes text of files of the disk, by their whole paths; nil: nothing does.
	// It concerns readers of files, not extract.Document.
	Preprocess interface {
		Wants(path string) bool
		Open(ctx context.Context, path string) (io.ReadCloser, error)
	}

	Mirrors mirror.List // trees of files that are read as the web sites that they were
	Path    string      // of the source, whole, by which it is found in Mirrors; "": it is in none

	Context context.Context // reading ends with it; nil: with nothing
	Size    int64           // octets of the source; 0: not known
	Limits  budget.Limits   // of the work for the source
}

// rowSize is the length of f as a row of JSON, to a few octets. What is plain needs no look.
func (f *Found) rowSize(plainRef, plainContext bool) int {
	const keys = 160
	n := keys + len(f.URI) + len(f.Raw) + len(f.Scheme) + len(f.Source) + len(f.Member) + len(f.Record) + len(f.Locator) + len(f.How) + len(f.Context) + len(f.Name) + len(f.Date) + len(f.CopyOf) +
		grows(f.Member) + grows(f.Record)
	if !plainRef {
		n += grows(f.URI) + grows(f.Raw)
	}
	if !plainContext {
		n += strings.Count(f.Context, `"`) + strings.Count(f.Context, `\`)
	}
	return n
}

// tears says whether the reference ends within a password that its spelling or the base
// of d goes on with. Nothing is hidden of what is plain.
func (d *Document) tears(f *Found, plainRef bool) bool {
	if f.URI == f.Raw || !plainRef && secret.HoldsSure(f.URI) {
		return false
	}
	return !plainRef && secret.HoldsSure(f.Raw) || d.Base != "" && SchemeOf(f.Raw) == "" && secret.HoldsSure(d.Base)
}
