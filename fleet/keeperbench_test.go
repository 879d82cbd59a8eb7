package fleet

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"
)

// BenchmarkKeeper has a keeper grant turns, each from its ask to its end, with the messages
// read and written as they go over the wire: at so many gates, where an asker waits at each,
// and at one address that all these names share.
//
//	go test ./fleet -run '^$' -bench Keeper -benchtime 20x
func BenchmarkKeeper(b *testing.B) {
	for _, gates := range []int{1000, 100_000} {
		for _, shared := range []bool{false, true} {
			b.Run(fmt.Sprintf("gates=%d/shared=%v", gates, shared), func(b *testing.B) {
				times := UsualTimes()
				now := time.Date(2026, 11, 1, 2, 0, 0, 0, time.UTC)
				kept := newKeeping(NewMemory(SessionTTL), newKeeper(times, 1, now), func() bool { return true })
				message := func(op string, gate int) turnMessage {
					name := fmt.Sprintf("h%d.example.net", gate)
					m := turnMessage{V: turnVersion, Op: op, Gate: name, From: "w1", ID: name, Gap: times.Gap.Milliseconds()}
					if shared {
						m.Gate, m.Site = "192.0.2.1", name
					}
					return m
				}
				tell := func(list []turnMessage) {
					octets, err := json.Marshal(list)
					if err != nil {
						b.Fatal(err)
					}
					var heard []turnMessage
					if err := json.Unmarshal(octets, &heard); err != nil {
						b.Fatal(err)
					}
					kept.keeper.hear(now, heard)
				}
				var asks []turnMessage
				for gate := range gates {
					asks = append(asks, message("ask", gate))
				}
				tell(asks)
				granted := 0
				for b.Loop() {
					gos, again := kept.keeper.grant(now)
					if len(gos["w1"]) == 0 {
						now = again
						continue
					}
					var said []turnMessage
					for _, g := range gos["w1"] {
						ended, next := turnMessage{V: turnVersion, Op: "done", Gate: g.Gate, From: "w1", ID: g.ID, Gap: times.Gap.Milliseconds()}, turnMessage{V: turnVersion, Op: "ask", Gate: g.Gate, From: "w1", ID: g.ID}
						if shared {
							ended.Site, next.Site = g.ID, g.ID
						}
						said = append(said, ended, next)
					}
					granted += len(gos["w1"])
					tell(said)
				}
				if granted == 0 {
					b.Fatal("no turn was granted")
				}
				b.ReportMetric(float64(granted)/b.Elapsed().Seconds(), "turns/s")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}
