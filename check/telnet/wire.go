package telnet

// The octets of RFC 854 that matter to a client that refuses everything.
const (
	se   = 240
	sb   = 250
	will = 251
	wont = 252
	do   = 253
	dont = 254
	iac  = 255
)

type state uint8

const (
	inText      state = iota
	afterIAC          // a command comes
	afterVerb         // an option comes
	inOption          // inside SB ... IAC SE
	inOptionIAC       // IAC inside of it
)

// negotiation reads what a host says, in pieces of any size. Its text holds no
// more than was taken in; the reader bounds that.
type negotiation struct {
	state    state
	verb     byte
	refused  map[[3]byte]bool // refusals that were sent
	commands int              // words of telnet that came
	text     []byte           // the rest
}

// answered reports whether anything came at all.
func (n *negotiation) answered() bool { return n.commands > 0 || len(n.text) > 0 }

// read reads some octets and gives the refusals to send: DONT for WILL, WONT
// for DO, once for each option, nothing for anything else, so that no loop can
// arise (RFC 854, "OPTION NEGOTIATION").
func (n *negotiation) read(octets []byte) (refusals []byte) {
	for _, b := range octets {
		switch n.state {
		case inText:
			if b == iac {
				n.state = afterIAC
			} else {
				n.text = append(n.text, b)
			}
		case afterIAC:
			n.command(b)
		case afterVerb:
			refusals = append(refusals, n.refuse(b)...)
			n.state = inText
		case inOption:
			if b == iac {
				n.state = inOptionIAC
			}
		case inOptionIAC:
			n.state = inOption
			if b == se {
				n.state = inText
			}
		}
	}
	return refusals
}

func (n *negotiation) command(b byte) {
	n.state = inText
	switch {
	case b == iac:
		n.text = append(n.text, b)
		return
	case b == sb:
		n.state = inOption
	case b >= will:
		n.state, n.verb = afterVerb, b
	}
	n.commands++
}

func (n *negotiation) refuse(option byte) []byte {
	answer, ok := map[byte]byte{will: dont, do: wont}[n.verb]
	refusal := [3]byte{iac, answer, option}
	if !ok || n.refused[refusal] {
		return nil
	}
	if n.refused == nil {
		n.refused = map[[3]byte]bool{}
	}
	n.refused[refusal] = true
	return refusal[:]
}
