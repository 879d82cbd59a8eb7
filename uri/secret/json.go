package secret

import (
	"bytes"
	"encoding/json"
)

// MaskJSON masks the strings in a JSON value as MaskText does; ok is false of what is no JSON.
func MaskJSON(value []byte) (masked []byte, ok bool) {
	in := json.NewDecoder(bytes.NewReader(value))
	in.UseNumber()
	var v any
	if in.Decode(&v) != nil {
		return value, false
	}
	v, changed := maskStrings(v)
	if !changed {
		return value, true
	}
	masked, err := json.Marshal(v)
	return masked, err == nil
}

func maskStrings(v any) (masked any, changed bool) {
	switch v := v.(type) {
	case string:
		s := MaskText(v)
		return s, s != v
	case []any:
		for i := range v {
			m, c := maskStrings(v[i])
			v[i], changed = m, changed || c
		}
	case map[string]any:
		for name := range v {
			m, c := maskStrings(v[name])
			v[name], changed = m, changed || c
		}
	}
	return v, changed
}
