package codec

import (
	"encoding/binary"
	"time"
)

// KeyLen is the length of a link's or run's number in a key: 10^12 of them are enough.
const KeyLen = 5

// Key is the key of a link or run. Numbers in keys are big-endian, so that the order
// of octets is the order of numbers.
func Key(id uint64) []byte { return Key64(id)[8-KeyLen:] }

// Key32 is a number in four octets.
func Key32(v uint32) []byte { return binary.BigEndian.AppendUint32(nil, v) }

// Key64 is a number in eight octets.
func Key64(v uint64) []byte { return binary.BigEndian.AppendUint64(nil, v) }

// Number reads a big-endian number of at most eight octets.
func Number(k []byte) (n uint64) {
	for _, c := range k {
		n = n<<8 | uint64(c)
	}
	return n
}

// Seconds is a time since 1970 as a number of a fixed length; 0: none.
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
