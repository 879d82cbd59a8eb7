// Package likeness tells how alike two texts are, and keeps of a page's text what it
// takes to know it again on another night: OUTCOMES section 1.5. It knows no protocol.
//
// A text is the set of its shingles, four words that follow each other. A [Look] is
// what one probe saw: of each of 128 classes of shingles the smallest hash, cut to an
// octet (one permutation hashing: Li, Owen and Zhang 2012; b-bit hashes: Li and König
// 2010). A [Memory] is what stayed from look to look.
package likeness
