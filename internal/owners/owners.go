// Package owners is what the person says of who mends which links: the words of --owners, and
// the tables [[owner]] and [mail] of a file. It opens no file.
package owners

import (
	"errors"
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"linkcheck/store"
)

// Choice is what the words of --owners say. The zero value says nothing.
type Choice struct {
	Codes  string // of subfields that name who mends the links of a field, the strongest first
	Column string // of tables that does so; "": none
	Rules  Rules
}

// Rules say who mends a link by where it stands, where the document itself does not. The zero
// value knows nobody.
type Rules struct {
	Folder bool // the folder below the root names who mends what stands in it
	Tables []Table
	Mail   map[string]string // address of an owner whose name is none
}

// Table is one [[owner]]. What is set of its globs must fit, and of several tables that fit a
// mention the first one counts.
type Table struct {
	Owner      string
	Source     string // glob of the last names of the path of the document; "**" is any number of names
	Collection string
	Record     string
	Host       string // of the link
}

// Parse reads the words of --owners; read gives the octets of a file of rules.
func Parse(words []string, read func(path string) ([]byte, error)) (c Choice, err error) {
	for _, w := range words {
		switch {
		case w == "":
			return c, errors.New("want $5, $9, folder, root, the name of a column, or a file of rules that ends in .toml")
		case w == "root": // it is what remains in any case
		case w == "folder":
			c.Rules.Folder = true
		case strings.HasPrefix(w, "$"):
			if len(w) != 2 || !strings.Contains("0123456789abcdefghijklmnopqrstuvwxyz", w[1:]) {
				return c, fmt.Errorf("%.100q is no subfield, such as $5", w)
			}
			c.Codes += w[1:]
		case strings.HasSuffix(w, ".toml"):
			text, err := read(w)
			if err != nil {
				return c, err
			}
			if err := c.Rules.add(text); err != nil {
				return c, fmt.Errorf("%s: %w", w, err)
			}
		case c.Column != "":
			return c, fmt.Errorf("%.100q and %.100q are both columns; a row has one owner", c.Column, w)
		default:
			c.Column = w
		}
	}
	return c, nil
}

// Files are the words that name files of rules.
func Files(words []string) (list []string) {
	for _, w := range words {
		if strings.HasSuffix(w, ".toml") {
			list = append(list, w)
		}
	}
	return list
}

// add adds the rules of a file behind those of the files before it.
func (r *Rules) add(text []byte) error {
	var f struct {
		Owner []map[string]string
		Mail  map[string]string
	}
	meta, err := toml.Decode(string(text), &f)
	if err != nil {
		return err
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return fmt.Errorf("unknown key %.100q: there are [[owner]] and [mail]", unknown[0].String())
	}
	for _, values := range f.Owner {
		t := Table{}
		keys := map[string]*string{"owner": &t.Owner, "source": &t.Source, "collection": &t.Collection, "record": &t.Record, "host": &t.Host}
		for key, value := range values {
			to := keys[key]
			if to == nil {
				return fmt.Errorf("unknown key %.100q of [[owner]]: there are owner, source, collection, record and host", key)
			}
			if *to = value; key != "owner" {
				if _, err := path.Match(value, ""); err != nil || value == "" {
					return fmt.Errorf("[[owner]] %s: %.200q is no glob", key, value)
				}
			}
		}
		if t.Owner == "" {
			return errors.New("[[owner]] without owner: who mends what fits")
		}
		r.Tables = append(r.Tables, t)
	}
	for owner, address := range f.Mail {
		if r.Mail == nil {
			r.Mail = map[string]string{}
		}
		r.Mail[owner] = address
	}
	return nil
}

// Address is where an owner gets mail; "": nowhere. An owner that is an address itself must be
// named by the rules, or be trusted: documents of others may name anybody.
func (r *Rules) Address(owner string, trusted bool) string {
	if address := r.Mail[owner]; address != "" {
		return address
	}
	if !trusted && !slices.ContainsFunc(r.Tables, func(t Table) bool { return t.Owner == owner }) {
		return ""
	}
	if at := strings.IndexByte(owner, '@'); at > 0 && at < len(owner)-1 {
		return owner
	}
	return ""
}

// None says that the rules know nobody.
func (r *Rules) None() bool { return !r.Folder && len(r.Tables) == 0 }

// String tells rules from others.
func (r *Rules) String() string { return fmt.Sprintf("%t %q", r.Folder, r.Tables) }

// Of says who mends a mention in a source: who the document names, else who the first table
// that fits, else the folder. "": nobody is known by these.
func (r *Rules) Of(m *store.Mention, src *store.Source) string {
	if m.Owner != "" {
		return m.Owner
	}
	for i := range r.Tables {
		if t := &r.Tables[i]; t.fits(m, src) {
			return t.Owner
		}
	}
	if r.Folder && src.Remote == 0 {
		return folderOf(src)
	}
	return ""
}

// fits says whether all that a table wants is so.
func (t *Table) fits(m *store.Mention, src *store.Source) bool {
	fit := func(glob, s string) bool { ok, _ := path.Match(glob, s); return glob == "" || ok }
	return fit(t.Collection, m.Collection) && fit(t.Record, m.Record) && (t.Source == "" || endsLike(t.Source, src.Path)) &&
		(t.Host == "" || fit(strings.ToLower(t.Host), hostOf(m.URL)))
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Hostname())
}

// endsLike says whether the last names of a path are like those of a glob.
func endsLike(glob, name string) bool {
	want, names := strings.Split(filepath.ToSlash(glob), "/"), strings.Split(filepath.ToSlash(name), "/")
	if names = names[max(0, len(names)-maxNames):]; want[0] == "" { // a whole path
		return like(want, names)
	}
	for i := range names {
		if like(want, names[i:]) {
			return true
		}
	}
	return false
}

// maxNames is how many names of a path are compared.
const maxNames = 64

// like says whether names are those of a glob, one by one.
func like(want, names []string) bool {
	for i, w := range want {
		if w == "**" {
			rest := want[i+1:]
			if slices.Contains(rest, "**") { // one is enough: more would take long
				return false
			}
			return len(names)-i >= max(1, len(rest)) && like(rest, names[len(names)-len(rest):])
		}
		if i >= len(names) {
			return false
		}
		if ok, _ := path.Match(w, names[i]); !ok {
			return false
		}
	}
	return len(want) == len(names)
}

// folderOf is the first folder below the root in which a source stands; "": it stands in none.
func folderOf(src *store.Source) string {
	inside, err := filepath.Rel(src.Root, src.Path)
	if err != nil || src.Root == "" {
		return ""
	}
	first, rest, _ := strings.Cut(filepath.ToSlash(inside), "/")
	if rest == "" || first == ".." {
		return ""
	}
	return first
}
