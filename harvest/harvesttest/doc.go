// Package harvesttest has what tests of harvesters have in common: a small model of the store,
// and a reader of a web site in memory. The suite that every harvester passes stands with the
// tests of package harvest.
//
// The files in reading order:
//
//	store.go     what is kept of a root: a small model of the store
//	known.go     what a harvester sees of it
//	handler.go   a reader of a web site in memory
package harvesttest
