// Package hardening attacks the program from outside, as a stranger would who sends
// documents, leaves files in a folder, or runs a server. The program is built once and
// started anew for every attack; what it prints, writes, dials and costs is looked at
// by one measure for all. The package has no code of its own, only tests (harness is harness_test.go, and so on):
//
//   - harness: starts the program in a folder of its own, and the measure
//   - make: documents that are made by rules, such as bombs
//   - documents: documents that cost too much, or lie about their size
//   - honest: large documents that must be read whole
//   - words: passwords, terminal escapes and formulas, wherever a stranger can write
//   - folders: configuration, links, pipes and names in a folder from elsewhere
//   - servers: scripted servers that are endless, lie or lead elsewhere
//   - run: what documents cost in a run, and in the store
//   - stores: damaged stores
//   - rounds: stores damaged at random (LINKCHECK_ROUNDS=200)
//   - serve: the report in a browser, and who may ask for it
package hardening
