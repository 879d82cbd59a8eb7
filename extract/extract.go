// Package extract finds the references of a document and gives each out with its
// location. It judges nothing and dials nothing; of the other packages it knows
// only uri, to resolve relative references and to know the schemes.
//
// It is the door: the list of all formats (sniff.go) stands here, each with its
// sniffer and its reader. The readers stand in packages of their own, one a family
// of formats, over the package doc. A reader that meets a member of a container or
// a part with a format of its own hands it to doc.Document.Nest, which comes back
// to that list; so no family knows another.
//
// The files in reading order:
//
//   - extract.go: Document, and what passes through the door
//   - names.go: links that name a message or a part of one
//   - sniff.go: the list of formats
package extract

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"golang.org/x/text/encoding/htmlindex"

	"linkcheck/extract/budget"
	"linkcheck/extract/columns"
	"linkcheck/extract/doc"
	"linkcheck/extract/mirror"
	"linkcheck/uri"
	"linkcheck/uri/secret"
)

// Edition numbers what is found in a document and where. A source that was read under
// another edition is read again, though it has not changed. TestEdition fails when the
// documents that the project ships give other links without a new one.
const Edition = 10

type (
	// Found is one occurrence of a reference. Its JSON is a row of `extract --jsonl`.
	Found = doc.Found
	// Options steers extraction. The zero value works.
	Options = doc.Options
	// Damage is an error that spoils a part of a document: the rest was read.
	Damage = doc.Damage
	// Mirror is a tree of files that is read as the web site that it was.
	Mirror = mirror.Mirror
	// Mirrors are those of a reading.
	Mirrors = mirror.List
	// Limits says how much work one document may be.
	Limits = budget.Limits
	// Columns say which columns of tables hold what.
	Columns = columns.Columns
	// Foreign is the error of a document in a format that is known and not read.
	Foreign = doc.Foreign
)

// WithoutSecrets is f as it may be shown to others: what stands around the reference has
// no secrets, the reference itself may.
func WithoutSecrets(f Found) Found {
	mask := secret.Mask
	if f.Torn {
		mask = secret.MaskTorn
	}
	shown, raw := mask(f.URI), mask(f.Raw)
	if !f.Torn { // that is kept so whoever reads it
		f.Hidden = f.Hidden || shown != f.URI || raw != f.Raw
	}
	if f.Raw = raw; shown != f.URI && f.URI != "" {
		f.Raw = shown // whose spelling may hide the password in another way
	}
	f.URI, f.Source, f.Target = shown, secret.MaskText(f.Source), secret.MaskText(f.Target)
	return f
}

// ParseColumns reads words such as "id=BibID" and "url=URL".
func ParseColumns(words []string) (Columns, error) { return columns.Parse(words) }

// NewMirror makes the mirror of the tree at the whole path dir. The address is that of a
// folder, with a final slash or without one.
func NewMirror(dir, address string) (Mirror, error) { return mirror.New(dir, address) }

// DefaultLimits gives what the zero value of each field of Limits stands for.
func DefaultLimits() Limits { return budget.Default() }

// Validate says what is wrong with options that no document could be read by, or nil.
func Validate(o Options) error {
	if !knownInput(o.Input) {
		return fmt.Errorf("unknown format %.200q", o.Input)
	}
	if o.Base != "" {
		if _, err := uri.Parse(o.Base); err != nil {
			return fmt.Errorf("base %.200q: %w", secret.Mask(o.Base), err)
		}
	}
	if _, err := htmlindex.Get(strings.TrimSpace(o.Charset)); o.Charset != "" && err != nil {
		return fmt.Errorf("unknown charset %.200q", o.Charset)
	}
	if o.Columns.URL != nil && strings.HasPrefix(o.Input, "csv:") {
		return errors.New("csv:COLUMN and columns both say where links stand: give one")
	}
	for _, s := range o.MARC {
		if len(strings.ReplaceAll(s, "$", "")) != 4 {
			return fmt.Errorf("MARC %.200q: want a field with a subfield, such as 856u", s)
		}
	}
	if l := o.Limits; min(l.Unfolded, l.Members, l.Links, l.PageLinks, l.Candidates, int64(l.Time)) < 0 {
		return errors.New("a limit is not negative")
	}
	if id := o.RecordID; len(id) != 0 && len(id) != 3 && (len(id) != 5 || id[3] != '$') {
		return fmt.Errorf("record id %.200q: want a MARC field, such as 001, 035 or 999$c", o.RecordID)
	}
	return nil
}

// Format names the format as which a document is read, as in the list of formats; of what is
// packed, that of the container.
func Format(source string, r io.Reader, o Options) string {
	b, stop := budget.New(o.Context, o.Limits, o.Size)
	defer stop()
	name := ""
	doc.New(source, r, b, o, func(d *doc.Document, _ string) error {
		name = recognise(d).name
		return nil
	}, func(Found, error) bool { return true }).Read()
	return name
}

// Document yields the links of one document in document order. source names it
// (its suffix is one hint of many). An error is a *Damage and may stand between
// findings; after it the rest still comes, unless the document is over its Limits.
func Document(source string, r io.Reader, o Options) iter.Seq2[Found, error] {
	return func(yield func(Found, error) bool) {
		b, stop := budget.New(o.Context, o.Limits, o.Size)
		defer stop()
		d := doc.New(source, r, b, o, read, yield)
		if !knownInput(o.Input) {
			d.Damage(0, fmt.Errorf("unknown format %.200q", o.Input))
			return
		}
		d.Read()
	}
}
