package netguard

import (
	"testing"
)

// A rule that parses can be written again and means the same.
func FuzzParseConnectTo(f *testing.F) {
	f.Add("a:1:b:2")
	f.Add("[::1]:80:[fe80::]:8")
	f.Add(":::")
	f.Fuzz(func(t *testing.T, s string) {
		r, err := ParseConnectTo(s)
		if err != nil {
			return
		}
		if r.Port < 0 || r.Port > 65535 || r.ToPort < 0 || r.ToPort > 65535 {
			t.Fatalf("%q: %+v", s, r)
		}
		reroute([]ConnectRule{r}, "a", 1)
	})
}
