package fleet

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"linkcheck/store/setfile"
	"linkcheck/uri/equal"
)

var (
	// ErrNoEngine says that nothing answers as an engine.
	ErrNoEngine = errors.New("no engine answers")
	// ErrRefused says that an engine knows nobody of these credentials, or that he may not do
	// what was to be done.
	ErrRefused = errors.New("the engine refuses these credentials")
	// ErrStands says that there is a set already.
	ErrStands = errors.New("there is a set already")
	// ErrNoSet says that an engine has no set, none of the name, or several.
	ErrNoSet = errors.New("no set is found")
	// ErrOtherSet says that a set is not for this program, or not the one that was meant.
	ErrOtherSet = errors.New("the set is another")
	// ErrClock says that the clock of this machine is far from that of the engine.
	ErrClock = errors.New("the clock of this machine and that of the engine are far apart")
)

const (
	about     = "linkcheck" // the key in the metadata of the log under which stands what the set says of itself
	mostApart = time.Minute // of clocks
)

// clock is that of this machine.
var clock = time.Now

// Set says how the engine of a set is made, where there is none yet.
type Set struct {
	Name     string        // letters, digits and hyphens
	Shards   int           // 1 to setfile.Most
	TTL      time.Duration // for so long a session lives after a renewal
	Replicas int           // 1 or 3
	Octets   int64         // the most that the logs may hold; the server sets that room aside

	// A set that Make makes of a store: From is a folder with the shards of a fleet, of which
	// copies go to Copies, a folder without any. "": it knows nothing.
	From   string
	Copies Copies
	// Again: in the place of the set that stands. Whole are, if there are any, the places up to
	// which its copies hold the logs of its shards: it is left alone if these are longer.
	Again bool
	Whole []uint64
	Above uint64 // the log begins above this place, which files of the set before may have
}

var setName = regexp.MustCompile(`^[A-Za-z0-9-]{1,32}$`)

// Dial connects to the engine of a set, makes its streams if there are none, and tries
// whether the server fences.
func Dial(ctx context.Context, url string, set Set, o ...nats.Option) (*NATS, error) {
	if !setName.MatchString(set.Name) {
		return nil, fmt.Errorf("%q is no name of a set: letters, digits and hyphens", set.Name)
	}
	return connect(url, o, func(n *NATS) error {
		n.Set = set.Name
		return cmp.Or(n.streams(ctx, set), n.try(ctx))
	})
}

// Access says where an engine is, and who asks. Empty fields are not told.
type Access struct {
	URL   string // several are separated by commas
	Creds string // file of a user: its JWT and key, or its NKey alone
	CA    string // file with certificates to be believed
	Cert  string // file of a certificate, and of its key
	Key   string
	Looks bool // it appends to no log as a worker does, so that nobody tries whether that is fenced
}

func (a *Access) options() (o []nats.Option) {
	if a.Creds != "" {
		o = append(o, credentials(a.Creds))
	}
	if a.CA != "" {
		o = append(o, nats.RootCAs(a.CA))
	}
	if a.Cert != "" {
		o = append(o, nats.ClientCert(a.Cert, a.Key))
	}
	return o
}

// credentials are those in a file: with a JWT, as operators hand it out, or an NKey, whose user
// is one of the configuration of a server.
func credentials(file string) nats.Option {
	key, err := nats.NkeyOptionFromSeed(file)
	text, rerr := os.ReadFile(file)
	switch {
	case rerr != nil:
		return func(*nats.Options) error { return rerr }
	case bytes.Contains(text, []byte("NATS USER JWT")):
		return nats.UserCredentials(file)
	case err != nil:
		return func(*nats.Options) error { return fmt.Errorf("%w: %s holds none", ErrRefused, file) }
	}
	return key
}

// Find connects to the engine of a set that is there: of the one of a name, or of the only one.
// The error wraps ErrNoSet, ErrOtherSet or ErrClock where it is one of these.
func Find(ctx context.Context, at Access, name string) (*NATS, error) {
	return connect(at.URL, at.options(), func(n *NATS) (err error) {
		if n.Set, err = n.only(ctx, name); err != nil {
			return err
		}
		sent := clock()
		if err := n.streams(ctx, Set{Name: n.Set}); err != nil {
			return err
		}
		info := n.logs.CachedInfo()
		if apart := info.TimeStamp.Sub(sent).Round(time.Second); apart.Abs() > mostApart {
			return fmt.Errorf("%w: by %s", ErrClock, apart.Abs())
		}
		if n.Of, err = setfile.Parse([]byte(info.Config.Metadata[about])); err != nil {
			return fmt.Errorf("%w: %w", ErrOtherSet, err)
		}
		if n.Of.Filling {
			return fmt.Errorf("%w: it is being made; if that was cut off, make it again", ErrOtherSet)
		}
		if n.Of.Edition != equal.Edition || n.Of.Place != setfile.Place {
			return fmt.Errorf("%w ('linkcheck fleet upgrade' makes a new one of it): it is of edition %d, place %d, and this program has %d and %d", ErrOtherSet, n.Of.Edition, n.Of.Place, equal.Edition, setfile.Place)
		}
		if n.TTL = n.live.CachedInfo().Config.MaxAge; at.Looks {
			return nil
		}
		return n.try(ctx)
	})
}

// connect connects and begins; what fails ends the connection.
func connect(url string, o []nats.Option, begin func(*NATS) error) (*NATS, error) {
	n := &NATS{shards: map[int]*natsShard{}}
	o = append([]nats.Option{
		nats.MaxReconnects(-1), nats.ReconnectWait(again), nats.Timeout(askTime), nats.ReconnectBufSize(-1), // a turn that is told late may be over
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { // without one it prints
			if errors.Is(err, nats.ErrPermissionViolation) {
				n.forbid(err)
			}
		}),
	}, o...)
	conn, err := nats.Connect(url, o...)
	var denied *tls.CertificateVerificationError
	switch {
	case errors.Is(err, ErrRefused): // before anybody was asked
		return nil, err
	case errors.As(err, &denied):
		return nil, fmt.Errorf("%w: its certificate is not believed: %w", ErrNoEngine, err)
	case errors.Is(err, nats.ErrAuthorization) || errors.Is(err, nats.ErrAuthExpired) || errors.Is(err, nats.ErrAccountAuthExpired):
		return nil, fmt.Errorf("%w: %w", ErrRefused, err)
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrNoEngine, err)
	}
	n.conn = conn
	if n.js, err = jetstream.New(conn); err == nil {
		err = begin(n)
	}
	if err == nil && conn.MaxPayload() < mostOctets {
		err = fmt.Errorf("its messages hold %d octets at most: set max_payload to %d", conn.MaxPayload(), mostOctets)
	}
	if err != nil {
		conn.Close()
		return nil, fmt.Errorf("engine: %w", n.mayNot(err))
	}
	return n, nil
}

// only gives the name of the set that is there.
func (n *NATS) only(ctx context.Context, name string) (string, error) {
	var found []string
	streams := n.js.ListStreams(ctx, jetstream.WithStreamListSubject("lc.*.own.*"))
	for s := range streams.Info() {
		if of, ok := strings.CutPrefix(s.Config.Subjects[0], "lc."); ok {
			of, _, _ = strings.Cut(of, ".")
			found = append(found, of)
			if of == name {
				return name, nil
			}
		}
	}
	switch err := streams.Err(); {
	case err != nil:
		return "", err
	case name != "":
		return "", fmt.Errorf("%w: there is none of the name %q", ErrNoSet, name)
	case len(found) == 0:
		return "", fmt.Errorf("%w: there is none", ErrNoSet)
	case len(found) > 1:
		return "", fmt.Errorf("%w: there are %s", ErrNoSet, strings.Join(found, ", "))
	}
	return found[0], nil
}

// streams finds the streams of a set; with a number of replicas it makes those that are not there.
func (n *NATS) streams(ctx context.Context, set Set) (err error) {
	upper := strings.ToUpper(n.Set)
	said, err := json.Marshal(cmp.Or(n.Of, setfile.NewFleet(set.Shards, equal.Edition)))
	if err != nil {
		return err
	}
	n.logs, err = n.stream(ctx, set, jetstream.StreamConfig{
		Name: "LC_" + upper + "_LOG", Subjects: []string{n.subject("in", "*"), n.subject("log", "*"), n.subject("own", "*"), n.subject("cut", "*")},
		Discard: jetstream.DiscardNew, MaxBytes: set.Octets, MaxMsgSize: mostOctets, Duplicates: idsKnown,
		Compression: jetstream.S2Compression, Replicas: set.Replicas, DenyDelete: true, FirstSeq: set.Above + 1, Metadata: map[string]string{about: string(said)},
	})
	if err == nil {
		n.live, err = n.stream(ctx, set, jetstream.StreamConfig{
			Name: "LC_" + upper + "_ALIVE", Subjects: []string{n.subject("alive", "*")},
			MaxMsgsPerSubject: 1, MaxAge: set.TTL, Duplicates: min(set.TTL, idsKnown), Replicas: set.Replicas,
		})
	}
	return err
}

// stream finds a stream, or makes it. What reads go to is its leader: it may not be
// answered for by another (allow_direct).
func (n *NATS) stream(ctx context.Context, set Set, c jetstream.StreamConfig) (jetstream.Stream, error) {
	s, err := n.js.Stream(ctx, c.Name)
	if errors.Is(err, jetstream.ErrStreamNotFound) && set.Replicas > 0 {
		s, err = n.js.CreateStream(ctx, c)
	}
	if err == nil {
		if is := s.CachedInfo().Config; is.AllowDirect || is.Duplicates < c.Duplicates {
			err = errors.New("others answer for its leader, or ids of messages are forgotten too soon")
		}
	}
	if err != nil {
		return nil, fmt.Errorf("stream %s: %w", c.Name, err)
	}
	return s, nil
}

// try refuses a server that does not know the header that names the subject of a fence: to
// it the fence of this append holds.
func (n *NATS) try(ctx context.Context) error {
	own, log := n.subject("own", "trial"), n.subject("log", "trial")
	if _, err := n.publish(ctx, own, nil, jetstream.WithExpectLastSequencePerSubject(0)); err != nil && !errors.Is(err, ErrFenced) {
		return err
	}
	_, err := n.publish(ctx, log, nil, jetstream.WithExpectLastSequenceForSubject(0, own))
	switch {
	case err == nil:
		return errors.New("the server lets in what a claim fences off: it is too old")
	case errors.Is(err, ErrFenced):
		return nil
	}
	return err
}
