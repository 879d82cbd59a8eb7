package wais

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"strconv"

	"linkcheck/check"
	"linkcheck/check/wire"
)

const (
	headerSize = 25      // octets before every message
	maxMessage = 1 << 20 // octets of a message after its header
)

const errGarbled = wire.Garbled("no WAIS answer")

// errNAK reports a message of type "n", which says that the one before it could not be
// read and nothing of what was asked (PROTOCOLS 2.1).
var errNAK = check.ResultError(check.Undetermined, check.ReasonWAISAnswer, "not acknowledged")

// message puts the 25-octet header before a body: length, type z, version 2,
// server name, no compression, no encoding, no checksum (PROTOCOLS 2.1).
func message(body []byte) []byte {
	return append(fmt.Appendf(nil, "%010dz2wais        0", len(body)), body...)
}

// readMessage reads one message and gives its body, which is empty where the
// server refuses a request that it could read (REAL-SERVERS A7).
func readMessage(in *bufio.Reader) ([]byte, error) {
	first, err := in.Peek(1)
	if err != nil {
		return nil, err
	}
	if first[0] != '0' {
		return nil, foreign(in)
	}
	header := make([]byte, headerSize)
	if n, err := io.ReadFull(in, header); err != nil {
		return nil, fmt.Errorf("%d octets of a header: %w", n, err)
	}
	size, err := strconv.ParseUint(string(header[:10]), 10, 64)
	switch {
	case err != nil:
		return nil, check.ResultError(check.Undetermined, check.ReasonProtocolMismatch, string(header))
	case size > maxMessage:
		return nil, fmt.Errorf("message of %d octets: %w", size, wire.ErrTooLong)
	case header[22] != ' ' || header[23] != ' ':
		return nil, fmt.Errorf("%w: compressed or encoded", errGarbled)
	}
	var body bytes.Buffer // grows with what comes, not with what the header promises
	if _, err := io.CopyN(&body, in, int64(size)); err == io.EOF {
		return nil, io.ErrUnexpectedEOF
	} else if err != nil {
		return nil, err
	} else if header[10]|0x20 == 'n' {
		return nil, errNAK
	}
	return body.Bytes(), nil
}

// foreign takes what has come already as the words of another protocol.
func foreign(in *bufio.Reader) error {
	text := wire.FirstWords(in)
	if isZ3950([]byte(text)) {
		text = "a Z39.50 server"
	}
	return check.ResultError(check.Undetermined, check.ReasonProtocolMismatch, text)
}

// isZ3950 recognizes the first octets of a Z39.50-1995 server: Init response or Close.
func isZ3950(b []byte) bool {
	return len(b) > 0 && b[0] == 0xb5 || len(b) > 1 && b[0] == 0xbf && b[1] == 0x30
}

// tagged is one field: tag and size as compressed integers, then the octets.
func tagged(tag int, value []byte) []byte {
	return append(append(compressed(tag), compressed(len(value))...), value...)
}

func taggedText(tag int, value string) []byte { return tagged(tag, []byte(value)) }

// compressed is n in base 128, big-endian, with the high bit on all octets but
// the last (PROTOCOLS 2.2).
func compressed(n int) []byte {
	out := []byte{byte(n & 0x7f)}
	for n >>= 7; n > 0; n >>= 7 {
		out = append([]byte{byte(n&0x7f) | 0x80}, out...)
	}
	return out
}

// fields walks over tagged fields. We wrote it because no library reads the tags of
// WAIS, a profile of Z39.50-1988 from before BER. What it returns lies within the octets it was given.
type fields struct{ rest []byte }

// integer takes a compressed integer off the front.
func (f *fields) integer() (n int, ok bool) {
	for i := 0; i < 4 && i < len(f.rest); i++ {
		n = n<<7 | int(f.rest[i]&0x7f)
		if f.rest[i]&0x80 == 0 {
			f.rest = f.rest[i+1:]
			return n, true
		}
	}
	return 0, false
}

// next takes one field off the front. A diagnostic record has a size of two
// octets in the place of a compressed integer, and one octet after its end.
func (f *fields) next() (tag int, value []byte, ok bool) {
	size, after := 0, 0
	if tag, ok = f.integer(); ok && tag != tagDiagnostic {
		size, ok = f.integer()
	} else if ok = ok && len(f.rest) >= 2; ok {
		size, after = int(binary.BigEndian.Uint16(f.rest)), 1
		f.rest = f.rest[2:]
	}
	if !ok || size+after > len(f.rest) {
		return 0, nil, false
	}
	value, f.rest = f.rest[:size], f.rest[size+after:]
	return tag, value, true
}

// docidField returns the value of a field. ok is false too where the id as a
// whole is not made of fields.
func docidField(docid []byte, kind int) (value []byte, ok bool) {
	for f := (fields{docid}); len(f.rest) > 0; {
		tag, v, whole := f.next()
		if !whole || tag < 1 || tag > maxField {
			return nil, false
		}
		if tag == kind && !ok {
			value, ok = v, true
		}
	}
	return value, ok
}

// Fields of a document id that every retrieval needs (PROTOCOLS 2.6).
const (
	fieldDatabase = 2 // original database
	fieldLocalID  = 3 // original local id

	fieldCopyright = 7 // what may be done with the document: a number
	maxField       = 10
)
