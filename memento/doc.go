// Package memento asks web archives for copies of pages: TimeGates and TimeMaps (RFC 7089),
// CDX servers, and collections on a disk. A campaign asks about one link after the other,
// with a pause between two questions of one archive, looks at each copy before it is
// believed, and keeps every answer in the store at once. All requests go through Client.Doer.
//
// The files in reading order:
//
//	save.go     archives asked to keep what still lives
//	campaign.go which links are asked about, for which days
//	job.go      one link and its days; what a campaign came to
//	look.go     whether a copy is one
//	timegate.go TimeGates and TimeMaps
//	own.go      collections on a disk
//	cdx.go      CDX servers, and the lines of an index
//	links.go    lists of links, as headers and TimeMaps have them
//	archive.go  archives and their copies; those that the documents of the store name
//	client.go   requests: their pauses, and archives that want to be left alone
//	copies.go   the files of answers of older programs
package memento
