// Package crawl asks about what is due. Check makes a run over a store: it plans,
// probes, tries weak failures once more, tells a network of our own that is down
// from servers that are, and keeps the results. Probe does the probing alone, for
// URIs without a store. How a server is asked is the affair of package check, and
// what a result means over the nights that of package judge.
//
// Three things share the work. The host queues (crawl/hostqueue) say which link is
// next; they wait for nothing. The workers do what takes time, and send its outcome
// on a channel. The run decides, in one goroutine; a dispatcher stands between it and
// the others and yields what happens as events.
//
// There are two clocks. What is recorded bears the time of Options.Now, which a
// test or --now may set. Gaps, delays and limits go by the monotonic clock of package
// time, since they have to pass in any case.
//
// The files in reading order:
//
//	options.go   what the caller says and hears
//	check.go     Check: a run from its plan to its summary, with the retry
//	plan.go      what is due, in its order
//	keep.go      results: kept at once, or held until the end of the run
//	probe.go     Probe: a list of URIs, without a store
//	dispatch.go  turns into jobs, outcomes into events; redirects and back-offs
//	workers.go   what a worker does
//	failures.go  servers that are not there are asked no more
//	network.go   is our own network down?
//	links.go     what to ask about a link
//	writer.go    results into the store, in batches
//	results.go   what a result says of a host, and what may amend it
package crawl
