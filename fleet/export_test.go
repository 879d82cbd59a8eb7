package fleet

import "time"

// Place is the shard of a gate.
var Place = place

// Left is what Night says of the sessions of a shard.
func (a *Asker) Left() { a.left() }

// AppendOctets puts into the log what another program wrote.
func AppendOctets(m *Memory, shard int, id string, octets []byte) {
	_, _ = m.appendOctets(shard, Fence{}, id, octets)
}

// SetClock sets the clock of this machine by some time, until restore is called.
func SetClock(by time.Duration) (restore func()) {
	before := clock
	clock = func() time.Time { return time.Now().Add(by) }
	return func() { clock = before }
}
