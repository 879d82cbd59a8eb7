// Package equal says why two references are the same: it makes the keys of a URI on
// every level of equality, compares, groups and explains. It knows no grammar: the
// schemes are those of package uri, and the rules work on [uri.Parts].
//
// Files in reading order: equal.go (levels, keys, rules), group.go, explain.go,
// compare.go, codes.go, normalize.go (the steps from a string to its keys), rules.go (the
// list of all rules), resolver.go, heuristic.go, heuristicweb.go, heuristicnet.go,
// protocol.go, edit.go.
package equal
