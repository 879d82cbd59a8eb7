package ingest

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"linkcheck/extract"
	"linkcheck/store"
)

const (
	mentionBatch = 5000 // mentions kept in one transaction
	handedOver   = 1000 // of them made ready at a time
	sourceBatch  = 2000 // sources noted in one transaction
	maxProblems  = 100  // problems told one by one
	racyAge      = 2 * time.Second
)

// ErrUnreadable: a source could not be read, or gives nothing where it gave
// documents before. What is known of it stays as it was. Exit code 3.
var ErrUnreadable = errors.New("not every source could be read")

// Options steers Read. The zero value works.
type Options struct {
	Collection string // "": each path's last element
	Extract    extract.Options
	Version    string           // of the extractor: another one means that all is read again
	AllowEmpty bool             // a source that now gives nothing is really empty
	Now        func() time.Time // nil: time.Now
	Progress   func(Summary)
}

// Summary says what a reading did.
type Summary struct {
	Sources    int // found
	Unchanged  int // not read: the same size, time and collection as before
	Read       int
	Unreadable int
	Doubted    int     // of the unreadable: may be out of reach, and nothing of them is retired
	Gone       int     // were there before, and their folder holds other things now
	Damages    int     // parts of documents that could not be read
	NotRead    int     // documents read this time whose formats nothing here reads: no damage
	Problems   []error // the first of them
	Untold     int     // the others
	store.IngestCounts
}

func (s *Summary) problem(err error) {
	if len(s.Problems) < maxProblems {
		s.Problems = append(s.Problems, err)
	} else {
		s.Untold++
	}
}

// Read reads the sources at paths into the store: those that have changed.
// What they no longer hold is retired. The error wraps ErrUnreadable when some
// could not be read, and the rest is done; other errors end the reading, and
// what was read so far is kept.
func Read(ctx context.Context, st *store.Store, paths []string, o Options) (Summary, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	in, err := st.BeginIngest(o.Now())
	if err != nil {
		return Summary{}, err
	}
	r := &reading{st: st, in: in, o: o, print: fingerprint(o)}
	defer func() {
		if r.release != nil {
			r.release()
		}
	}()
	for _, p := range paths {
		if err := r.root(ctx, filepath.Clean(p)); err != nil {
			return r.sum, err
		}
	}
	r.sum.IngestCounts, err = in.Finish()
	if err == nil && r.sum.Unreadable > 0 {
		err = fmt.Errorf("%w: %d", ErrUnreadable, r.sum.Unreadable)
	}
	return r.sum, err
}

// fingerprint tells whether a source would be read in the same way.
func fingerprint(o Options) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q", o.Version, fmt.Sprintf("%+v", o.Extract)))
	return fmt.Sprintf("%x", sum[:8])
}

// baseName is the last name of a path, that of the folder itself for "." and "..".
func baseName(path string) string {
	name := filepath.Base(path)
	if name == "." || name == ".." {
		if whole, err := filepath.Abs(path); err == nil {
			return filepath.Base(whole)
		}
	}
	return name
}

// reading is one Read under way.
type reading struct {
	st    *store.Store
	in    *store.Ingest
	o     Options
	print string
	name  string // of the collection under way
	sum   Summary

	release func() // ends the snapshot for readers, which the first change makes
}

// root reads what has changed below one path.
func (r *reading) root(ctx context.Context, path string) error {
	before := r.sum
	if r.name = r.o.Collection; r.name == "" {
		r.name = baseName(path)
	}
	if err := r.readChanged(ctx, path); err != nil {
		return err
	}
	var missing []store.Source
	for src, err := range r.in.Missing(path) {
		if err != nil {
			return err
		}
		missing = append(missing, src)
	}
	if len(missing) == 0 {
		return nil
	}
	found := r.sum.Sources - before.Sources
	broken := r.sum.Unreadable > before.Unreadable
	doubted := map[string]int{}
	for _, src := range missing {
		if why := r.doubt(src, found, broken); why != "" {
			doubted[why]++
			continue
		}
		if err := r.in.Gone(src.Path); err != nil {
			return err
		}
		r.sum.Gone++
	}
	for _, why := range slices.Sorted(maps.Keys(doubted)) { // a disk may hold very many
		r.sum.Unreadable += doubted[why]
		r.sum.Doubted += doubted[why]
		r.sum.problem(fmt.Errorf("%s, and gave %s before: their links stay as they are", why, plural(doubted[why], "document")))
	}
	return nil
}

// doubt says why a missing source may only be out of reach: an unmounted disk is
// an empty folder (OUTCOMES 5.1.10). "": it is gone.
func (r *reading) doubt(src store.Source, found int, broken bool) string {
	switch {
	case r.o.AllowEmpty:
		return ""
	case found == 0:
		return fmt.Sprintf("%q gives nothing now", src.Root)
	case broken:
		return fmt.Sprintf("%q could not be walked whole", src.Root)
	}
	if dir, empty := emptyParent(src.Path, src.Root); empty {
		return fmt.Sprintf("the folder %q is empty now", dir)
	}
	return ""
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// document is one source on its way into the store.
type document struct {
	src     store.Source
	same    bool // not read: it has not changed
	emptied int  // not read: it has no octet now, and had so many links
	batches chan *store.Batch
	sum     *hashedFile
	damages []error
	foreign map[string]int // documents of formats that nothing reads
	err     error          // it could not be read whole
}

// readChanged reads the sources of a root side by side and keeps them in order.
func (r *reading) readChanged(ctx context.Context, path string) error {
	g, ctx := errgroup.WithContext(ctx)
	queue := make(chan *document, runtime.GOMAXPROCS(0))
	walked := make(chan walkCounts, 1)
	g.Go(func() error {
		defer close(queue)
		counts, err := r.walk(ctx, g, path, queue)
		walked <- counts
		return err
	})
	var keep keeper
	for doc := range queue {
		if err := r.keep(ctx, &keep, doc); err != nil {
			for doc := range queue { // the readers see the context end
				drain(doc)
			}
			g.Wait()
			return err
		}
	}
	err := g.Wait()
	counts := <-walked
	r.sum.Sources += counts.sources
	r.sum.Unreadable += counts.unreadable
	for _, p := range counts.problems {
		r.sum.problem(p)
	}
	r.sum.Untold += counts.unreadable - len(counts.problems)
	return errors.Join(err, r.flush(&keep))
}

func drain(doc *document) {
	for range doc.batches {
	}
}

// walkCounts is what a walk learned beside the documents it started to read.
type walkCounts struct {
	sources    int
	unreadable int
	problems   []error // the first of them
}

// walk starts a reader for every changed source and queues it in order.
func (r *reading) walk(ctx context.Context, g *errgroup.Group, path string, queue chan<- *document) (c walkCounts, err error) {
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for s, err := range sources([]string{path}) {
		if err != nil {
			if c.unreadable++; len(c.problems) < maxProblems {
				c.problems = append(c.problems, err)
			}
			continue
		}
		c.sources++
		src := store.Source{Path: s.Path, Collection: r.name, Root: path, Options: r.print, Size: s.Size, ModTime: s.ModTime}
		old, found, err := r.st.Source(src.Path)
		if err != nil {
			return c, err
		}
		found = found && old.Gone.IsZero()
		doc := &document{src: src, same: found && unchanged(&old, &src, s), batches: make(chan *store.Batch, 2)}
		if emptied := found && old.Mentions > 0 && s.Size == 0 && !r.o.AllowEmpty; emptied {
			doc.emptied = old.Mentions
		}
		if doc.same || doc.emptied > 0 {
			close(doc.batches)
		} else if err := r.start(ctx, g, slots, s, doc); err != nil {
			return c, err
		}
		select {
		case queue <- doc:
		case <-ctx.Done():
			return c, ctx.Err()
		}
	}
	return c, nil
}

// start reads a document once one of the slots is free.
func (r *reading) start(ctx context.Context, g *errgroup.Group, slots chan struct{}, s source, doc *document) error {
	select {
	case slots <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	g.Go(func() error {
		defer func() { <-slots }()
		defer close(doc.batches)
		return r.read(ctx, s, doc)
	})
	return nil
}

// unchanged compares a source with what was read before: by size and time, or by
// content where only the time differs.
func unchanged(old, src *store.Source, s source) bool {
	if old.Collection != src.Collection || old.Options != src.Options || old.Size != src.Size {
		return false
	}
	if old.ModTime.Equal(src.ModTime) {
		return true
	}
	if len(old.Hash) == 0 {
		return false
	}
	f, err := s.open()
	if err != nil {
		return false // reading it will tell
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return false
	}
	return string(sum.Sum(nil)[:16]) == string(old.Hash)
}

// read extracts one source into batches.
func (r *reading) read(ctx context.Context, s source, doc *document) error {
	inner := s.open
	s.open = func() (fs.File, error) {
		f, err := inner()
		if err != nil {
			return nil, err
		}
		doc.sum = &hashedFile{File: f, sum: sha256.New()}
		return doc.sum, nil
	}
	var list []store.Mention
	var names []store.Name
	send := func() error {
		b := store.Prepare(s.Path, list)
		b.Name(names)
		list, names = make([]store.Mention, 0, cap(list)), nil
		select {
		case doc.batches <- b:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	one := func(yield func(source, error) bool) { yield(s, nil) }
	o := r.o.Extract
	o.Names = true
	for found, err := range extractSources(ctx, one, o) {
		var damage *extract.Damage
		var foreign *extract.Foreign
		var file *fs.PathError
		switch {
		case err == nil && found.Name != "":
			names = append(names, store.Name{Name: found.Name, Member: found.Member, Locator: found.Locator, Line: found.Line})
		case err == nil:
			doc.src.Mentions++
			list = append(list, mention(r.name, &found))
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.As(err, &foreign):
			doc.notRead(foreign.Kind)
		case errors.As(err, &file) || !errors.As(err, &damage):
			doc.err = err
		default:
			doc.src.Problems++
			doc.damages = append(doc.damages, err)
		}
		if len(list)+len(names) >= handedOver {
			if err := send(); err != nil {
				return err
			}
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	doc.src.NotRead = store.Kinds(doc.foreign)
	if doc.sum != nil && doc.sum.n == s.Size {
		doc.src.Hash = doc.sum.sum.Sum(nil)[:16]
	}
	return send()
}

func (d *document) notRead(kind string) {
	if d.foreign == nil {
		d.foreign = map[string]int{}
	}
	d.foreign[kind]++
}

func mention(collection string, f *extract.Found) store.Mention {
	url := f.URI
	if f.Faulty {
		url = f.Raw // the record is to be mended, whatever would answer at the URI that is meant
	}
	return store.Mention{
		Collection: collection, Source: f.Source, Member: f.Member, Line: f.Line, Column: f.Column,
		Record: f.Record, Locator: f.Locator, Raw: f.Raw, URL: url, How: f.How, Context: f.Context, Title: f.Title,
	}
}

// hashedFile hashes what is read of a file.
type hashedFile struct {
	fs.File
	sum hash.Hash
	n   int64
}

func (f *hashedFile) Read(p []byte) (int, error) {
	n, err := f.File.Read(p)
	f.sum.Write(p[:n])
	f.n += int64(n)
	return n, err
}
