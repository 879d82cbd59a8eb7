// Package crawl probes what is due. Check makes a run over a store: it plans, probes,
// tries weak failures once more, recognizes that our own network is down, and keeps
// the results. Probe only probes a list of URIs, without a store. Package check knows
// how to ask a server; package judge knows what results mean over the nights.
//
// Three parts share the work. The host queues (crawl/hostqueue) say which link is
// next; they never wait themselves. The workers do what takes time, and send its
// outcome on a channel. A run (checkRun or probeList) decides, in one goroutine: a
// dispatcher starts the workers for it and yields what happens as events.
//
// There are two clocks. Options.Now, which a test or --now may set, gives the times
// that are recorded. Gaps, delays and limits use the monotonic clock of package time,
// since they have to pass in any case.
//
// The files in reading order:
//
//	options.go   what the caller sets and gets
//	check.go     Check: a run from its plan to its summary, with the retry
//	plan.go      what is due, in its order
//	keep.go      results: kept at once, or at the end of the run
//	canary.go    links known to be good, which tell whether our own network is down
//	probe.go     Probe: a list of URIs, without a store
//	turns.go     readings of archives take turns with the probes
//	inrow.go     articles that are asked for in a row
//	dispatch.go  jobs from turns, events from outcomes; redirects and back-offs
//	ahead.go     links are loaded before their turns
//	workers.go   what a worker does
//	gates.go     turns that several Checks share
//	failures.go  servers that are not there are not asked again
//	network.go   whether our own network is down
//	vantage.go   the same as several Checks see it together
//	hosts.go     queues, names, addresses and gaps of hosts
//	links.go     what to probe for a link
//	shared.go    what several roots ask for once
//	heard.go     what readings of archives heard of links
//	writer.go    results into the store, in batches
//	results.go   what a result means for its host, and whether it may be amended
package crawl
