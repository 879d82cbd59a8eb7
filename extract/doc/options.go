package doc

// Options says how documents are read. The zero value works.
type Options struct {
	Base     string   // base URI for relative references
	Input    string   // force a format: auto marc marcxml html rfc mbox maildir warc text csv:COL; "" is auto
	Charset  string   // override every declared charset
	Comments bool     // give links in comments too, marked
	MARC     []string // fields with URIs such as "856u"; nil: the default set
	RecordID string   // MARC field of the record id; "" is 001
	Names    bool     // give out the names of messages and parts too, each where it begins
}
