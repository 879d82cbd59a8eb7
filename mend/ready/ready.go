package ready

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"linkcheck/mend"
)

// Systems are those that there are files for.
var Systems = []string{"marcedit", "koha", "alma", "folio", "openrefine"}

// Change is a change that a mend made.
type Change struct {
	Source, Record, Locator string
	Old, New, Why           string
	Way                     mend.Way
	Spelled                 string // how Old is written in its source
	Whole                   bool   // the subfield holds nothing else
}

// marc says whether the change is one of a record of MARC, and in which subfield it stands.
func (c *Change) marc() (tag, code string, ok bool) {
	tag, rest, _ := strings.Cut(c.Locator, "[")
	_, code, _ = strings.Cut(rest, "$")
	code, _, _ = strings.Cut(code, "[")
	return tag, code, len(tag) == 3 && len(code) == 1
}

// Left is a change, or a record, that is in no file.
type Left struct {
	Change Change // zero: a record
	Why    error
}

// File is a file for a system.
type File struct {
	Name string
	Text []byte
}

// Batch holds the changes of a mend.
type Batch struct {
	changes []Change
	safe    replacements
	files   []File // of MARCXML
	records []byte
	faults  []error
}

var (
	errNotMARC = errors.New("this system takes records of MARC alone")
	errNoID    = errors.New("the record has no id: see --record-id")
	errWords   = errors.New("a normalization rule changes whole subfields alone")
	errWay     = errors.New("what is more than another address cannot be said as a replacement")
)

// Add takes the changes of one source: what it was, and the copy of its changed records.
func (b *Batch) Add(source string, was []byte, changes []Change, changed *mend.Copy) {
	b.changes = append(b.changes, changes...)
	b.safe.add(was, changes)
	if !slices.ContainsFunc(changes, func(c Change) bool { _, _, ok := c.marc(); return ok }) {
		return
	}
	if changed.Format == "xml" {
		b.files = append(b.files, File{fmt.Sprintf("koha-%d.xml", len(b.files)+1), changed.Octets})
		return
	}
	records, faults := changed.MARCXML()
	b.records = append(b.records, records...)
	for _, err := range faults {
		b.faults = append(b.faults, fmt.Errorf("%s: %w", source, err))
	}
}

// Changes are those of all sources, in their order.
func (b *Batch) Changes() []Change { return b.changes }

// Files gives the files for a system, and what is in none.
func (b *Batch) Files(system string) (files []File, left []Left) {
	var usable []Change
	ids := map[string]bool{}
	for _, c := range b.changes {
		_, _, ok := c.marc()
		switch {
		case !ok:
			left = append(left, Left{c, errNotMARC})
		case c.Record == "" || strings.ContainsAny(c.Record, "\t\r\n"):
			left = append(left, Left{c, errNoID})
		default:
			ids[c.Record] = true
			usable = append(usable, c)
		}
	}
	list := strings.Join(slices.Sorted(maps.Keys(ids)), "\n") + "\n"
	if len(ids) == 0 {
		list = ""
	}
	switch system {
	case "marcedit":
		pairs, more := b.safe.pairs(usable)
		var text strings.Builder
		for _, p := range pairs {
			text.WriteString(inMnemonics(p.old) + "\t" + inMnemonics(p.new) + "\n")
		}
		return []File{{"marcedit-replace.txt", []byte(text.String())}, {"marcedit-records.txt", []byte(list)}}, append(left, more...)
	case "alma":
		text, more := b.rules(usable)
		return []File{{"alma-set.txt", []byte("MMS ID\n" + list)}, {"alma-rule.txt", []byte(text)}}, append(left, more...)
	case "folio":
		return []File{{"folio-instances.csv", []byte(list)}}, left
	case "koha":
		for _, err := range b.faults {
			left = append(left, Left{Why: err})
		}
		files = append(files, b.files...)
		if len(b.records) > 0 {
			files = append(files, File{"koha.xml", []byte(mend.MARCXMLHead + string(b.records) + mend.MARCXMLTail)})
		}
		return append(files, File{"koha-records.txt", []byte(list)}), left
	}
	return nil, nil
}

// inMnemonics writes a value as it stands in MarcEditor.
func inMnemonics(value string) string { return strings.ReplaceAll(value, "$", "{dollar}") }

// almaSigns mean something in the values of normalization rules, or end them.
const almaSigns = "\"\\*|{}"

// rules writes a normalization rule for each replacement in each subfield. A rule changes no
// subfield but one that is the old address and nothing else.
func (b *Batch) rules(changes []Change) (text string, left []Left) {
	changes = slices.DeleteFunc(slices.Clone(changes), func(c Change) bool {
		if !c.Whole {
			left = append(left, Left{c, errWords})
		}
		return !c.Whole
	})
	pairs, more := b.safe.pairs(changes)
	left = append(left, more...)
	places := map[pair][]string{}
	for _, c := range changes {
		tag, code, _ := c.marc()
		p := pair{c.Old, c.New}
		if at := tag + "." + code; !slices.Contains(places[p], at) {
			places[p] = append(places[p], at)
		}
	}
	var out strings.Builder
	n := 0
	for _, p := range pairs {
		if strings.ContainsAny(p.old+p.new, almaSigns) {
			left = append(left, Left{Change{Old: p.old, New: p.new}, errors.New("a normalization rule cannot say it")})
			continue
		}
		for _, at := range places[p] {
			n++
			fmt.Fprintf(&out, "rule \"linkcheck %d\"\npriority %d\nwhen\n  (exists \"%[3]s.%[4]s\")\nthen\n  replaceContents \"%[3]s.%[4]s\" with \"%[5]s\" if (exists \"%[3]s.%[4]s\")\nend\n", n, max(1, 10000-n), at, p.old, p.new)
		}
	}
	return out.String(), left
}
