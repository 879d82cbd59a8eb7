package pdf

// The kinds of objects (ISO 32000-1 section 7.3): nil, bool, float64 for every number, name,
// str, array, dict, ref, *stream.
type (
	value any
	name  string
	str   []byte
	array []value
	dict  map[name]value
	ref   struct {
		num uint32
		gen uint16
	}
)

// stream is a dictionary and the octets behind it, which stand in the file.
type stream struct {
	dict dict
	at   int64 // of its first octet
	size int64
	ref  ref
}

// integer is v as a whole number; 0 for what is none.
func integer(v value) int {
	f, _ := v.(float64)
	if !(f >= -1<<53 && f <= 1<<53) {
		return 0
	}
	return int(f)
}

func number(v value, otherwise float64) float64 {
	if f, ok := v.(float64); ok {
		return f
	}
	return otherwise
}
