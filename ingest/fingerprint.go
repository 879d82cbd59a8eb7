package ingest

import (
	"crypto/sha256"
	"fmt"
)

// fingerprint is kept with every source that was read: where it is another, the
// source would be read in another way, and is read again. What is hashed is the
// form in which fmt once printed extract.Options: a change of it reads every
// archive again.
func fingerprint(o Options) string {
	e := o.Extract
	options := fmt.Sprintf("{Base:%s Input:%s Charset:%s Comments:%t MARC:%v RecordID:%s Names:%t}",
		e.Base, e.Input, e.Charset, e.Comments, e.MARC, e.RecordID, e.Names)
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q", o.Version, options))
	return fmt.Sprintf("%x", sum[:8])
}
