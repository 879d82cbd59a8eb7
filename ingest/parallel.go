package ingest

import (
	"context"
	"iter"
	"runtime"

	"golang.org/x/sync/errgroup"

	"linkcheck/internal/fault"
)

const sentAhead = 4 // parts of one source that may wait for their turn

// sideBySide calls read for each source, for as many at a time as there are
// processors, and yields what they send in the order of the sources. send returns
// false when the caller wants no more. What panics in read, or in sources, panics here.
func sideBySide[T any](ctx context.Context, sources iter.Seq[source], read func(ctx context.Context, s source, send func(T) bool)) iter.Seq[T] {
	return func(yield func(T) bool) {
		ctx, cancel := context.WithCancel(ctx)
		var walker fault.Group
		var readers errgroup.Group
		readers.SetLimit(runtime.GOMAXPROCS(0))
		queue := make(chan chan T, runtime.GOMAXPROCS(0))
		walker.Go(func() {
			defer close(queue)
			for s := range sources {
				sent := make(chan T, sentAhead)
				select {
				case queue <- sent:
				case <-ctx.Done():
					return
				}
				readers.Go(func() (err error) {
					defer close(sent)
					defer fault.Catch(&err)
					read(ctx, s, func(v T) bool {
						select {
						case sent <- v:
							return true
						case <-ctx.Done():
							return false
						}
					})
					return nil
				})
			}
		})
		defer func() {
			cancel()
			walker.Wait()
			if err := readers.Wait(); err != nil {
				panic(err)
			}
		}()
		for sent := range queue {
			for v := range sent {
				if !yield(v) {
					return
				}
			}
		}
	}
}
