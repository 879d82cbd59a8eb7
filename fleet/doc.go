// Package fleet is what workers on several machines need to be one program over one set: a
// log for each shard, claims that say who serves it, and turns at the gates of hosts. A shard
// is a store that is a fold over its log, so that whoever takes it over knows what the one
// before knew; what an earlier owner still writes is refused by the log itself.
//
// No clocks of different machines are compared. A worker is sure of itself for a while by its
// own, and does nothing that others could meet while it is not.
//
// The files, in reading order:
//
//	worker.go    Worker: lives, claims what is free, serves it, gives it back
//	night.go     Night: the night of a shard, as the program makes it
//	status.go    how workers and their shards are: Look, Drain
//	service.go   one shard under one claim: its gates, its store, its copies
//	life.go      the session of a worker, and how sure of it the worker is
//	fold.go      the log into the store, and the store's changes into the log
//	copies.go    copies of shards in a folder that all workers see
//	question.go  what readings ask of other shards
//	asker.go     Asker: the turns of the probes of a shard
//	keeping.go   the keeper of a shard at work
//	keeper.go    gates: one turn at a time, and a gap. Pure
//	log.go       Log and Engine: what workers share
//	natsset.go   Dial, Find: the set of an engine
//	found.go     Make: an empty set there, or one of a store
//	natsread.go  how the log is read on a NATS server
//	nats.go      NATS: an engine there
//	memory.go    one within the process
//	place.go     where hosts and gates belong, and who is to serve
package fleet
