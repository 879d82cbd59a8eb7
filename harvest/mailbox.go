package harvest

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"linkcheck/check"
)

const (
	oftenVain  = 3 // times that a message is asked for in vain: then in each fourth sweep
	eachVain   = 4
	mostInVain = 1000 // messages of which that is kept
)

// NewMailbox is the harvester of the messages of a mailbox. They do not change: each is read
// once. Each sweep lists them all, and what is not in a whole list is gone. Where the server
// has numbered them anew (UIDVALIDITY) all are read again, and the old ones go when that is
// done: those whose text came again under a new number are no loss.
func NewMailbox(root Root, r check.Reader, o Options) Harvester {
	if o.Now == nil {
		o.Now = time.Now
	}
	return &mailbox{root, r, o}
}

// mailbox is the harvester of one root.
type mailbox struct {
	root   Root
	reader check.Reader
	Options
}

// Harvest implements Harvester.
func (m *mailbox) Harvest(ctx context.Context, known Known) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		r := &mailing{run: run{m.root, m.reader, m.Options, ctx, known, yield, health{}}, listed: set{}, seen: set{}, asked: set{}}
		if err := r.inOrder(); err != nil && !errors.Is(err, errEnded) {
			yield(Item{}, err)
		}
	}
}

// mailing is one run. Sets are of UIDs.
type mailing struct {
	run
	mark    mailMark
	prefix  string            // of the names of messages, up to the UID
	order   []uint32          // UIDs as they were listed
	listed  set               // the same
	seen    set               // of them those that are known
	asked   set               // in this run
	waiting []uint32          // to be asked for
	last    []uint32          // the same, behind all others
	unread  int               // messages that are there and not read, but for those asked for in vain often
	old     int               // documents that stand under other numbers
	texts   map[[16]byte]bool // hashes of messages that have numbers of now; nil: no old ones stand
	full    bool              // the bound of documents is reached
}

// mailMark is what is kept between runs.
type mailMark struct {
	Vain map[string]int `json:"vain,omitempty"` // messages that were asked for in vain, and how often
}

// inOrder is the order of a run: the list, what is new in it, and what is in it no more.
func (r *mailing) inOrder() error {
	if json.Unmarshal(r.known.Mark(), &r.mark) != nil || r.mark.Vain == nil {
		r.mark = mailMark{Vain: map[string]int{}}
	}
	if err := r.list(); err != nil {
		return err
	}
	standing := r.compare()
	if len(r.order) == 0 && standing > 0 {
		return &Stop{Why: Emptied, Text: fmt.Sprintf("the mailbox is empty, and had %s", number(standing, "message"))}
	}
	if err := r.found(); err != nil {
		return err
	}
	for _, uid := range slices.Concat(r.waiting, r.last) {
		if err := r.ask(uid); err != nil {
			return err
		}
	}
	if err := r.health.tellHeld(r.tell); err != nil {
		return err
	}
	if err := r.tellGone(); err != nil {
		return err
	}
	return r.tell(Item{Kind: Whole, Mark: r.markBytes()})
}

// list asks which messages there are.
func (r *mailing) list() error {
	taken, broken := false, error(nil)
	res, err := r.read(r.root.Address(), check.Wanted{}, func(a *check.Answer) error {
		taken = true
		if _, err := strconv.ParseUint(a.Version, 10, 32); err != nil || a.Entries == nil {
			broken = errors.New("it is none")
			return nil
		}
		r.prefix = r.root.Address() + ";UIDVALIDITY=" + a.Version + "/;UID="
		for e, err := range a.Entries {
			if err != nil {
				broken = err
				return nil
			}
			uid, current := r.uid(e.Name)
			if !current {
				broken = fmt.Errorf("it names %.200q", e.Name)
				return nil
			}
			if r.listed.add(uint64(uid)) {
				r.order = append(r.order, uid)
			}
		}
		return nil
	})
	switch {
	case r.ctx.Err() != nil:
		return r.ctx.Err()
	case err != nil:
		return err
	case broken != nil:
		if lost, is := lostBy(broken); is {
			return &Stop{Why: Outage, Text: words(&lost)}
		}
		return &Stop{Why: Broken, Text: "the list of messages: " + broken.Error()}
	case !taken && isResting(&res):
		return r.resting(&res)
	case !taken:
		return cmp.Or(rootStop(&res), error(&Stop{Why: NotThis, Text: words(&res)}))
	}
	return nil
}

// uid is the number of a message, if its name has the UIDVALIDITY of now.
func (r *mailing) uid(name string) (uid uint32, current bool) {
	number, current := strings.CutPrefix(name, r.prefix)
	n, err := strconv.ParseUint(number, 10, 32)
	return uint32(n), current && err == nil && n > 0
}

func (r *mailing) name(uid uint32) string {
	return r.prefix + strconv.FormatUint(uint64(uid), 10)
}

// compare finds among the documents that are known those that are to be asked for, and
// counts those that were read and stand.
func (r *mailing) compare() (standing int) {
	for d := range r.known.Documents() {
		uid, current := r.uid(d.Name)
		stands := d.Read && !d.Gone
		if stands {
			standing++
		}
		switch {
		case !current && stands:
			r.old++
		case current && r.listed.has(uint64(uid)):
			r.seen.add(uint64(uid))
			if !stands || d.Version == "" { // without one it would be read in another way now
				r.queue(uid, d.Asked)
			}
		}
	}
	if r.old > 0 {
		r.texts = map[[16]byte]bool{}
	}
	return standing
}

// queue lets a message wait that is not read. What was asked for in vain comes last.
func (r *mailing) queue(uid uint32, asked bool) {
	name := r.name(uid)
	vain := r.mark.Vain[name]
	if vain < oftenVain {
		r.unread++
	}
	switch {
	case asked:
	case vain == 0:
		r.waiting = append(r.waiting, uid)
	case vain < oftenVain || vain%eachVain == 0:
		r.last = append(r.last, uid)
	default:
		r.mark.Vain[name]++
	}
}

// found tells of the messages that are new.
func (r *mailing) found() error {
	count, most := len(r.seen), cmp.Or(max(r.root.Documents, 0), maxArticles)
	for _, uid := range r.order {
		if r.seen.has(uint64(uid)) {
			continue
		}
		if count == most {
			r.full = true
			return r.tell(Item{Kind: Note, Note: fmt.Sprintf("%s documents are the bound", thousands(most))})
		}
		count++
		if err := r.tell(Item{Kind: Found, Doc: r.document(uid)}); err != nil {
			return err
		}
		r.queue(uid, false)
	}
	return nil
}

// document is a message. Its version says that it was read.
func (r *mailing) document(uid uint32) Document {
	return Document{Name: r.name(uid), Version: strconv.FormatUint(uint64(uid), 10)}
}

func (r *mailing) markBytes() []byte {
	octets, _ := json.Marshal(&r.mark) // names and numbers have a form
	return octets
}

// tellGone tells what is in the list as it was read, and what is not in it any more.
func (r *mailing) tellGone() error {
	for name := range r.mark.Vain {
		if uid, current := r.uid(name); !current || !r.listed.has(uint64(uid)) {
			delete(r.mark.Vain, name)
		}
	}
	stays := r.old > 0 && (r.full || r.unread > 0)
	if stays {
		if err := r.tell(Item{Kind: Note, Note: fmt.Sprintf("the server has numbered its messages anew: %s stay until all are read", number(r.old, "document"))}); err != nil {
			return err
		}
	}
	if r.old > 0 && !stays {
		for d := range r.known.Documents() {
			if _, current := r.uid(d.Name); current && d.Read && !d.Gone && len(d.Hash) == 16 {
				r.texts[[16]byte(d.Hash)] = true
			}
		}
	}
	for d := range r.known.Documents() {
		item := Item{Kind: Gone, Doc: Document{Name: d.Name}}
		uid, current := r.uid(d.Name)
		switch listed := current && r.listed.has(uint64(uid)); {
		case d.Gone, !current && stays, listed && (d.Asked || !d.Read || r.asked.has(uint64(uid))):
			continue
		case listed:
			item.Kind = Same
		case !current && len(d.Hash) == 16 && r.texts[[16]byte(d.Hash)]:
			item.Kind = Expired // it came again
		}
		if err := r.tell(item); err != nil {
			return err
		}
	}
	return nil
}
