// Package harvest decides how archives are read that are not on this disk: web sites, FTP
// trees, gopher holes, newsgroups, mailboxes and catalogues. It says what is asked next, what has
// changed and what is gone. It asks through the check.Reader that it is handed, and keeps
// nothing: no connection, no goroutine, no clock and no store of its own.
//
// An archive is a root: a URI. A document of it is what its server can call changed or
// gone by itself: a page, a file, an article, a record of a catalogue. There are three
// shapes of archives: a walk (things that name each other: http, ftp, gopher), a roll
// (things numbered upwards: newsgroups, mailboxes) and pages (records in portions: OAI-PMH, SRU,
// Z39.50).
//
// The files in reading order:
//
//	harvest.go   Harvester, and what it yields
//	walk.go      walks over the web: their order
//	ask.go       asking for a document, and telling what came
//	trees.go     which items of a gopher server are documents, and which files of an FTP server
//	lists.go     what sitemaps and the listings of folders name
//	frontier.go  what is to be asked for, and what documents lead to
//	postpone.go  what waits until all others were asked for
//	roll.go      newsgroups
//	groups.go    which there are, and what is in them
//	mailbox.go   mailboxes
//	articles.go  asking for articles and messages
//	reading.go   how a walk asks and tells, and what it keeps of answers
//	scope.go     which addresses are documents, and their names
//	traps.go     addresses without end
//	folders.go   folders whose names may have no end
//	late.go      parts of a site that may have no end
//	oai.go       catalogues that share records by OAI-PMH: a sweep of one
//	oaiwindow.go   its lists, which may break
//	oairecord.go   the records in them, and their pages
//	oaimark.go     how far its harvests have come
//	searches.go  what a query finds on a server of SRU or WASAPI, and in a database of Z39.50
//	resultset.go what a query finds: lists of records that have places alone
//	catalogue.go what catalogues have in common
//	queue.go     what waits; sets of hashes, such as what was seen and asked for
//	answers.go   what an answer without a document says of it and of the server; one page for every address
//	root.go      roots: their URIs, bounds and schedules, and their harvesters
package harvest
