package ingest

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"linkcheck/store"
)

// keeper gathers batches and finished sources until they fill a transaction.
type keeper struct {
	batches  []*store.Batch
	mentions int
	whole    []store.Source
}

// keep takes a document into the store as it is read.
func (r *reading) keep(ctx context.Context, k *keeper, doc *document) error {
	if doc.same {
		r.sum.Unchanged++
		return r.in.Unchanged(doc.src)
	}
	if doc.emptied > 0 { // a file cut short by a full disk or a broken export (OUTCOMES 5.1.10)
		r.sum.Unreadable++
		r.sum.Doubted++
		r.sum.problem(fmt.Errorf("%q is empty now, and held %s before: they stay as they are", doc.src.Path, plural(doc.emptied, "link")))
		return r.in.Keep(doc.src.Path)
	}
	for b := range doc.batches {
		k.batches = append(k.batches, b)
		if k.mentions += b.Len(); k.mentions >= mentionBatch {
			if err := r.flush(k); err != nil {
				drain(doc)
				return err
			}
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	r.sum.Damages += len(doc.damages)
	for _, n := range doc.foreign {
		r.sum.NotRead += n
	}
	for _, d := range doc.damages {
		r.sum.problem(d)
	}
	if doc.err != nil {
		r.sum.Unreadable++
		r.sum.problem(doc.err)
		return r.in.Keep(doc.src.Path)
	}
	r.sum.Read++
	if time.Since(doc.src.ModTime).Abs() < racyAge { // the file system's clock is the real one
		doc.src.ModTime = time.Time{} // it may change again within the clock's grain
	}
	if k.whole = append(k.whole, doc.src); len(k.whole) >= sourceBatch {
		return r.flush(k)
	}
	return nil
}

// flush writes what was gathered.
func (r *reading) flush(k *keeper) error {
	if len(k.batches) == 0 && len(k.whole) == 0 {
		return nil
	}
	if r.release == nil {
		r.release = r.st.KeepSnapshot()
	}
	err := r.in.Add(k.whole, k.batches...)
	*k = keeper{}
	if r.o.Progress != nil && err == nil {
		r.sum.IngestCounts = r.in.Counts()
		r.o.Progress(r.sum)
	}
	return err
}

// emptyParent finds the nearest folder above path, not above root, that is still
// there, and whether it is empty.
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
