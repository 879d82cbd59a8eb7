package fleet_test

import (
	"fmt"
	"testing"

	"linkcheck/fleet"
	"linkcheck/store"
)

// BenchmarkLog appends a change of 1,000 mentions and reads it, over both makers: what a
// shard that is filled waits for.
func BenchmarkLog(b *testing.B) {
	change := changes(b, mentions(1000, 100, 0, 1))[0]
	for name, start := range map[string]func() fleet.Engine{
		"memory": func() fleet.Engine { return fleet.NewMemory(ttl) },
		"nats":   func() fleet.Engine { return dial(b, startEngine(b)) },
	} {
		b.Run(name, func(b *testing.B) {
			e := start()
			var last uint64
			b.Run("append", func(b *testing.B) {
				b.SetBytes(int64(len(store.EncodeChange(change))))
				for b.Loop() {
					last = mustAppend(b, e, 0, 0, fmt.Sprint(last), change)
				}
			})
			b.Run("read", func(b *testing.B) {
				b.SetBytes(int64(len(store.EncodeChange(change))))
				for n := 0; n < b.N; {
					list, err := readAll(b, e, 0, 0, last)
					if err != nil {
						b.Fatal(err)
					}
					n += len(list)
				}
			})
		})
	}
}
