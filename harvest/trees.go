package harvest

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"linkcheck/check"
	"linkcheck/harvest/kept"
	"linkcheck/harvest/webpage"
	"linkcheck/internal/robots"
	"linkcheck/uri"
)

// hole says which items of a gopher server are documents of a root.
type hole struct {
	server           string // the beginning of every name
	at               uri.Endpoint
	prefix           string // of the selectors, without their types
	follow, noFollow *regexp.Regexp
}

func newHole(root Root) (*hole, error) {
	u, err := uri.Parse(root.Address())
	if err != nil {
		return nil, fmt.Errorf("root %.200q: %w", root.URI, err)
	}
	g, ok := u.(*uri.Gopher)
	if !ok {
		return nil, fmt.Errorf("root %.200q is no gopher server", root.URI)
	}
	scheme, rest, _ := strings.Cut(uri.SchemeKey(g), "://")
	host, _, _ := strings.Cut(rest, "/")
	h := &hole{server: scheme + "://" + host, at: g.At, follow: root.Follow, noFollow: root.NoFollow}
	name, _ := h.name(root.Address())
	h.prefix = bare(h.selector(name))
	return h, nil
}

// name implements site. Of Gopher+ the plain item is meant.
func (h *hole) name(address string) (string, bool) {
	u, err := uri.Parse(address)
	if err != nil {
		return "", false
	}
	g, ok := u.(*uri.Gopher)
	if !ok || g.At != h.at || g.Search != nil && *g.Search != "" {
		return "", false
	}
	key, _, _ := strings.Cut(uri.SchemeKey(g), "%09")
	return key, len(key) > len(h.server)+1
}

// selector is that of a name, with escapes; before it stands the type.
func (h *hole) selector(name string) string { return name[min(len(h.server)+2, len(name)):] }

// bare is a selector without the type that many servers put before the path. The scope is
// no path but the beginning of a selector.
func bare(selector string) string {
	if len(selector) > 1 && selector[1] == '/' && selector[0] != '/' {
		return selector[1:]
	}
	return selector
}

// resource implements site.
func (h *hole) resource(name string) (path, query string) {
	return "/" + strings.TrimPrefix(bare(h.selector(name)), "/"), ""
}

// holds implements site.
func (h *hole) holds(name string) bool {
	if !strings.HasPrefix(bare(h.selector(name)), h.prefix) && (h.follow == nil || !h.follow.MatchString(name)) {
		return false
	}
	return h.noFollow == nil || !h.noFollow.MatchString(name)
}

// fetchable implements site: menus, and what may be a document by its type (RFC 1436 section
// 3.8). A selector "URL:" or "GET " names what is elsewhere.
func (h *hole) fetchable(name string) bool {
	selector := h.selector(name)
	if !strings.ContainsRune("014569gIhs", rune(name[len(h.server)+1])) || strings.HasPrefix(strings.TrimPrefix(selector, "/"), "URL:") || strings.HasPrefix(selector, "GET%20") {
		return false
	}
	return !isNoDocument(selector)
}

// allows says whether robots.txt lets programs ask for an item: its rules are for selectors,
// with the type before them or not.
func (h *hole) allows(rules *robots.Rules, name string) bool {
	selector := h.selector(name)
	return rules.Allow(selector) && rules.Allow("/"+strings.TrimPrefix(selector, "/")) && rules.Allow(name[min(len(h.server)+1, len(name)):])
}

// tree says which files and folders of an FTP server are documents of a root.
type tree struct {
	server           string // the beginning of every name
	at               uri.Endpoint
	prefix           string // of the paths: that of the root up to its last slash
	follow, noFollow *regexp.Regexp
}

func newTree(root Root) (*tree, error) {
	u, err := uri.Parse(root.Address())
	if err != nil {
		return nil, fmt.Errorf("root %.200q: %w", root.URI, err)
	}
	f, ok := u.(*uri.FTP)
	if !ok {
		return nil, fmt.Errorf("root %.200q is no FTP server", root.URI)
	}
	scheme, rest, _ := strings.Cut(uri.SchemeKey(f), "://")
	host, _, _ := strings.Cut(rest, "/")
	t := &tree{server: scheme + "://" + host, at: f.At, follow: root.Follow, noFollow: root.NoFollow}
	name, _ := t.name(root.Address())
	path, _ := t.resource(name)
	t.prefix = path[:strings.LastIndexByte(path, '/')+1]
	return t, nil
}

// name implements site. How a file is to be sent is no part of it.
func (t *tree) name(address string) (string, bool) {
	u, err := uri.Parse(address)
	if err != nil {
		return "", false
	}
	f, ok := u.(*uri.FTP)
	if !ok || f.At != t.at || f.User != nil {
		return "", false
	}
	key, _, _ := strings.Cut(uri.SchemeKey(f), "#")
	if i := strings.LastIndex(key, ";type="); i >= 0 && i == len(key)-len(";type=a") {
		folder := key[i+len(";type="):] == "d"
		if key = key[:i]; folder && !strings.HasSuffix(key, "/") {
			key += "/"
		}
		return t.name(key) // a last segment "." was none while the type stood behind it
	}
	if key == t.server {
		key += "/"
	}
	return key, true
}

// resource implements site.
func (t *tree) resource(name string) (path, query string) {
	return name[min(len(t.server), len(name)):], ""
}

// holds implements site.
func (t *tree) holds(name string) bool {
	path, _ := t.resource(name)
	if !strings.HasPrefix(path, t.prefix) && (t.follow == nil || !t.follow.MatchString(name)) {
		return false
	}
	return t.noFollow == nil || !t.noFollow.MatchString(name)
}

// fetchable implements site.
func (t *tree) fetchable(name string) bool { return !isNoDocument(name) }

// takeTree tells a folder. A file whose row is as it was is the same. What the folder names
// no more is asked for once: it is gone if the server says so. An empty list is doubted, as of
// a disk that is not mounted: what was in the folder is gone as anything else that is not
// found. Lists of different commands name different things and are not compared.
func (r *reading) takeTree(a *answered, answer *check.Answer) error {
	if err := r.up(); err != nil {
		return err
	}
	named := map[string]bool{}
	var broken error
	for e, err := range answer.Entries {
		if err != nil {
			broken = err
			break
		}
		name, ours := r.scope.name(e.Name)
		if !ours {
			continue
		}
		named[name] = true
		if r.isFolder(name, e.Version) {
			r.askedFor(name)
			continue
		}
		if file := strings.TrimSuffix(name, "/"); e.Folder && !r.stands(file) {
			r.askedFor(file) // the same folder
		}
		row := kept.Row{Name: name, Words: e.Version, Folder: e.Folder}
		if e.Folder || isFresh(e.Version, r.Now()) {
			row.Words = ""
		}
		if err := r.tellRow(row, int(a.depth)+1); err != nil {
			return err
		}
	}
	for name := range named {
		if broken == nil {
			r.named.add(r.key(name))
		}
	}
	if answer.Version == "NLST" {
		r.note("the server lists names alone: what is in the folders of %.200s is not known", a.name)
	}
	if broken != nil {
		r.note("the list of %.200s is not whole: %.200s", a.name, broken)
	}
	rows := r.rows[r.key(a.name)]
	if len(named) == 0 && len(rows) > 0 {
		r.note("doubted: the folder %.200s is empty, and had %s", a.name, number(len(rows), "document"))
	} else if broken == nil && (a.doc.Version == "" || a.doc.Version == answer.Version) {
		for _, name := range rows {
			if !named[name] {
				r.absent[r.key(name)] = true
			}
		}
	}
	delete(r.rows, r.key(a.name))
	a.came = a.name
	return r.tell(Item{Kind: Read, Doc: Document{Name: a.name, Version: answer.Version, Depth: int(a.depth)}, Body: strings.NewReader("")})
}

// folderMark begins the version of what a list calls no folder and is one, as a link to a folder:
// behind it stand the words of its row.
const folderMark = "folder="

// isFolder says whether that was seen of a name with these words in its row: while they stay,
// the list is the answer.
func (r *reading) isFolder(name, words string) bool {
	d, known := r.known.Document(name)
	return known && words != "" && d.Version == folderMark+words
}

// folderVersion is the version of a folder that its row calls none; "": no list has it.
func (r *reading) folderVersion(p place) string {
	if words := strings.TrimPrefix(r.takeWords(p), folderMark); words != "" {
		return folderMark + words
	}
	return ""
}

// stands says whether a document was read and is not gone.
func (r *reading) stands(name string) bool {
	d, known := r.known.Document(name)
	return known && d.Read && !d.Gone
}

// tellFolder tells what a folder that was listed answers, by its name with and without a slash.
func (r *reading) tellFolder(item Item) error {
	if err := r.tell(item); err != nil || r.root.Kind != FTP {
		return err
	}
	if file, folder := strings.CutSuffix(item.Doc.Name, "/"); folder && !r.stands(file) {
		item.Doc.Name = file
		return r.tell(item)
	}
	return nil
}

// linkRow are words of the row of a symbolic link.
var linkRow = regexp.MustCompile(`(?i)^l|\btype=OS\.unix=s(ym)?link`)

// versionIn is the version of a document by what a listing says of it, once. The row of a
// symbolic link says nothing of where it leads.
func (r *reading) versionIn(p place) string {
	words := r.takeWords(p)
	if r.root.Kind == FTP && linkRow.MatchString(words) {
		return ""
	}
	return words
}

// rowTime is the time of a file in a row of LIST, where it has one.
var rowTime = regexp.MustCompile(`\b[A-Z][a-z]{2} +\d{1,2} \d\d:\d\d\b`)

// isFresh says whether a file may have changed once more without another row. MLSD gives
// UTC (RFC 3659 section 2.3); the zone of LIST is not known.
func isFresh(version string, now time.Time) bool {
	if _, modify, ok := strings.Cut(version, "modify="); ok {
		at, err := time.Parse("20060102150405", modify[:min(14, len(modify))])
		return err != nil || now.UTC().Sub(at).Abs() < 2*time.Minute
	}
	at, err := time.Parse("Jan _2 15:04", strings.Join(strings.Fields(rowTime.FindString(version)), " "))
	if err != nil {
		return version == ""
	}
	if at = at.AddDate(now.Year(), 0, 0); at.Sub(now) > 24*time.Hour {
		at = at.AddDate(-1, 0, 0)
	}
	return webpage.IsYoung(at.Format("2006-01-02 15:04"), now)
}
