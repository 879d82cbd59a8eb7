package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"linkcheck/store"
)

// Read is that of Log: a question for each entry, and where there is no other one a look
// each second, or at once when something was appended from here.
func (n *NATS) Read(ctx context.Context, shard int, after uint64) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		if err := n.mustHold(ctx, shard, after); err != nil {
			if ctx.Err() == nil {
				yield(Entry{}, err)
			}
			return
		}
		wake := n.shard(shard).wake
		for ctx.Err() == nil {
			m, err := n.get(ctx, after+1, jetstream.WithGetMsgSubject(n.subject("*", shardName(shard))))
			if err != nil {
				wait := again
				if errors.Is(err, jetstream.ErrMsgNotFound) {
					wait = lookAgain
				}
				select {
				case <-time.After(wait):
				case <-wake:
				case <-ctx.Done():
				}
				continue
			}
			if after = m.Sequence; strings.Contains(m.Subject, ".cut.") {
				continue
			}
			e, err := entryOf(m)
			if !yield(e, err) || err != nil {
				return
			}
		}
	}
}

func (n *NATS) get(ctx context.Context, seq uint64, o ...jetstream.GetMsgOpt) (*jetstream.RawStreamMsg, error) {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	return n.logs.GetMsg(ctx, seq, o...)
}

// mustHold gives ErrGap where the change at a place is not there.
func (n *NATS) mustHold(ctx context.Context, shard int, at uint64) error {
	for at == 0 {
		var before uint64
		cut, err := last(ctx, n.logs, n.subject("cut", shardName(shard)), &before)
		switch {
		case err == nil && cut != 0:
			return fmt.Errorf("what stood before place %d: %w", before, ErrGap)
		case err == nil:
			return nil
		}
		if err := pause(ctx, again); err != nil {
			return err
		}
	}
	for at != 0 {
		m, err := n.get(ctx, at)
		switch {
		case errors.Is(err, jetstream.ErrMsgNotFound), err == nil && (!strings.HasSuffix(m.Subject, "."+shardName(shard)) || isClaim(m)):
			return fmt.Errorf("place %d: %w", at, ErrGap)
		case err == nil:
			return nil
		}
		if err := pause(ctx, again); err != nil {
			return err
		}
	}
	return nil
}

func isClaim(m *jetstream.RawStreamMsg) bool { return strings.Contains(m.Subject, ".own.") }

func entryOf(m *jetstream.RawStreamMsg) (e Entry, err error) {
	e.Seq, e.Fenced = m.Sequence, strings.Contains(m.Subject, ".log.")
	if isClaim(m) {
		e.Claim = &Claim{}
		return e, json.Unmarshal(m.Data, e.Claim)
	}
	e.Change, err = store.DecodeChange(m.Data)
	return e, err
}
