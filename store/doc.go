// Package store holds what is known between runs: links, mentions, results, history and
// states in one bbolt file, or in a set of them. Nothing outside this folder knows bbolt; no bbolt type shows
// in a signature, and what is returned is copied.
//
// All that is written is a Change, which Apply makes: what a store knows follows from its
// changes in their order.
//
// A new row is committed at once and put in its final place later (see
// internal/pending); readers see the store as if everything were in its place. What a
// link's results mean is not decided here but in the package judge.
//
// The files, in reading order:
//
//	types.go       Link, Mention, Event, Pin, Run, Source, and the errors
//	open.go        Store: open, put in order what a crash left, close
//	canon.go       what a store knows, as text that is the same of equal stores
//	fleet.go       a fleet, whose shards are stores of their own: what is read divided over them, what they know united
//	export.go      the store as text, with passwords or without
//	exportrows.go  the rows of each bucket as JSON
//	import.go      a store from its text
//	schema.go      the buckets; stores of older schemas and editions
//	verify.go      what is wrong with a store
//	salvage.go     what can be saved of a damaged store
//	ingest.go      Ingest: a reading of sources, step by step
//	retire.go      the end of a reading: mentions that vanished, how new links are spelled
//	move.go        sources that are known by another path, or in another collection
//	addbatch.go    Prepare; mentions and new links of a batch
//	probing.go     Due: what to probe; Record: how a result is judged
//	links.go       Each, Find, Explain; Sets: links that are the same at a level; Stats
//	scan.go        Scan and Entry: links with mentions and history, all or those that are picked; their rows, read side by side
//	pins.go        what people say of links and hosts; Prune: forgetting what is old
//	sources.go     sources, and the messages in them that links name
//	root.go        archives that are not on this disk, and their documents
//	runs.go        runs, Tally; what results say of hosts that asked to be left alone
//	change.go      Change, Apply: all that is written of what is read and asked; changes as octets
//	rows.go        the rows of links and events, and what a result that was judged writes into them
//	sourcerow.go   the rows of sources
//	staterow.go    the rows of a link's state and of a mention, and who holds that
//	files.go       one file or a set of them; snapshots, copies
package store
