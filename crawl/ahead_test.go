package crawl

import (
	"fmt"
	"testing"

	"linkcheck/crawl/hostqueue"
)

// loads is a linkSource that notes how many links were loaded together.
type loads struct{ times, links int }

func (l *loads) load(ids []uint64) []assignment {
	l.times, l.links = l.times+1, l.links+len(ids)
	return make([]assignment, len(ids))
}

func (l *loads) heard(*assignment) {}

func (l *loads) backsOff(string) bool { return false }

// Each link is loaded once, and nearly as many together where many hosts have a few links each as
// where one has all of them.
func TestLoadAhead(t *testing.T) {
	for _, row := range []struct{ hosts, each, most int }{{1, 6400, 110}, {10, 640, 120}, {64, 100, 200}, {640, 10, 120}, {3200, 2, 120}, {6400, 1, 110}} {
		t.Run(fmt.Sprint(row.hosts, " hosts"), func(t *testing.T) {
			from := &loads{}
			d := newDispatcher(options(&world{}, func(o *Options) { o.HostDelay = 0 }), from)
			for id := range row.hosts * row.each {
				d.queues.Add(d.host(fmt.Sprintf("h%d.test.net", id%row.hosts)), uint64(id))
			}
			var under []hostqueue.Turn
			end := func() {
				d.queues.Done(under[0], d.o.Now(), 0)
				under = under[1:]
			}
			for d.queues.Len() > 0 {
				turn, _, ok := d.queues.Next(d.o.Now())
				if !ok {
					end()
					continue
				}
				d.assignment(turn)
				if under = append(under, turn); len(under) == 16 {
					end()
				}
			}
			if want := row.hosts * row.each; from.links != want || from.times > row.most || len(d.loaded) > 0 {
				t.Errorf("%d of %d links were loaded, in %d parts; %d are left", from.links, want, from.times, len(d.loaded))
			} else {
				t.Logf("%d links in %d parts", want, from.times)
			}
		})
	}
}
