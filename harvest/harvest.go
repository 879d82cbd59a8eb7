package harvest

import (
	"context"
	"fmt"
	"io"
	"iter"
	"time"

	"linkcheck/check"
)

// Harvester reads one root.
type Harvester interface {
	// Harvest yields what a reading of the root brings, in one goroutine: an item is done
	// with, body and all, before the next thing is asked for. It goes on where the mark and
	// the documents that are known say that an earlier one ended. The caller may end it
	// after any item. What is Found behind a Read was found in it: the caller keeps it with
	// the Read, or neither. An error is the last thing it yields: a *Stop says why the reading
	// is not whole; others are of ctx.
	Harvest(ctx context.Context, known Known) iter.Seq2[Item, error]
}

// New makes the harvester of a root by its kind.
func New(root Root, r check.Reader, o Options) (Harvester, error) {
	switch root.Kind {
	case Web, Sitemap, Gopher, FTP:
		return NewWalk(root, r, o), nil
	case OAI:
		return NewOAI(root, r, o), nil
	case SRU:
		return NewSRU(root, r, o), nil
	case News:
		return NewRoll(root, r, o), nil
	case Mailbox:
		return NewMailbox(root, r, o), nil
	case WASAPI:
		return NewWASAPI(root, r, o), nil
	case Z3950:
		return NewZ3950(root, r, o), nil
	}
	return nil, fmt.Errorf("%s: no archive of a kind that is read", root.URI)
}

// Known is what is kept of a root between its readings.
type Known interface {
	// Mark is the last Item.Mark that was kept; nil: none.
	Mark() []byte
	// Document finds a document by its name. One of which an answer is kept (Item.Keep) is as it
	// was before this sweep.
	Document(name string) (Document, bool)
	// Documents yields all, those first that were asked for longest ago, and those that were
	// only found in the order in which they were. Documents that are gone are among them. Where
	// an answer is kept of one it is as it was before this sweep, and in its place of then.
	Documents() iter.Seq[Document]
	// Kept is the last Item.Keep of a name, of this sweep and an earlier run; nil: none.
	Kept(name string) []byte
	// Linked says whether a document that stands holds a link to an address.
	Linked(name string) bool
	// Elsewhere says whether a document is one of a root inside this one (Root.Inner).
	Elsewhere(name string) bool
	// MetSince says whether the root inside this one met such a document, and it was whole,
	// after this root last met own.
	MetSince(name, own string) bool
	// Enough says whether the reading has cost what it may in this run: nothing more is to be
	// asked for. What was asked for is told.
	Enough() bool
}

// Document is a thing of a root that its server can call changed or gone by itself.
type Document struct {
	Name    string // its address; unique in the root
	Version string // the server's words about its state; "": it says nothing
	Media   string // its type; "": not said
	Base    string // of the references in it; "": Name
	Record  string // identifier in its catalogue, or message-id
	Title   string
	Depth   int  // hops from the root
	Short   bool // it seems to be cut: Version is kept though it did not come whole

	// What is known of it, set by Known alone.
	Read  bool // it was read once; else it was only found
	Asked bool // in this sweep
	New   bool // it was found in this sweep, by an earlier run
	Gone  bool
	Lost  bool   // it was noted as gone in this sweep, on another night
	Hash  []byte // the first 16 octets of the SHA-256 of it, as it was read last; nil: not known
}

// Kind says what an item tells.
type Kind uint8

const (
	_       Kind = iota
	Read         // a document was read
	Same         // a document is as it was when it was read; its Version is to be kept, where one is given
	Gone         // the server says that a document is gone
	Missed       // the server does not find a document: it is gone when it says so in a later sweep too; a Version is kept of what is not read
	Failed       // a document was asked for and did not come: it stays as it is
	Expired      // a document is gone as all of its kind go in time, which is no sign of trouble
	Left         // a document that the operator's settings leave out: it is gone
	Found        // a document is there, and was not asked for yet; its Version is what a list says of it
	Marked       // only Item.Mark
	Heard        // only Item.Heard, of a document that was just Read: its answer is judged behind its body
	Note         // only Item.Note
	Window       // a part of the root was listed whole: what was noted as gone may be retired
	Whole        // all was asked once: the sweep has ended, and what was noted may be retired
)

// Item is what a harvest tells.
type Item struct {
	Kind  Kind
	Doc   Document
	Body  io.Reader    // of Read: an error in place of its end says that it did not come whole
	Leads func(Lead)   // of Read, may be nil: to be called for each place where the document leads
	Mark  []byte       // not nil: to be kept with this item and all before it
	Keep  []byte       // not nil: to be kept under Doc.Name until the sweep has ended, with this item and what was told since the last Read
	Heard check.Result // the answer at the document's address; zero: none, or one that says nothing of a link
	Note  string       // for the report: one line about the root or, in an item with a document, about it
}

// Lead is a place where a document leads: where a reader would go on from it.
type Lead struct {
	URI       string
	NoFollow  bool // the page asks programs not to go there
	Canonical bool // it is the page's own address, by its own words
}

// Reason says why a reading is not whole.
type Reason uint8

const (
	_          Reason = iota
	Outage            // the server did not answer, or with errors alone
	Refused           // by robots.txt, by a password that is wanted, by 403
	Resting           // the server asks to be left alone
	Moved             // the root redirects to another host
	Vanished          // the server says that the root itself is not there
	NotThis           // what answers is no archive of this kind
	Broken            // a list that is not what it says to be
	Incomplete        // a bound of the server: it does not give all
	Emptied           // it had documents, and has none: so all are gone, or something is wrong
)

var reasonWords = [...]string{"", "in outage", "refused", "resting", "moved", "not found", "not understood", "broken", "incomplete", "doubted"}

// String is the word for people.
func (r Reason) String() string { return reasonWords[r] }

// Stop is the error with which a harvest ends that is not whole.
type Stop struct {
	Why   Reason
	Text  string    // in the server's own words where there are some
	Until time.Time // of Resting
}

// SaysAllGone says that nothing of the root is there, by the words of its server: the person
// may confirm that (--allow-empty).
func (s *Stop) SaysAllGone() bool { return s.Why == Vanished || s.Why == Emptied }

// Error says it in one line.
func (s *Stop) Error() string { return fmt.Sprintf("%s: %s", s.Why, s.Text) }
