// Command benchpeers does the same work with linkcheck and with what a user would pick in
// its place, one program after the other on one machine, and writes docs/BENCHMARKS.md:
//
//	make bench-peers               everything, at the sizes that the paper names
//	make bench-peers SIZE=small    a quick pass
//
// All servers are in this process, on loopback, and tell the truth: they know which link is
// live, dead, moved, walled, soft-404, slow or flapping, so the answers of each program can be judged
// beside its speed. Documents are made with the list of their links.
//
// The files, in reading order:
//
//	main.go       what is done, in which order
//	paper.go      docs/BENCHMARKS.md
//	chart.go      its pictures
//	works.go      the works: which links and documents, which programs
//	tools.go      the programs: how each is called
//	outputs.go    what each says of a link
//	judge.go      what is said against the truth
//	server.go     the servers that tell it
//	documents.go  documents whose links are known
//	cost.go       one program measured
package main
