// Package backoff keeps which hosts asked to be left alone, and until when: as rows, and in memory.
package backoff

import (
	"encoding/json"
	"fmt"
	"maps"
	"sync"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/store/internal/boltfile"
)

// Table holds all of them. Many may read while one changes it.
type Table struct {
	mu    sync.RWMutex
	hosts map[string]judge.BackOff
}

// Load fills the table from its rows.
func (t *Table) Load(b *boltfile.Bucket) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.hosts = map[string]judge.BackOff{}
	return boltfile.Each(b, func(host, row []byte) error {
		var is judge.BackOff
		if err := json.Unmarshal(row, &is); err != nil {
			return fmt.Errorf("%w: host %q", boltfile.ErrCorrupt, host)
		}
		t.hosts[string(host)] = is
		return nil
	})
}

// Of is that of a host, in lower case; the zero one: it did not ask.
func (t *Table) Of(host string) judge.BackOff {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.hosts[host]
}

// Concerns says whether a result may begin or end a back-off.
func (t *Table) Concerns(r *check.Result) bool {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return judge.AsksBackOff(r) || len(t.hosts) > 0 && judge.EndsBackOff(r)
}

// Change puts those of some hosts into the table, once they are on disk; one that ended is zero.
func (t *Table) Change(changed map[string]judge.BackOff) {
	t.mu.Lock()
	defer t.mu.Unlock()
	maps.Copy(t.hosts, changed)
	maps.DeleteFunc(t.hosts, func(_ string, is judge.BackOff) bool { return is == judge.BackOff{} })
}

// Write makes rows of those of some hosts; one that ended is zero, and has none.
func Write(b *boltfile.Bucket, changed map[string]judge.BackOff) error {
	for host, is := range changed {
		row, err := json.Marshal(is)
		if err == nil && is == (judge.BackOff{}) {
			err = b.Delete([]byte(host))
		} else if err == nil {
			err = b.Put([]byte(host), row)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
