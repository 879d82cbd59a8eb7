package fleet

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"linkcheck/store"
)

// fold makes the changes of the log in the store until ctx ends. A change that cannot be
// decoded is not passed over: stores of different owners would come to differ.
func (s *service) fold(ctx context.Context, st *store.Store) {
	for e, err := range s.w.o.Engine.Read(ctx, s.n, st.Cursor()) {
		switch {
		case err != nil && errors.Is(err, ErrGap):
			s.end(err)
			return
		case err != nil:
			s.set(func() { s.stuck = fmt.Errorf("entry %d: %w", e.Seq, err) })
			return
		case e.Claim != nil && e.Seq > s.claim:
			s.end(ErrFenced)
			return
		case e.Change != nil:
			if err := st.Apply(e.Seq, e.Change); err != nil {
				s.end(err)
				return
			}
		}
		s.set(func() {
			if s.applied, s.live = e.Seq, s.live || e.Seq >= s.claim; e.Change != nil && !e.Fenced {
				s.news++
			}
		})
	}
}

// hand puts what another shard is to know into its log, in the name of this one.
func (s *service) hand(shard int, c store.Change) error {
	_, err := s.append(shard, c)
	return err
}

// append puts a change into a log under the claim of this service, which ends where that
// does not succeed: the change may be there or not.
func (s *service) append(shard int, c store.Change) (uint64, error) {
	id := fmt.Sprintf("%d/%d", s.claim, s.number.Add(1))
	seq, err := s.w.o.Engine.Append(s.ctx, shard, Fence{s.n, s.claim}, id, c)
	if err != nil {
		s.end(err)
	}
	return seq, err
}

// emit puts a change of the store into the log, and waits until it has come back from there.
func (s *service) emit(c store.Change) error {
	s.mu.Lock()
	stuck := s.stuck
	s.mu.Unlock()
	if err := cmp.Or(stuck, context.Cause(s.ctx)); err != nil {
		return err
	}
	seq, err := s.append(s.n, c)
	if err != nil {
		return err
	}
	for {
		s.mu.Lock()
		applied, stuck, changed := s.applied, s.stuck, s.changed
		s.mu.Unlock()
		if applied >= seq || stuck != nil {
			return stuck
		}
		select {
		case <-changed:
		case <-s.ctx.Done():
			return context.Cause(s.ctx)
		}
	}
}
