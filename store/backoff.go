package store

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"sync"
	"time"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/store/internal/boltfile"
	"linkcheck/store/internal/codec"
	"linkcheck/store/internal/pending"
	"linkcheck/uri"
)

// BackOffUntil is the time until which a host has asked to be left alone; zero: it has
// not asked.
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
func (t *backOffTable) load(tx *boltfile.Tx) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.hosts = map[string]judge.BackOff{}
	return boltfile.Each(tx.Bucket(bucketHost), func(k, v []byte) error {
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
	t.mu.RLock()
	defer t.mu.RUnlock()
	return judge.AsksBackOff(r) || len(t.hosts) > 0 && judge.EndsBackOff(r)
}

// after gives the back-offs that results begin, change or end; one that ended is zero.
// A result of a host that asked to be left alone gets that time as its NotBefore.
func (t *backOffTable) after(tx *boltfile.Tx, results []pending.Result) (changed map[string]judge.BackOff, err error) {
	changed = map[string]judge.BackOff{}
	for i := range results {
		item := &results[i]
		if !t.concerns(item.Result) {
			continue
		}
		row := tx.Bucket(bucketLink).Get(codec.Key(item.Link))
		if row == nil {
			continue
		}
		_, parts, err := readLinkParts(row)
		if err != nil {
			return nil, fmt.Errorf("link %d: %w", item.Link, err)
		}
		host, r := parts.host, *item.Result
		if final := hostOfURL(r.FinalURL); final != "" && judge.AsksBackOff(&r) {
			host = final // the one that asks, not the one that redirected to it
		}
		r.At = r.At.Truncate(time.Second) // as the file keeps it
		backOff := t.of(host)
		item.NotBefore = backOff.NextCheck(&r)
		if host == "" {
			continue
		}
		if before, ok := changed[host]; ok {
			backOff = before
		}
		changed[host] = backOff.After(&r)
	}
	return changed, nil
}

// hostOfURL is the host of a URL, "" if it has none.
func hostOfURL(s string) string {
	u, err := uri.Parse(s)
	if err != nil {
		return ""
	}
	at, _ := u.Endpoint()
	return at.Host
}

// writeBackOffs puts what after gave into the file.
func writeBackOffs(tx *boltfile.Tx, changed map[string]judge.BackOff) error {
	b := tx.Bucket(bucketHost)
	for host, row := range changed {
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

// change puts what after gave into the table, once it is on disk.
func (t *backOffTable) change(changed map[string]judge.BackOff) {
	t.mu.Lock()
	defer t.mu.Unlock()
	maps.Copy(t.hosts, changed)
	maps.DeleteFunc(t.hosts, func(_ string, row judge.BackOff) bool { return row == judge.BackOff{} })
}
