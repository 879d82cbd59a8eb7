package codec

import (
	"encoding/binary"
	"time"
)

// KeyLen is the number of octets that the number of a link or run takes in a key:
// 2^40, about 10^12, are enough.
const KeyLen = 5

// Key is the number of a link or run as a key, or as a part of one. Numbers in keys are
// big-endian: the database sorts keys by their octets, which is then by number.
func Key(id uint64) []byte { return Key64(id)[8-KeyLen:] }

// Key32 is a number in four octets, big-endian: that of a source, in keys.
func Key32(v uint32) []byte { return binary.BigEndian.AppendUint32(nil, v) }

// Key64 is a number in eight octets, big-endian: a row of the journal or a hash in keys,
// and numbers of a fixed length in values.
func Key64(v uint64) []byte { return binary.BigEndian.AppendUint64(nil, v) }

// Number reads what Key, Key32 and Key64 write: a big-endian number of at most eight octets.
func Number(k []byte) (n uint64) {
	for _, c := range k {
		n = n<<8 | uint64(c)
	}
	return n
}

// Seconds is a time in seconds since 1970, for fields that have a fixed length and can
// be overwritten in place; 0 is the zero time. Writer.Time writes times of other fields.
func Seconds(t time.Time) uint64 {
	if t.IsZero() {
		return 0
	}
	return uint64(t.Unix())
}

// TimeOf is the inverse of Seconds.
func TimeOf(seconds uint64) time.Time {
	if seconds == 0 {
		return time.Time{}
	}
	return time.Unix(int64(seconds), 0).UTC()
}
