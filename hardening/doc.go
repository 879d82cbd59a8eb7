// Package hardening attacks the program from outside, as a stranger would who sends
// documents, leaves files in a folder, or runs a server. The program is built once and
// started anew for every attack; what it prints, writes, dials and costs is looked at
// by one measure for all. The package has no code of its own, only tests:
//
//   - harness_test.go: starts the program in a folder of its own, and the measure
//   - make_test.go: documents that are made by rules, such as bombs
//   - documents_test.go: documents that cost too much, or lie about their size
//   - honest_test.go: large documents that must be read whole
//   - words_test.go: passwords, terminal escapes and formulas, wherever a stranger can write
//   - folders_test.go: configuration, links, pipes and names in a folder from elsewhere
//   - servers_test.go: scripted servers that are endless, lie or lead elsewhere
//   - stores_test.go: damaged stores
//   - serve_test.go: the report in a browser, and who may ask for it
package hardening
