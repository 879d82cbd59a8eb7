// Package resolver asks the resolvers of persistent identifiers (DOIs and other handles,
// ARKs, URN:NBN) whether a name is registered, before what it leads to is asked. It is a
// prober around that of the web: addresses that no resolver serves go there as they are.
//
// A handle is asked for by the REST interface of the proxy servers of the Handle System,
// which tells a handle that does not exist from a server that has a bad day. Other resolvers
// redirect from a name that they know and answer 404 for one that they do not.
//
// The files, in reading order:
//
//	probe.go        New; a probe from the name to what it leads to
//	classify.go     what the answers of both mean together
//	handle.go       the REST interface of handles
//	services.go     the resolvers, which resolvers.toml lists
package resolver
