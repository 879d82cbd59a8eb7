package store

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"sync"
	"time"

	bolt "go.etcd.io/bbolt"

	"linkcheck/check"
	"linkcheck/judge"
)

// BackOffUntil says until when a host has asked to be left alone; zero: it has not.
func (s *Store) BackOffUntil(host string) time.Time {
	return s.backOffs.of(strings.ToLower(host)).Until
}

// backOffTable holds the hosts that asked to be left alone. All of it is in the file
// too.
type backOffTable struct {
	mu    sync.RWMutex
	hosts map[string]judge.BackOff
}

// load fills the table from the file.
func (t *backOffTable) load(tx *bolt.Tx) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.hosts = map[string]judge.BackOff{}
	return tx.Bucket(bucketHost).ForEach(func(k, v []byte) error {
		var b judge.BackOff
		if err := json.Unmarshal(v, &b); err != nil {
			return fmt.Errorf("%w: host %q", ErrCorrupt, k)
		}
		t.hosts[string(k)] = b
		return nil
	})
}

func (t *backOffTable) of(host string) judge.BackOff {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.hosts[host]
}

// concerns says whether a result may begin or end a back-off.
func (t *backOffTable) concerns(r *check.Result) bool {
	if judge.AsksBackOff(r) {
		return true
	}
	t.mu.RLock()
	defer t.mu.RUnlock()
	return len(t.hosts) > 0 && judge.EndsBackOff(r)
}

// hostResult is a result that begins or ends a back-off of a host; "": of none.
type hostResult struct {
	host   string
	result *check.Result
}

// after gives the rows of the hosts that results change; a zero row is to be removed.
func (t *backOffTable) after(list []hostResult) map[string]judge.BackOff {
	t.mu.RLock()
	defer t.mu.RUnlock()
	changed := map[string]judge.BackOff{}
	for _, r := range list {
		if r.host == "" {
			continue
		}
		row, ok := changed[r.host]
		if !ok {
			row = t.hosts[r.host]
		}
		changed[r.host] = row.After(r.result)
	}
	return changed
}

// write puts into the file what results change; change follows once that is on disk.
func (t *backOffTable) write(tx *bolt.Tx, list []hostResult) error {
	b := tx.Bucket(bucketHost)
	for host, row := range t.after(list) {
		v, err := json.Marshal(row)
		if err == nil && row == (judge.BackOff{}) {
			err = b.Delete([]byte(host))
		} else if err == nil {
			err = b.Put([]byte(host), v)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// change changes the table by results.
func (t *backOffTable) change(list []hostResult) {
	changed := t.after(list)
	t.mu.Lock()
	defer t.mu.Unlock()
	maps.Copy(t.hosts, changed)
	maps.DeleteFunc(t.hosts, func(_ string, row judge.BackOff) bool { return row == judge.BackOff{} })
}
