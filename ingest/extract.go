package ingest

import (
	"context"
	"iter"

	"linkcheck/extract"
)

const batchFindings = 256 // findings in a batch

// finding is one yield of extract.Document.
type finding struct {
	found extract.Found
	err   error
}

// Extract yields the links of the files at paths, in the order of the files and
// of each document. Folders are walked in lexical order; symbolic links that lead out
// of a folder or to a folder, special files and the tmp of a Maildir are left out.
// Several files are read at a time. An error concerns one file (an *extract.Damage,
// one part of it), and the others still come; the error of ctx is the last one.
func Extract(ctx context.Context, paths []string, o extract.Options) iter.Seq2[extract.Found, error] {
	read := func(ctx context.Context, s source, send func([]finding) bool) {
		f, err := s.open(ctx)
		if err != nil {
			send([]finding{{err: err}})
			return
		}
		defer f.Close()
		o := o
		o.Context, o.Size = ctx, s.info.Size()
		var batch []finding
		for found, err := range extract.Document(s.path, f, o) {
			if batch = append(batch, finding{found, err}); len(batch) < batchFindings {
				continue
			}
			if !send(batch) {
				return
			}
			batch = nil
		}
		send(batch)
	}
	return func(yield func(extract.Found, error) bool) {
		for batch := range sideBySide(ctx, sources(paths), read) {
			for _, f := range batch {
				if !yield(f.found, f.err) {
					return
				}
			}
		}
		if err := ctx.Err(); err != nil {
			yield(extract.Found{}, err)
		}
	}
}
