package textscan

const (
	triedOctets  = 256 // octets of a candidate that cost about as much as a candidate itself
	wrappedTried = 4   // an octet between delimiters costs as much as so many others: it is copied word by word
)

// tried charges a candidate at which octets were looked at. It says false when the
// document is over its budget.
func (s *scanner) tried(octets int) bool {
	s.over = s.over || !s.d.Tried(1+octets/triedOctets)
	return !s.over
}
