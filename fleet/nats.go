package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"linkcheck/store"
	"linkcheck/store/setfile"
)

const (
	appendTime = idsKnown / 2     // for so long an append is repeated: never beyond the memory of its id
	askTime    = 15 * time.Second // of one question to the engine, the greeting too: one that begins again may read its log first
	again      = 200 * time.Millisecond
	lookAgain  = time.Second // at a log that had nothing new
	mostOctets = 16 << 20    // of a message: a change is what a store commits at a time
)

// wrongLast is the code of a server for an append whose fence does not hold;
// [jetstream.JSErrCodeStreamWrongLastSequenceConstant] is that for one which it has not
// judged, since another is under way: it comes again.
const wrongLast = jetstream.JSErrCodeStreamWrongLastSequence

// NATS is the engine of a set on a NATS server with JetStream: a stream for the logs, with
// three subjects a shard, and one for the sessions, whose messages end by themselves.
//
// Everything is read by questions to the leader of a stream, which knows all that was
// appended; there are no consumers.
type NATS struct {
	Set string        // its name
	Of  *setfile.Set  // what Find has found that it says of itself
	TTL time.Duration // for so long a session lives after a renewal, as Find has found

	conn *nats.Conn
	js   jetstream.JetStream
	logs jetstream.Stream
	live jetstream.Stream

	forbidden atomic.Pointer[error] // what the server has last refused to us, until it is told
	asked     sync.Map              // the subjects of messages that are not answered yet, with what ends the waiting

	mu     sync.Mutex
	shards map[int]*natsShard
}

var _ Engine = (*NATS)(nil)

// natsShard is what is known here of the log of a shard.
type natsShard struct {
	appending sync.Mutex    // under its claim one at a time: a replicated stream refuses the second
	wake      chan struct{} // something was appended from here
}

// Close ends the connection.
func (n *NATS) Close() { n.conn.Close() }

func (n *NATS) subject(kind, name string) string { return "lc." + n.Set + "." + kind + "." + name }

func (n *NATS) shard(shard int) *natsShard {
	n.mu.Lock()
	defer n.mu.Unlock()
	s := n.shards[shard]
	if s == nil {
		s = &natsShard{wake: make(chan struct{}, 1)}
		n.shards[shard] = s
	}
	return s
}

// publish appends a message, once.
func (n *NATS) publish(ctx context.Context, subject string, data []byte, o ...jetstream.PublishOpt) (uint64, error) {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	n.asked.Store(subject, cancel)
	defer n.asked.Delete(subject)
	ack, err := n.js.PublishMsg(ctx, &nats.Msg{Subject: subject, Data: data}, o...)
	var refused *jetstream.APIError
	switch {
	case err == nil:
		return ack.Sequence, nil
	case errors.As(err, &refused) && refused.ErrorCode == wrongLast:
		return 0, ErrFenced
	}
	return 0, n.mayNot(err)
}

// forbid notes what the server has refused to us. A message that it names is not waited for: no
// answer to it will come.
func (n *NATS) forbid(err error) {
	n.forbidden.Store(&err)
	n.asked.Range(func(subject, end any) bool {
		if strings.Contains(err.Error(), strconv.Quote(subject.(string))) {
			end.(context.CancelFunc)()
		}
		return true
	})
}

// mayNot is the error of something that was not answered; where the server has told that we may
// not do what we did, it wraps ErrRefused. That is told apart from the answer, which does not come.
func (n *NATS) mayNot(err error) error {
	if told := n.forbidden.Swap(nil); told != nil && (errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)) {
		return fmt.Errorf("%w: %w", ErrRefused, *told)
	}
	return err
}

// Append is that of Log. It repeats what is not answered, for a minute at most: after that
// the log might not know the id of what it has.
func (n *NATS) Append(ctx context.Context, shard int, fence Fence, id string, c store.Change) (seq uint64, err error) {
	subject, one, opts := n.subject("in", shardName(shard)), shard, []jetstream.PublishOpt{jetstream.WithMsgID(id)}
	if fence.Claim != 0 {
		opts = append(opts, jetstream.WithExpectLastSequenceForSubject(fence.Claim, n.subject("own", shardName(fence.Shard))))
		if one = fence.Shard; one == shard {
			subject = n.subject("log", shardName(shard))
		}
	}
	octets := store.EncodeChange(c)
	appending := &n.shard(one).appending
	appending.Lock()
	defer appending.Unlock()
	ctx, cancel := context.WithTimeout(ctx, appendTime)
	defer cancel()
	for {
		seq, err = n.publish(ctx, subject, octets, opts...)
		if err == nil {
			select {
			case n.shard(shard).wake <- struct{}{}:
			default:
			}
			return seq, nil
		}
		if errors.Is(err, ErrFenced) || errors.Is(err, ErrRefused) || errors.Is(err, nats.ErrMaxPayload) || pause(ctx, again) != nil {
			return 0, fmt.Errorf("shard %s: append: %w", shardName(shard), err)
		}
	}
}

// Claim is that of Engine.
func (n *NATS) Claim(ctx context.Context, shard int, last uint64, c Claim) (uint64, error) {
	data, err := json.Marshal(c)
	if err != nil {
		return 0, err
	}
	return n.publish(ctx, n.subject("own", shardName(shard)), data, jetstream.WithExpectLastSequencePerSubject(last))
}

// LastClaim is that of Engine.
func (n *NATS) LastClaim(ctx context.Context, shard int) (c Claim, seq uint64, err error) {
	seq, err = last(ctx, n.logs, n.subject("own", shardName(shard)), &c)
	return c, seq, err
}

// last reads the last message of a subject; seq 0: there is none.
func last(ctx context.Context, s jetstream.Stream, subject string, v any) (seq uint64, err error) {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	m, err := s.GetLastMsgForSubject(ctx, subject)
	switch {
	case errors.Is(err, jetstream.ErrMsgNotFound):
		return 0, nil
	case err != nil:
		return 0, err
	}
	return m.Sequence, json.Unmarshal(m.Data, v)
}

// Renew is that of Engine.
func (n *NATS) Renew(ctx context.Context, s Session, last uint64) (uint64, error) {
	data, err := json.Marshal(s)
	if err != nil {
		return 0, err
	}
	return n.publish(ctx, n.subject("alive", s.Worker), data, jetstream.WithExpectLastSequencePerSubject(last))
}

// Living is that of Engine.
func (n *NATS) Living(ctx context.Context) (map[string]Life, error) {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	info, err := n.live.Info(ctx, jetstream.WithSubjectFilter(n.subject("alive", "*")))
	if err != nil {
		return nil, err
	}
	living := map[string]Life{}
	for subject := range info.State.Subjects {
		var l Life
		if l.Seq, err = last(ctx, n.live, subject, &l.Session); err != nil {
			return nil, err
		}
		if l.Seq != 0 {
			living[l.Worker] = l
		}
	}
	return living, nil
}

// Purge is that of Engine. Before anything is forgotten it is noted from where on the log holds
// all.
func (n *NATS) Purge(ctx context.Context, shard int, before uint64) error {
	data, err := json.Marshal(before)
	if err != nil {
		return err
	}
	cut, err := n.publish(ctx, n.subject("cut", shardName(shard)), data)
	if err != nil {
		return err
	}
	if err := n.logs.Purge(ctx, jetstream.WithPurgeSubject(n.subject("cut", shardName(shard))), jetstream.WithPurgeSequence(cut)); err != nil {
		return err
	}
	for _, kind := range []string{"in", "log"} {
		if err := n.logs.Purge(ctx, jetstream.WithPurgeSubject(n.subject(kind, shardName(shard))), jetstream.WithPurgeSequence(before)); err != nil {
			return err
		}
	}
	return nil
}

// Send is that of Engine.
func (n *NATS) Send(name string, msg []byte) { _ = n.conn.Publish("lc."+n.Set+"."+name, msg) } // it may be lost

// Hear is that of Engine.
func (n *NATS) Hear(name string, f func([]byte)) (stop func(), err error) {
	s, err := n.conn.Subscribe("lc."+n.Set+"."+name, func(m *nats.Msg) { f(m.Data) })
	if err != nil {
		return nil, err
	}
	return func() { _ = s.Unsubscribe() }, nil
}
