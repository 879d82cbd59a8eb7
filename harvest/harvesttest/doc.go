// Package harvesttest has the suite that every harvester passes: whatever a server does
// and wherever a run is cut off, no living document is lost, and what is read in the end
// is what would have been read otherwise.
//
// The files in reading order:
//
//	suite.go     Case, and the laws
//	faults.go    servers that fail at one request
//	store.go     what is kept of a root: a small model of the store
//	known.go     what a harvester sees of it
//	handler.go   a reader of a web site in memory
package harvesttest
