package report

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"linkcheck/store"
)

// pathRoot is the kind of a root that is a file or folder on this disk.
const pathRoot = "path"

// RootRow is a root, sanitized, with what became of its links. Those of roots that share a
// name are counted together.
type RootRow struct {
	store.Root
	Links, Dead int    // of its collection
	State       string // failing, doubted, underway, whole or never; "" of a path
	Sentence    string // how it stands with it; "" of a path
}

// noCollection is the name of none.
const noCollection = "\x00"

// setRoots makes roots found by their collections, and narrows the collections to those of
// the roots that are asked for.
func (s *Scope) setRoots() {
	s.roots = map[string]store.Root{}
	var wanted []string
	for _, r := range s.Roots {
		known := s.roots[r.Name]
		known.Name, known.Owner = r.Name, cmp.Or(known.Owner, r.Owner)
		if known.RecordURL == "" && validTemplate(r.RecordURL) == nil {
			known.RecordURL = r.RecordURL
		}
		s.roots[r.Name] = known
		if among(s.RootNames, r.Name) && among(s.Collections, r.Name) && !slices.Contains(wanted, r.Name) {
			wanted = append(wanted, r.Name)
		}
	}
	if len(s.RootNames) == 0 {
		return
	}
	if s.Collections = wanted; len(wanted) == 0 {
		s.Collections = []string{noCollection} // for an empty list is all of them
	}
}

// among says whether a word is one of a list; an empty list is all words.
func among(list []string, word string) bool { return len(list) == 0 || slices.Contains(list, word) }

// RootOf gives name, owner and template of record addresses of the root that a collection
// is; without a root, the template of Options.
func (s *Scope) RootOf(collection string) store.Root {
	r := s.roots[collection]
	r.RecordURL = cmp.Or(r.RecordURL, s.RecordURL)
	return r
}

// Unknown says of the collections and roots that the options name and the source does not have,
// and of the owners who are none of these, which there are: a report would be empty without a reason.
func (o *Options) Unknown(src Source, owners map[string]bool) (sentences []string, err error) {
	collections, roots := map[string]bool{}, map[string]bool{}
	for s, err := range src.Sources() {
		if err != nil {
			return nil, fmt.Errorf("report: read sources: %w", err)
		}
		collections[s.Collection] = true
	}
	for _, r := range o.Roots {
		roots[r.Name] = true
	}
	for _, named := range []struct {
		what  string
		names []string
		known map[string]bool
	}{{"collection", o.Collections, collections}, {"root", o.RootNames, roots}, {"owner", o.Owners, owners}} {
		for _, name := range named.names {
			if !named.known[name] {
				there := strings.Join(slices.Sorted(maps.Keys(named.known)), ", ")
				sentences = append(sentences, fmt.Sprintf("no %s %q here; there are: %s", named.what, name, there))
			}
		}
	}
	return sentences, nil
}

// ownerOf says who mends a link at one place: who was put in charge of the link by hand, else
// who is named there, else who mends the root; "": nobody is known.
func (s *Scope) ownerOf(l *store.Link, m *store.Mention) string {
	if l.Owner != nil {
		return l.Owner.Text
	}
	return cmp.Or(m.Owner, s.roots[m.Collection].Owner)
}

// shows says whether a mention of a link stands in the report.
func (s *Scope) shows(l *store.Link, m *store.Mention) bool {
	return m.Retired.IsZero() && among(s.Collections, m.Collection) && (len(s.Owners) == 0 || slices.Contains(s.Owners, s.ownerOf(l, m)))
}

// holds says whether anything of a collection belongs to the report, when all links are read.
func (b *builder) holds(collection string) bool {
	return among(b.Collections, collection) && (len(b.Owners) == 0 || b.ByCollection[collection] != nil || slices.Contains(b.Owners, b.roots[collection].Owner))
}

// validTemplate wants a template of addresses of records.
func validTemplate(template string) error {
	if template == "" {
		return nil
	}
	if !strings.Contains(template, "{id}") {
		return errors.New("has no {id}")
	}
	u, err := url.Parse(strings.ReplaceAll(template, "{id}", ""))
	if err != nil || u.Scheme != "" && u.Scheme != "http" && u.Scheme != "https" {
		return errors.New("is not one of the web")
	}
	return nil
}

// setRootRows says how it stands with the roots of the report, in the order of their names.
func (b *builder) setRootRows() {
	for _, r := range b.Roots {
		if !b.holds(r.Name) {
			continue
		}
		row := RootRow{Root: r, Dead: b.dead[r.Name], State: stateOfRoot(&r)}
		if sums := b.ByCollection[r.Name]; sums != nil {
			for _, n := range sums {
				row.Links += n
			}
		}
		if files := b.files[r.Name]; r.Kind == pathRoot {
			row.Documents, row.Whole = files.n, files.last
		}
		row.Name, row.Owner, row.Kind = b.Sanitize(r.Name), b.Sanitize(r.Owner), b.Sanitize(r.Kind)
		row.URI, row.Message = b.SanitizeURL(r.URI), b.Sanitize(r.Message)
		row.Sentence = b.rootSentence(&row)
		b.RootRows = append(b.RootRows, row)
	}
	slices.SortStableFunc(b.RootRows, func(x, y RootRow) int {
		return cmp.Or(strings.Compare(x.Name, y.Name), strings.Compare(x.URI, y.URI))
	})
}

func stateOfRoot(r *store.Root) string {
	switch {
	case r.Kind == pathRoot:
		return ""
	case !r.Failing.IsZero():
		return "failing"
	case r.Doubted:
		return "doubted"
	case r.Sweep != 0:
		return "underway"
	case !r.Whole.IsZero():
		return "whole"
	}
	return "never"
}

// storedStates are the words with which a message of the store begins in these states.
var storedStates = map[string]string{"doubted": "doubted", "underway": "under way", "whole": "whole"}

// rootSentence puts the state of a root, in words of the report, before what the last
// reading said of it.
func (s *Scope) rootSentence(r *RootRow) string {
	if r.State == "" {
		return ""
	}
	word := s.Words.Get("root."+r.State, "day", s.Words.Day(r.Failing))
	rest, ok := strings.CutPrefix(r.Message, storedStates[r.State])
	switch {
	case rest == "" || ok && storedStates[r.State] != "":
		return word + rest
	case r.State == "never":
		return rest // such as that it was retired
	}
	return word + ": " + rest
}

// rootLines are sentences about the roots that are not read whole, or in doubt.
func (r *Report) rootLines() (list []string) {
	n := 0
	for _, root := range r.RootRows {
		if root.State == "" || root.State == "whole" {
			continue
		}
		if n++; n <= maxSources {
			list = append(list, root.Name+": "+root.Sentence)
		}
	}
	if n > maxSources {
		list = append(list, r.Words.Get("root.more", "n", r.Words.Number(n-maxSources)))
	}
	return list
}

// RecordOf gives the record of a mention, or its document where there is none.
func RecordOf(m *store.Mention) string {
	return cmp.Or(m.Record, File(m))
}
