// Package proof says which links are proven to be wrong, what is to be written in their
// place, and why (docs/MEND.md). It reads a store and decides; it changes nothing.
package proof
