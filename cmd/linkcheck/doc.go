// Command linkcheck finds the links in archives of old documents, asks each
// server in its own protocol whether the thing is still there, and reports what
// to mend. This folder holds flags, words for people and exit codes; it alone
// wires the packages together.
//
// The files in reading order:
//
//	main.go          the program, and the list of its verbs
//	cmd_run.go       run: read the sources, check what is due; the flags that choose the links; a dry run
//	cmd_extract.go   extract: only read; lint: how addresses are written
//	cmd_check.go     check: ask about URIs once; extract of one page; one answer, in JSON and in words
//	night.go         what run and check do with a store
//	cmd_fleet.go     fleet: the set of an engine, its workers, and how they are
//	fleetnight.go    run --engine: the night of a fleet
//	roots.go         which archives a run reads, and reading those over the network
//	fleetwork.go     fleet work; the worker that a run of a fleet is, too
//	news.go          the summary of a run, its news by mail, the figures that it leaves however it ends
//	cmd_demo.go      demo: everything at work on loopback
//	cmd_report.go    report, dupes
//	cmd_serve.go     serve: the report in a browser
//	cmd_explain.go   explain: everything about one link; normalize, compare; schemes, reasons and flags in a table
//	cmd_mend.go      mend: corrected copies of the sources
//	cmd_archive.go   archive: archived copies of what is dead; what reports and mend know of them
//	lists.go         what each gets who mends links: files of a report, mails; faults of documents and of a store
//	cmd_mark.go      mark: a person's decision
//	cmd_log.go       note, assign, fix, log: what else people say of links, and what they said
//	cmd_sources.go   store sources, forget, rename: what was read; roots: archives and how each fares
//	cmd_store.go     store: verify, back up, salvage, compact, prune, export, import
//	cmd_init.go      init, man, version: what the program says about itself
//	config.go        flags from the environment and from a file, and what is set there for single hosts
//	storefile.go     opening a store, what its errors mean, options of its reports; redirects; the writer of serve --edit
//	files.go         files that are written, lines of standard input, rows, what is said to people; flags that many verbs have; the collector
//	errors.go        what failures of a store and of a fleet mean to the shell; confining a verb, and the browser that starts before; what --fail-on matches
package main
