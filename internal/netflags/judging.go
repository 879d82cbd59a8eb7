package netflags

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"time"

	"linkcheck/check/web"
	"linkcheck/internal/openfile"
)

// Tables is the name under which Judging tells of the tables [[host]].
const Tables = "[[host]]"

// ofMachine are the flags that say how fast a machine asks, by which way, and when: they may
// differ from one machine to another. The others decide which answer counts for a link.
var ofMachine = []string{"workers", "resolver", "source-address", "ipv4-only", "ipv6-only", "proxy", "proxy-from-environment", "now"}

// ofFiles are the flags that name a file whose contents count.
var ofFiles = []string{"ca-file", "persistent-hosts", "parked-hosts", "parked-markers", "wall-rules", "access-rules"}

// Judging gives hashes of what decides how links are judged, by the names of the flags that
// have another value than the usual one, so that machines can be compared.
func (n *Flags) Judging(ctx context.Context) (map[string]string, error) {
	all := map[string]string{}
	if !n.Hosts.Empty() {
		all[Tables] = hash(n.Hosts.Judging())
	}
	if n.Browser != nil { // wherever it is
		all["browser"] = hash("")
	}
	for _, f := range n.own {
		value := f.Value.String()
		if value == f.DefValue || slices.Contains(ofMachine, f.Name) {
			continue
		}
		if slices.Contains(ofFiles, f.Name) {
			text, err := openfile.ReadAll(ctx, value)
			if err != nil {
				return nil, fmt.Errorf("--%s: %w", f.Name, err)
			}
			value = string(text)
		}
		all[f.Name] = hash(value)
	}
	return all, nil
}

// Longest is how long a visit of a host takes at most.
func (n *Flags) Longest() time.Duration {
	most := 2 * n.Probe.Timeout // robots.txt and the rest
	if n.Browser != nil {
		most = max(most, web.BrowserTime)
	}
	return most + 5*time.Second
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}
