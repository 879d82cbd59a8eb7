package ingest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"

	"linkcheck/extract"
	"linkcheck/internal/fault"
)

const batchFindings = 256 // findings in a batch

// finding is one yield of extract.Document.
type finding struct {
	found extract.Found
	err   error
	row   *Row // by Rows: it stands in place of found, or before err
}

// ErrNotFollowed says that there are links to folders, which were left out. Nothing is wrong.
var ErrNotFollowed = errors.New("not followed; --follow reads what they lead to")

// Extract yields the links of the files at paths, in the order of the files and
// of each document. Folders are walked in lexical order; symbolic links that lead out
// of a folder, special files and the tmp of a Maildir are left out, and so are those to a
// folder, unless which says that each such folder is read, once and after all others.
// Several files are read at a time. An error concerns one file (an *extract.Damage,
// one part of it), and the others still come; one that wraps ErrNotFollowed, or the error
// of ctx, is the last one.
func Extract(ctx context.Context, paths []string, which Selection, o extract.Options) iter.Seq2[extract.Found, error] {
	read := func(ctx context.Context, s source, send func([]finding) bool) {
		if s.link != "" {
			send([]finding{{err: ErrNotFollowed}})
			return
		}
		f, err := s.open(ctx)
		if err != nil {
			send([]finding{{err: err}})
			return
		}
		defer f.Close()
		o := o
		o.Path, o.Context, o.Size = absolute(s.path), ctx, s.info.Size()
		var batch []finding
		octets := 0 // of them: one reference may be a megabyte
		for found, err := range Document(s.path, f, o) {
			octets += len(found.URI) + len(found.Raw) + len(found.Context)
			if batch = append(batch, finding{found: found, err: err}); len(batch) < batchFindings && octets < batchOctets {
				continue
			}
			if !send(batch) {
				return
			}
			batch, octets = nil, 0
		}
		send(batch)
	}
	return func(yield func(extract.Found, error) bool) {
		links := 0
		for batch := range sideBySide(ctx, sources(paths, way{Selection: which}), read) {
			for _, f := range batch {
				if f.err == ErrNotFollowed {
					links++
				} else if !yield(f.found, f.err) {
					return
				}
			}
		}
		if err := ctx.Err(); err != nil {
			yield(extract.Found{}, err)
		} else if links > 0 {
			yield(extract.Found{}, fmt.Errorf("%s %w", plural(links, "link to a folder is", "links to folders are"), ErrNotFollowed))
		}
	}
}

// Document is extract.Document whose reader may fail as a program: that is a damage of
// this document, and the others are read. No document is known that does it.
func Document(source string, r io.Reader, o extract.Options) iter.Seq2[extract.Found, error] {
	return func(yield func(extract.Found, error) bool) {
		given, more := false, true // whether yield runs, whose faults are its own; whether it wants more
		defer func() {
			if given {
				return
			}
			if caught := fault.Of(recover()); caught != nil && more {
				yield(extract.Found{}, &extract.Damage{Source: source, Err: fmt.Errorf("a fault of this program, not of the document, ended the reading: %v", caught)})
			}
		}()
		if p := o.Preprocess; p != nil && o.Path != "" && p.Wants(o.Path) {
			text, err := preprocessed(r, &o)
			if err != nil {
				yield(extract.Found{}, &extract.Damage{Source: source, Err: err})
				return
			}
			defer text.Close()
			r = text
		}
		for found, err := range extract.Document(source, r, o) {
			given = true
			more = yield(found, err)
			if given = false; !more {
				return
			}
		}
	}
}

// preprocessed is the text that a program makes of the file that r reads. The file is read
// to its end, for whoever sums it.
func preprocessed(r io.Reader, o *extract.Options) (io.ReadCloser, error) {
	if _, err := io.Copy(io.Discard, r); err != nil {
		return nil, err
	}
	o.Input, o.Size = "text", 0
	return o.Preprocess.Open(cmp.Or(o.Context, context.Background()), o.Path)
}
