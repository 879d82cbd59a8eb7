package ingest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"linkcheck/extract"
	"linkcheck/store"
)

// ErrUnreadable says that a source could not be read, or is empty and was not before.
// What the store knows of it stays as it was. Exit code 3.
var ErrUnreadable = errors.New("not every source could be read")

// Options are those of Read. The zero value works.
type Options struct {
	Collection string // of all sources; "": the last element of each path
	Extract    extract.Options
	Edition    int              // of the extractor: sources read under another are read again; 0: extract.Edition
	AllowEmpty bool             // what is empty now may be taken for empty: its links are retired
	Selection                   // which files below the paths are read
	Owners     Owners           // who mends which links; nil: who the documents name
	Replace    bool             // what else the collection holds is retired: it was made anew
	Now        func() time.Time // the time at which links count as seen; nil: time.Now
	Progress   func(Summary)    // called after each transaction, from one goroutine; nil: not
}

// Read reads into the store the sources at paths that have changed, and retires what
// they no longer hold. The error wraps ErrUnreadable when some could not be read; the
// others are read. Other errors (of the store, of ctx) end the reading, and what was
// committed before stays.
func Read(ctx context.Context, st *store.Store, paths []string, o Options) (Summary, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	in, err := st.BeginIngest(o.Now())
	if err != nil {
		return Summary{}, err
	}
	r := &reading{st: st, in: in, o: o, fingerprint: fingerprint(o), release: func() {}}
	defer func() { r.release() }()
	if err := r.identify(ctx, paths); err != nil {
		return r.sum, err
	}
	for _, p := range paths {
		if err := r.readRoot(ctx, filepath.Clean(p)); err != nil {
			return r.sum, err
		}
	}
	for i := range r.roots { // when all were read: files of rows share documents, from night to night others
		if err := r.retireBelow(&r.roots[i]); err != nil {
			return r.sum, err
		}
	}
	if o.Replace {
		if err := r.replace(); err != nil {
			return r.sum, err
		}
	}
	r.sum.IngestCounts, err = in.Finish()
	if err == nil && r.sum.Unreadable > 0 {
		err = fmt.Errorf("%w: %d", ErrUnreadable, r.sum.Unreadable)
	}
	return r.sum, err
}

// reading is one Read under way.
type reading struct {
	st          *store.Store
	in          *store.Ingest
	o           Options
	fingerprint string
	rootEnd            // of the path under way
	collection  string // of its sources
	roots       []rootEnd
	sum         Summary
	pending     pending

	twice int            // sources of the path that were read below another one
	moved map[string]int // number of sources of the path, by the root below which they were read before

	copied  bool   // store.KeepSnapshot was called
	release func() // ends it
}

// rootEnd is what was seen of a path.
type rootEnd struct {
	path   string   // as given
	root   string   // the same, whole
	found  int      // number of its sources now
	broken bool     // it could not be read whole
	rows   *rowsEnd // it is a file of rows
}

// readRoot reads what has changed below a path.
func (r *reading) readRoot(ctx context.Context, path string) error {
	before := r.sum
	r.rootEnd, r.collection = rootEnd{path: path, root: absolute(path)}, cmp.Or(r.o.Collection, baseName(path))
	r.twice, r.moved = 0, map[string]int{}
	if err := r.readChanged(ctx); err != nil {
		return err
	}
	r.note(r.sum.Links - before.Links)
	r.found, r.broken = r.sum.Sources-before.Sources+r.twice, r.sum.Unreadable > before.Unreadable
	r.roots = append(r.roots, r.rootEnd)
	return nil
}

// retireBelow retires what is gone of a path.
func (r *reading) retireBelow(end *rootEnd) error {
	var missing []store.Source
	for src, err := range r.missing(end.belongs) {
		if err != nil {
			return err
		}
		missing = append(missing, src)
	}
	return r.retire(missing, end)
}

// note tells what of the path was named or read otherwise too, and what was passed over.
func (r *reading) note(links int) {
	add := func(format string, args ...any) { r.sum.Notes = append(r.sum.Notes, fmt.Sprintf(format, args...)) }
	if r.twice > 0 {
		add("%q: %s named by another path of this run too, and read once", r.path, plural(r.twice, "document is", "documents are"))
	}
	for _, old := range slices.Sorted(maps.Keys(r.moved)) {
		add("%q: %s read as part of %q before, and counted once", r.path, plural(r.moved[old], "document was", "documents were"), old)
	}
	if r.rows != nil && r.rows.otherwise {
		add("%q: it was extracted by other options than those of this run, which change nothing in it", r.path)
	}
	if links > 0 {
		add("%q: %s not followed; --follow reads what they lead to", r.path, plural(links, "link to a folder is", "links to folders are"))
	}
}

// readChanged reads the sources below the root side by side and keeps them in order.
func (r *reading) readChanged(ctx context.Context) error {
	var failed Summary // of the walk: reported after the problems of documents
	for p := range sideBySide(ctx, sources([]string{r.path}, way{Selection: r.o.Selection, newFirst: true}), r.readSource) {
		switch {
		case p.unwalked != nil:
			failed.Unreadable++
			failed.addProblem(p.unwalked)
		case p.link != "":
			r.sum.Links++
		case p.rows != nil:
			r.rows = p.rows
		case p.twice:
			r.twice++
		default:
			if err := r.keep(ctx, p); err != nil {
				return err
			}
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	r.sum.Unreadable += failed.Unreadable
	r.sum.addProblems(&failed)
	return r.commit()
}

// missing yields those of the wanted sources that earlier readings found and this one did
// not. It comes after the steps of those that it did find.
func (r *reading) missing(wanted func(*store.Source) bool) iter.Seq2[store.Source, error] {
	return func(yield func(store.Source, error) bool) {
		for src, err := range r.st.Under(0) {
			missing := src.Asked != r.in.Reading && src.Gone.IsZero() && src.Read != 0
			if (err != nil || missing && wanted(&src)) && !yield(src, err) {
				return
			}
		}
	}
}

// goneAtOnce is how many sources are noted as gone in one transaction.
const goneAtOnce = 2000

// retire marks as gone those of the missing sources of a path that are not merely out of
// reach.
func (r *reading) retire(missing []store.Source, end *rootEnd) error {
	outOfReach := map[string]int{} // by reason: a disk may hold very many
	var gone []store.Source
	for _, src := range missing {
		if why := end.whyNotGone(&src, &r.o); why != "" {
			outOfReach[why]++
		} else {
			gone = append(gone, src)
		}
	}
	for part := range slices.Chunk(gone, goneAtOnce) {
		if err := r.in.Add(store.Step{Gone: part}); err != nil {
			return err
		}
		r.sum.Gone += len(part)
	}
	for _, why := range slices.Sorted(maps.Keys(outOfReach)) {
		r.sum.Unreadable += outOfReach[why]
		r.sum.OutOfReach += outOfReach[why]
		r.sum.addProblem(fmt.Errorf("%s, and gave %s before: their links stay as they are", why, plural(outOfReach[why], "document", "documents")))
	}
	return nil
}

// whyNotGone says why a missing source may only be out of reach (OUTCOMES 5.1.10): an
// unmounted disk is an empty folder, a Maildir without messages is none. "": it is gone.
func (r *rootEnd) whyNotGone(src *store.Source, o *Options) string {
	switch {
	case r.rows != nil && r.rows.cut:
		return fmt.Sprintf("%q could not be read whole", r.path)
	case r.rows != nil && r.rows.carried:
		return fmt.Sprintf("%q holds rows of links alone; those of extract --documents say what is gone", r.path)
	case o.AllowEmpty:
		return ""
	case r.found == 0:
		return fmt.Sprintf("%q gives nothing now", r.path)
	case r.broken:
		return fmt.Sprintf("%q could not be walked whole", r.path)
	case r.rows != nil:
		return r.rows.whyNotGone(src)
	case src.Rows == r.root:
		return fmt.Sprintf("%q holds no rows of extract now", r.path)
	}
	if link := linkBetween(r.root, src.Path); link != "" && !o.Follow {
		return fmt.Sprintf("the link %q is not followed without --follow", link)
	}
	for link := linkBetween(r.root, src.Path); link != ""; link = linkBetween(link, src.Path) {
		if !isFolder(link) {
			return fmt.Sprintf("the link %q leads to no folder now", link)
		}
	}
	if dir, empty := emptyParent(src.Path, r.root); empty && boxOf(filepath.Join(dir, "x")) == "" {
		return fmt.Sprintf("the folder %q is empty now", dir)
	}
	return ""
}

// emptyParent finds the nearest folder above path, and not above root, that exists,
// and says whether it is empty.
func emptyParent(path, root string) (dir string, empty bool) {
	for dir = filepath.Dir(path); ; dir = filepath.Dir(dir) {
		if d, err := os.Open(dir); err == nil {
			_, err := d.Readdirnames(1)
			d.Close()
			return dir, err == io.EOF
		}
		if dir == root || !strings.HasPrefix(dir, root) || dir == filepath.Dir(dir) {
			return dir, false
		}
	}
}

// baseName is the last name of a path, that of the folder itself for "." and "..".
func baseName(path string) string { return filepath.Base(absolute(path)) }
