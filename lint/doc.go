// Package lint says what is wrong with how addresses are written, without asking anybody: in
// a catalogue that can be seen from the record alone. It is pure. Where an address can be
// repaired, the repair is the one that mend writes (package repair).
//
// The files in reading order:
//
//   - lint.go: the faults, and those of an address in its place
//   - field.go: the faults of a field of MARC, which only a reader of records sees
//   - same.go: addresses that stand in several records
package lint
