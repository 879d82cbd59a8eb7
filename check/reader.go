package check

import (
	"context"
	"fmt"
	"io"
	"iter"
	"net/http"
	"time"

	"linkcheck/uri"
)

// Reader brings what URIs name. It is safe for concurrent use, ends with ctx and changes
// nothing on a server.
type Reader interface {
	// Read asks as a Prober does, and hands what came to take, once, if it is what was
	// asked for by the Result: not where a page stands in its place that only says so, nor
	// where a server answers that nothing has changed. What take is handed ends when it
	// returns; the server has said all of it, and is not waited for any more. The Result is that of a Prober, for the link to the same address.
	//
	// The error is that of take, an *Elsewhere, or nil: an answer of whatever kind is a
	// Result. That of an *Elsewhere has the redirects, and no outcome.
	Read(ctx context.Context, t Target, w Wanted, take func(*Answer) error) (Result, error)
}

// ReadFunc is a Reader.
type ReadFunc func(ctx context.Context, t Target, w Wanted, take func(*Answer) error) (Result, error)

// Read calls f.
func (f ReadFunc) Read(ctx context.Context, t Target, w Wanted, take func(*Answer) error) (Result, error) {
	return f(ctx, t, w, take)
}

// Wanted says what is to be brought. The zero value is a whole document.
type Wanted struct {
	MaxBytes  int64                // of a document, after content codings are undone; it is cut there, and Answer.Cut says so. 0: 64 MiB
	Version   string               // by which it is known, as Answer.Version gave it: the server may answer that it is the same
	Short     string               // Answer.Short of an earlier answer: what comes in the same way is whole after all
	Listed    string               // what a list says of its state, as Entry.Version gave it
	AnyStatus bool                 // what comes over HTTP is taken whatever its status, but where that asks to come again later, and judged by the caller
	NoRobots  bool                 // robots.txt is not asked: protocols over HTTP that are made for programs
	Had       func(to string) bool // whether that came in this run: a redirect to it ends there, with a Result of http-304; nil: nothing did
	Asked     func(to string) bool // whether that was asked for in this run: a redirect to it ends there, with what was heard; nil: nothing was
	Once      bool                 // where the address was asked for in vain in this run, be it for another root, that is the Result: nothing is asked
	Shared    bool                 // as Once, and what came is kept for other roots of the run too: robots.txt, a sitemap
	Strict    bool                 // a robots.txt that cannot be had forbids all (RFC 9309 section 2.3.1.4): the Result is that of asking for it

	Query  string // of a database: what is sought, in the words of its protocol
	After  string // of a list: what comes behind this number or place
	Most   int    // entries of a list; 0: all
	Secret Secret // of the root, for its own scheme, host and port

	// Same says whether the entry that the caller knows under a number of a list is name;
	// with the name "" whether it knows any. nil: it knows none.
	Same func(number, name string) bool

	// SameTo is the highest number that was known before the caller last looked whether they
	// are the same; 0: it never did. What was learned since may be of another numbering.
	SameTo uint64
}

// Secret is what the operator gave for one root. It is sent to that root alone, and never
// without TLS but to this machine.
type Secret struct {
	User, Password string // Basic, or LOGIN
	Token          string // Bearer
}

// Answer is what a server brought.
type Answer struct {
	Body    io.Reader // of a document: bounded, without transfer and content coding; an error in place of its end says that it did not come whole
	URI     uri.URI   // where it stands, behind redirects on its host
	Media   string    // its type, as the server calls it, with parameters; "": not said
	Version string    // what the server says of its state; "": nothing
	Short   string    // a digest of what came, where it seems to be cut though nothing broke (HARVEST section 5): Body ends in an error
	Date    time.Time // the server's clock; zero: not said
	Cut     bool      // there is more than Wanted.MaxBytes; of a list, behind its last entry
	Robots  string    // what X-Robots-Tag says (no part of RFC 9309, as search engines read it)

	// Entries are those of a folder, a group or a result set; nil: it is a document. An
	// error is the last of them: the list is not whole.
	Entries iter.Seq2[Entry, error]
}

// Entry is a thing in a list.
type Entry struct {
	Name    string // below the URI of the list, or a URI of its own
	Version string // the server's words about its state, as they stand
	Folder  bool
	Data    []byte // of a record that came with the list; nil: it is to be asked for
}

// Elsewhere is the error of Read where a redirect leads to another host: what the archive
// was is another one there.
type Elsewhere struct {
	To   uri.URI
	Rest *Continuation // of the probe of the same address, for a link to it; nil: it is not to be had
}

// Error says where to.
func (e *Elsewhere) Error() string { return fmt.Sprintf("it redirects to %.200q", e.To.String()) }

// NotModified says whether, to a Read, the server answered that the thing is as it was: by
// 304 over HTTP, by its size and time over FTP.
func (r *Result) NotModified() bool {
	return r.Reason == ReasonHTTP(http.StatusNotModified) || r.Reason == ReasonFTP(213)
}
