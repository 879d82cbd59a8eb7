package harvest

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"hash/maphash"
	"io"
	"iter"
	"strconv"
	"strings"

	"linkcheck/check"
)

// articles asks for those that were never read.
func (r *rolling) articles() error {
	for {
		p, ok := r.waiting.pop()
		if !ok {
			return r.health.tellHeld(r.tell)
		}
		if err := r.ask(p); err != nil {
			return err
		}
	}
}

// ask asks for an article; of one that a list has named, and does so no more, whether it is
// there.
func (r *rolling) ask(p place) error {
	d := Document{Name: p.name, Version: p.words}
	for group, number := range placesOf(r.places[r.key(p.name)]) {
		d.Version = withPlace(d.Version, group, number)
	}
	d.Version = cmp.Or(d.Version, noPlace)
	taken := false
	body := &watched{bare: r.mark.Torn[p.name] >= oftenTorn}
	wanted := check.Wanted{}
	if p.listed {
		wanted.Version = p.words
	}
	res, err := r.read(p.name, wanted, func(a *check.Answer) error {
		if taken = true; a.Body == nil {
			return errors.New("a list in place of an article")
		}
		if err := r.health.up(r.tell); err != nil {
			return err
		}
		d.Media = a.Media
		body.Reader = a.Body
		whole := io.Reader(body)
		if a.Cut {
			whole = io.MultiReader(body, failing{errCut})
		}
		return r.tell(Item{Kind: Read, Doc: d, Body: whole})
	})
	item := Item{Kind: Failed, Doc: Document{Name: p.name}, Heard: res}
	switch {
	case r.ctx.Err() != nil:
		return r.ctx.Err()
	case err != nil:
		return err
	case taken:
		item.Kind = Heard
		if err := r.tell(item); err != nil {
			return err
		}
		return r.tellTorn(p.name, body.torn)
	case isResting(&res):
		return r.resting(&res)
	case p.listed && res.Outcome == check.OK:
		item.Kind = Same
	case p.listed && res.Outcome == check.Gone && r.answered:
		item = r.unlisted(&Document{Name: p.name, Version: p.words})
		item.Heard = res
	case res.Outcome == check.Gone:
		item.Kind = Missed
	default:
		item.Note = words(&res)
	}
	if item.Kind == Failed && isDown(&res) {
		return r.health.down(item)
	}
	if err := r.health.up(r.tell); err != nil {
		return err
	}
	return r.tell(item)
}

// watched is an article that says whether it broke off. One without a line of body seems to.
type watched struct {
	io.Reader
	bare bool // that is believed, or there is such a line
	torn bool
	ends int // of lines, one behind the other; two end the header
}

// errBare is the end of an article without a body.
var errBare = errors.New("it has a header and no body")

// Read implements io.Reader.
func (w *watched) Read(p []byte) (int, error) {
	n, err := w.Reader.Read(p)
	for _, c := range p[:n] {
		switch {
		case w.bare:
		case w.ends == 2:
			w.bare = c > ' '
		case c == '\n':
			w.ends++
		case c != '\r':
			w.ends = 0
		}
	}
	if err == io.EOF && !w.bare {
		err = errBare
	}
	w.torn = w.torn || err != nil && err != io.EOF
	return n, err
}

// maxTorn is how many articles are kept that broke off.
const maxTorn = 1000

// tellTorn keeps how often an article broke off.
func (r *rolling) tellTorn(name string, torn bool) error {
	times, was := r.mark.Torn[name]
	switch {
	case !torn && !was, torn && !was && len(r.mark.Torn) >= maxTorn:
		return nil
	case !torn:
		delete(r.mark.Torn, name)
	case r.mark.Torn == nil:
		r.mark.Torn = map[string]int{name: 1}
	default:
		r.mark.Torn[name] = times + 1
	}
	return r.tellMark()
}

// noPlace is the version of an article of which no place is known.
const noPlace = "?"

// placesOf are the places that the version of an article names: groups, each with its
// number there.
func placesOf(version string) iter.Seq2[string, string] {
	return func(yield func(group, number string) bool) {
		words := strings.Fields(version)
		for i := 0; i+1 < len(words); i += 2 {
			if !yield(words[i], words[i+1]) {
				return
			}
		}
	}
}

// maxPlaces is how many octets the places of an article may have.
const maxPlaces = 1000

// withPlace is a version with a place that is new, or has another number.
func withPlace(version, group, number string) string {
	after := ""
	for g, n := range placesOf(version) {
		if g != group {
			after += g + " " + n + " "
		} else if n == number {
			return version
		}
	}
	if len(after)+len(group) > maxPlaces {
		return version
	}
	return after + group + " " + number
}

// unlisted tells that no group has an article any more: it has expired where it stood before
// the first articles that its groups have now.
func (r *rolling) unlisted(d *Document) Item {
	item := Item{Kind: Gone, Doc: Document{Name: d.Name}, Note: "no group has it any more"}
	for group, number := range placesOf(d.Version) {
		n, err := strconv.ParseUint(number, 10, 64)
		if low, looked := r.low[group]; err != nil || !looked || n >= low {
			return item
		}
		item.Kind = Expired
	}
	return item
}

func (r *rolling) tellMark() error {
	mark, err := json.Marshal(r.mark)
	return cmp.Or(err, r.tell(Item{Kind: Marked, Mark: mark}))
}

func (r *rolling) key(name string) uint64 { return maphash.String(r.seed, name) }

// ask asks for a message.
func (r *mailing) ask(uid uint32) error {
	d, taken := r.document(uid), false
	sum := sha256.New()
	body := &watched{bare: true} // a message may have a header alone
	r.asked.add(uint64(uid))
	res, err := r.read(d.Name, check.Wanted{}, func(a *check.Answer) error {
		if taken = true; a.Body == nil {
			return errors.New("a list in place of a message")
		}
		if err := r.health.up(r.tell); err != nil {
			return err
		}
		d.Media = a.Media
		body.Reader = io.TeeReader(a.Body, sum)
		if a.Cut {
			body.Reader = io.MultiReader(body.Reader, failing{errCut})
		}
		return r.tell(Item{Kind: Read, Doc: d, Body: body})
	})
	switch {
	case r.ctx.Err() != nil:
		return r.ctx.Err()
	case err != nil:
		return err
	case taken:
		if err := r.tell(Item{Kind: Heard, Doc: Document{Name: d.Name}, Heard: res}); err != nil {
			return err
		}
		return r.tellVain(d.Name, body.torn, sum.Sum(nil))
	case isResting(&res):
		return r.resting(&res)
	case isRefused(&res), isLeftOut(&res): // the login, which is that of all
		return rootStop(&res)
	}
	if err := r.tellVain(d.Name, true, nil); err != nil {
		return err
	}
	item := Item{Kind: Failed, Doc: Document{Name: d.Name}, Heard: res}
	if item.Heard.Outcome != check.Gone { // else the next list says so
		item.Note = words(&res)
	}
	if isDown(&res) {
		return r.health.down(item)
	}
	return cmp.Or(r.health.up(r.tell), r.tell(item))
}

// tellVain keeps that a message did not come, or that it did.
func (r *mailing) tellVain(name string, vain bool, sum []byte) error {
	times, was := r.mark.Vain[name]
	switch {
	case !vain:
		if r.texts != nil {
			r.texts[[16]byte(sum)] = true
		}
		if times < oftenVain {
			r.unread--
		}
		if !was {
			return nil
		}
		delete(r.mark.Vain, name)
	case !was && len(r.mark.Vain) >= mostInVain:
		return nil
	default:
		r.mark.Vain[name]++
	}
	return r.tell(Item{Kind: Marked, Mark: r.markBytes()})
}
