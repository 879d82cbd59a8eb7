// Package memento asks web archives for copies of pages: TimeGates and TimeMaps (RFC 7089),
// CDX servers, and collections on a disk. A campaign asks about one link after the other,
// with a pause between two questions of one archive, looks at each copy before it is
// believed, and keeps every answer in the store at once. All requests go through Client.Doer.
//
// The files in reading order:
//
//	campaign.go which links are asked about, for which days, and what it comes to
//	job.go      one link and its days; the sum of a campaign
//	look.go     whether a copy is one
//	archive.go  archives and their copies; those that the documents of the store name
//	timegate.go TimeGates and TimeMaps
//	links.go    lists of links, as headers and TimeMaps have them
//	cdx.go      CDX servers, and the lines of an index
//	own.go      collections on a disk
//	client.go   requests: their pauses, and archives that want to be left alone
//	save.go     archives asked to keep what still lives
//	copies.go   the files of answers of older programs
package memento
