package fleet

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"time"

	"linkcheck/crawl"
	"linkcheck/store"
	"linkcheck/store/setfile"
)

// question is what a reading in one shard has to know of another, whose owner answers to a name
// of the question's own.
type question struct {
	V      int       `json:"v"`
	To     string    `json:"to"`
	Linked string    `json:"linked,omitempty"` // an address
	Dying  time.Time `json:"dying,omitzero"`   // when
	From   int       `json:"from,omitempty"`   // the first of the dying that is told
}

// reply answers a question. A part of a list ends with the first mostTold of them.
type reply struct {
	Linked bool     `json:"linked,omitempty"`
	Dying  []string `json:"dying,omitempty"`
	More   bool     `json:"more,omitempty"`
}

// Linked says whether a document that stands holds a link to an address, whatever shard has it
// (harvest.Known). It waits for whoever serves that, until ctx ends.
func (s *Shard) Linked(ctx context.Context, address string) (bool, error) {
	a, err := s.ask(ctx, setfile.OfLink(address, s.w.o.Shards), question{Linked: address})
	return a.Linked, err
}

// Dying gives what crawl.Dying gives of each shard. It waits for whoever serves them, until ctx
// ends.
func (s *Shard) Dying(ctx context.Context, now time.Time) (all []string, err error) {
	for n := range s.w.o.Shards {
		for from, more := 0, true; more; {
			a, err := s.ask(ctx, n, question{Dying: now, From: from})
			if err != nil {
				return nil, err
			}
			all, from, more = append(all, a.Dying...), from+len(a.Dying), a.More
		}
	}
	return all, nil
}

// ask asks until there is an answer: owners come and go, and messages may be lost.
func (s *Shard) ask(ctx context.Context, shard int, q question) (a reply, err error) {
	if q.V, q.To = turnVersion, "told."+rand.Text(); shard == s.Number {
		return q.answer(s.Store)
	}
	replies := make(chan reply, 1)
	stop, err := s.w.o.Engine.Hear(q.To, func(msg []byte) {
		var a reply
		if json.Unmarshal(msg, &a) != nil {
			return
		}
		select {
		case replies <- a:
		default: // one is enough
		}
	})
	if err != nil {
		return a, err
	}
	defer stop()
	msg, err := json.Marshal(&q)
	for err == nil {
		s.w.o.Engine.Send("ask."+shardName(shard), msg)
		select {
		case a = <-replies:
			return a, nil
		case <-time.After(s.w.o.Times.Repeat):
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	return a, err
}

// hearQuestions answers by what a store knows. A question that it cannot answer comes again.
func (s *service) hearQuestions(st *store.Store) (stop func(), err error) {
	return s.w.o.Engine.Hear("ask."+shardName(s.n), func(msg []byte) {
		var q question
		if json.Unmarshal(msg, &q) != nil || q.V != turnVersion {
			return
		}
		a, err := q.answer(st)
		if err != nil {
			return
		}
		if b, err := json.Marshal(&a); err == nil {
			s.w.o.Engine.Send(q.To, b)
		}
	})
}

func (q *question) answer(st *store.Store) (a reply, err error) {
	if q.Linked != "" {
		l, found, err := st.Find(q.Linked)
		return reply{Linked: found && l.Mentions > 0}, err
	}
	a.Dying, err = crawl.Dying(st, q.Dying)
	a.Dying = a.Dying[min(max(q.From, 0), len(a.Dying)):]
	if a.More = len(a.Dying) > mostTold; a.More {
		a.Dying = a.Dying[:mostTold]
	}
	return a, err
}
