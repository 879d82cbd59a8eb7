package hostqueue

import "slices"

// Locate ends a turn that was used to find the address of its host. Its link becomes
// the first of its host again, in the queue of all hosts with that address, or of its share
// of them where that is a front. Without an address ("") the host keeps its own queue.
func (q *Queues) Locate(t Turn, address string) {
	h, own := t.Host, q.queueOf(t.Host)
	h.Located = true
	n := q.node(t.ID)
	if q.nodes[n].next = h.first; !h.Waits() {
		if h.last = n; !h.queued {
			h.queued = true
			own.hosts = slices.Insert(own.hosts, 0, h)
		}
	}
	h.first = n
	q.links++
	t.Queue.probes--
	key := q.share(address, h.Name)
	if shared := q.byAddress[key]; shared != nil && shared != own {
		own.hosts = slices.DeleteFunc(own.hosts, func(x *Host) bool { return x == h })
		h.queue, shared.limit = shared, min(shared.limit, own.limit)
		shared.hosts = append(shared.hosts, h)
	} else if address != "" {
		own.shared = true
		q.byAddress[key] = own
	}
	if h.queue == own && !own.listed && q.free(own) {
		own.listed = true
		q.located = append(q.located, own)
	}
	q.list(t.Queue)
	q.list(h.queue)
}

// BackOff removes and returns all links of a host that asks to be left alone.
func (q *Queues) BackOff(h *Host) (links []uint64) {
	for h.BackedOff = true; h.Waits(); {
		links = append(links, q.take(h))
	}
	return links
}

// Withdraw takes a link back that waits for a host; false where it does not wait.
func (q *Queues) Withdraw(h *Host, id uint64) bool {
	before, n := uint32(0), h.first
	for n != 0 && q.nodes[n].id != id {
		before, n = n, q.nodes[n].next
	}
	switch next := q.nodes[n].next; {
	case n == 0:
		return false
	case before == 0:
		h.first = next
	default:
		q.nodes[before].next = next
	}
	if h.last == n {
		h.last = before
	}
	q.nodes[n].next, q.unused = q.unused, n
	q.links--
	return true
}
