package fleet

import (
	"context"
	"errors"
	"iter"
	"time"

	"linkcheck/store"
)

var (
	// ErrFenced says that another claim stands: who appended serves the shard no more.
	ErrFenced = errors.New("another claim has taken its place")
	// ErrGap says that a log does not hold the change that a store has made last: the file
	// is too old, or the log has lost its end.
	ErrGap = errors.New("the log does not hold the last change of this store")
)

// Log keeps the changes of each shard, in one order for all who read it.
type Log interface {
	// Append puts a change at the end of the log of a shard and gives its place there. Once
	// another claim stands than that of its fence, the error is ErrFenced and nothing was
	// written. A change that comes again under its id within two minutes keeps its place;
	// after an error it may be in the log or not.
	Append(ctx context.Context, shard int, fence Fence, id string, c store.Change) (seq uint64, err error)

	// Read yields what is in the log of a shard behind a place, then what comes, until ctx
	// ends. The change at that place has to be there, and behind 0 all that ever was, else the
	// error is ErrGap. An entry that cannot be decoded is yielded with its error, and is the last.
	Read(ctx context.Context, shard int, after uint64) iter.Seq2[Entry, error]
}

// Fence is the claim under which a change is made, mostly that of the shard to which it goes.
type Fence struct {
	Shard int
	Claim uint64 // its place; 0: anybody may make the change, at any time
}

// idsKnown is for how long a log knows the ids of what was appended.
const idsKnown = 2 * time.Minute

// Entry is a place in the log of a shard: a change or a claim.
type Entry struct {
	Seq    uint64 // greater than that of every entry before it
	Change store.Change
	Fenced bool   // the change was made under the claim of this shard
	Claim  *Claim // nil: a change
}

// Claim says who serves a shard from its place in the log on.
type Claim struct {
	Worker      string `json:"worker"` // "": it was given back, and is free
	Incarnation string `json:"incarnation"`
	Clean       bool   `json:"clean"` // given back with no turn out and no gap open
}

// Session says that a worker lives, or with no incarnation that it has ended.
type Session struct {
	Worker      string `json:"worker"`
	Incarnation string `json:"incarnation"` // one for each time that it began to live
	Leaving     bool   `json:"leaving,omitempty"`
	Reads       bool   `json:"reads,omitempty"` // it serves the first shard and no other
}

// Engine is what the workers of a fleet share. What it says is of one moment; what is
// appended is judged by what stands then.
type Engine interface {
	Log

	// Claim appends a claim behind the last one, whose place is last (0: there was none);
	// ErrFenced where another was faster.
	Claim(ctx context.Context, shard int, last uint64, c Claim) (seq uint64, err error)
	// LastClaim gives the last claim of a shard and its place; 0: there is none.
	LastClaim(ctx context.Context, shard int) (c Claim, seq uint64, err error)

	// Renew keeps a session for as long as sessions live. last is what the renewal before
	// gave, 0: none; ErrFenced where that is not what stands, since it ended or is another's.
	Renew(ctx context.Context, s Session, last uint64) (seq uint64, err error)
	// Living gives the sessions that have not ended, by worker.
	Living(ctx context.Context) (map[string]Life, error)

	// Purge forgets the changes of a shard before a place.
	Purge(ctx context.Context, shard int, before uint64) error

	// Send hands a message to all who hear a name. It may be lost.
	Send(name string, msg []byte)
	// Hear calls f with the messages to a name, one at a time, until stop is called.
	Hear(name string, f func(msg []byte)) (stop func(), err error)
}

// Life is a session with what the next renewal has to name.
type Life struct {
	Session
	Seq uint64
}
