package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"linkcheck/fleet"
	"linkcheck/internal/escape"
	"linkcheck/internal/plain"
	"linkcheck/store/setfile"
)

// engineFlags say where the engine of a fleet is, and which set there is meant.
type engineFlags struct {
	at  fleet.Access
	set string
}

func (e *engineFlags) register(cmd *cobra.Command, what string) {
	f := cmd.Flags()
	f.StringVar(&e.at.URL, "engine", "", what+" at this `URL` of a NATS server with JetStream, such as linkcheck-engine: nats://host:4222, tls://host:4222; several are separated by commas")
	f.StringVar(&e.set, "set", "", "`NAME` of the set (default: the only one of the account)")
	f.StringVar(&e.at.Creds, "creds", "", "`FILE` with the credentials of a user of the engine")
	f.StringVar(&e.at.CA, "tls-ca", "", "`FILE` with certificates to be believed of the engine (PEM)")
	f.StringVar(&e.at.Cert, "tls-cert", "", "`FILE` with our certificate for the engine (PEM)")
	f.StringVar(&e.at.Key, "tls-key", "", "`FILE` with its key")
}

// check refuses what cannot be meant.
func (e *engineFlags) check() error {
	if e.at.URL == "" {
		return fail(exitUsage, "linkcheck-engine is one for the workers of a machine", "--engine is missing: where the engine of the fleet is")
	}
	if (e.at.Cert == "") != (e.at.Key == "") {
		return usage("--tls-cert and --tls-key come together")
	}
	for _, f := range [][2]string{{"creds", e.at.Creds}, {"tls-ca", e.at.CA}, {"tls-cert", e.at.Cert}, {"tls-key", e.at.Key}} {
		if f[1] == "" {
			continue
		}
		if _, err := os.Stat(f[1]); err != nil {
			return usage("--%s: %w", f[0], err)
		}
	}
	return nil
}

// find connects to the set that is meant.
func (e *engineFlags) find(ctx context.Context) (*fleet.NATS, error) {
	if err := e.check(); err != nil {
		return nil, err
	}
	n, err := fleet.Find(ctx, e.at, e.set)
	return n, fleetFailed(err)
}

// fleetErrors says what each failure of a fleet means to the shell, and what to do about it.
var fleetErrors = []struct {
	is   error
	code int
	hint string
}{
	{fleet.ErrNoEngine, exitDistrusted, "is it started, and the address right? linkcheck-engine is one"},
	{fleet.ErrRefused, exitUsage, "--creds names the file of a user that the engine knows"},
	{fleet.ErrNoSet, exitUsage, "'linkcheck fleet init' makes one; of several --set names one"},
	{fleet.ErrStands, exitUsage, "'linkcheck fleet work' serves it; --set gives another name"},
	{fleet.ErrOtherSet, exitUsage, "nothing was changed"},
	{setfile.ErrForeign, exitUsage, "nothing was changed"},
	{fleet.ErrClock, exitDistrusted, "set the clock of the one that is wrong; nothing was changed"},
	{fleet.ErrSameName, exitInUse, "wait for it to end, or give another --name"},
}

// fleetFailed adds the exit code and the hint to an error of a fleet.
func fleetFailed(err error) error {
	for _, e := range fleetErrors {
		if errors.Is(err, e.is) {
			return fail(e.code, e.hint, "%w", err)
		}
	}
	return storeFailed(err)
}

func cmdFleet(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "fleet",
		Short: "Share the nights among workers on several machines: init, work, status, drain",
		Long: `Workers share the links of a set: each serves some of its shards, asks the servers of their
links, and others take over what it leaves. What they know goes through an engine, a NATS
server with JetStream, and copies of the shards stand in a folder that all of them see, such
as one of a file server. 'linkcheck run --engine URL' makes a night, and the folder of copies is
read as any store: 'linkcheck report --store COPIES'.`,
		Example: `  linkcheck-engine --dir /var/lib/linkcheck/engine &
  linkcheck fleet init --engine nats://127.0.0.1:4222 --shards 16
  linkcheck fleet work --engine nats://127.0.0.1:4222 --copies /srv/copies --name one &
  linkcheck fleet work --engine nats://127.0.0.1:4222 --copies /srv/copies --name two &
  linkcheck run --engine nats://127.0.0.1:4222 --copies /srv/copies /srv/archive
  linkcheck report --store /srv/copies --html report.html`,
		Args: wantVerb,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(cmdFleetInit(a), cmdFleetWork(a), cmdFleetStatus(a), cmdFleetDrain(a))
	return cmd
}

func cmdFleetInit(a *app) *cobra.Command {
	var e engineFlags
	set := fleet.Set{}
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Make a set on an engine",
		Example: `  linkcheck fleet init --engine nats://127.0.0.1:4222 --shards 16
  linkcheck fleet init --engine tls://a.test,tls://b.test,tls://c.test --creds admin.creds --shards 64 --replicas 3`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch set.Name = cmp.Or(e.set, "links"); {
			case set.Shards < 1 || set.Shards > setfile.Most:
				return usage("--shards is 1 to %d", setfile.Most)
			case set.Replicas != 1 && set.Replicas != 3:
				return usage("--replicas is 1 or 3")
			case set.TTL < 3*time.Second || set.TTL > 2*time.Minute:
				return usage("--session is 3s to 2m")
			case set.Octets < 1<<20:
				return usage("--log-bytes is 1048576 at least")
			}
			if err := e.check(); err != nil {
				return err
			}
			n, err := fleet.Make(cmd.Context(), e.at, set)
			if err != nil {
				return fleetFailed(err)
			}
			n.Close()
			a.done("made the set %s of %s\n", set.Name, plain.Plural(set.Shards, "shard", "shards"))
			return nil
		},
	}
	e.register(cmd, "make it")
	f := cmd.Flags()
	f.Lookup("set").Usage = "`NAME` of the set: letters, digits and hyphens (default: links)"
	f.IntVar(&set.Shards, "shards", 16, "`N` shards, 1 to 256: 16 up to 10^8 links, 64 up to 10^9")
	f.IntVar(&set.Replicas, "replicas", 1, "`N` servers keep each message: 1, or 3 of a cluster")
	f.DurationVar(&set.TTL, "session", fleet.SessionTTL, "a worker that is not heard of for this `TIME` loses its shards")
	f.Int64Var(&set.Octets, "log-bytes", 4<<30, "`N` octets of the disk of the engine for what is in no copy yet")
	return cmd
}

// answerTime is how long workers have to say how they are.
const answerTime = 2 * time.Second

// fleetStatus is what `fleet status --json` prints.
type fleetStatus struct {
	Schema  string               `json:"schema"`
	Set     string               `json:"set"`
	Shards  int                  `json:"shards"`
	Live    int                  `json:"live"`    // shards that are served
	Run     uint64               `json:"run"`     // the last night; 0: there was none
	Told    int                  `json:"-"`       // shards that have heard of it
	Through int                  `json:"through"` // of these, those that have made it
	Reads   bool                 `json:"reads"`   // a run is under way
	Planned int                  `json:"planned"`
	Done    int                  `json:"done"`
	Stuck   []int                `json:"stuck,omitempty"`
	Workers []fleet.WorkerStatus `json:"workers"`
}

// statusOf sums up what workers say.
func statusOf(n *fleet.NATS, workers []fleet.WorkerStatus) *fleetStatus {
	s := &fleetStatus{Schema: "linkcheck.fleet.v1", Set: n.Set, Shards: n.Of.Shards, Workers: workers}
	for _, w := range workers {
		s.Reads = s.Reads || w.Reads
		for _, sh := range w.Shards {
			s.Run = max(s.Run, sh.Run)
		}
	}
	for _, w := range workers {
		for _, sh := range w.Shards {
			if sh.Live {
				s.Live++
			}
			if sh.Why != "" {
				s.Stuck = append(s.Stuck, sh.Shard)
			}
			if sh.Run == s.Run && s.Run > 0 {
				s.Told++
				s.Planned, s.Done = s.Planned+sh.Planned, s.Done+sh.Done
				if sh.Through {
					s.Through++
				}
			}
		}
	}
	return s
}

func cmdFleetStatus(a *app) *cobra.Command {
	var e engineFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "status",
		Short:   "Say how the workers of a set are, and how far the night is",
		Example: "  linkcheck fleet status --engine nats://127.0.0.1:4222\n  linkcheck fleet status --engine nats://127.0.0.1:4222 --json | jq .through",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			n, err := e.find(cmd.Context())
			if err != nil {
				return err
			}
			defer n.Close()
			workers, err := fleet.Look(cmd.Context(), n, answerTime)
			if err != nil {
				return fleetFailed(err)
			}
			s := statusOf(n, workers)
			if asJSON {
				return json.NewEncoder(a.stdout).Encode(s)
			}
			a.printStatus(s)
			return nil
		},
	}
	e.register(cmd, "ask")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

func (a *app) printStatus(s *fleetStatus) {
	night := "no night yet"
	if s.Run > 0 {
		night = fmt.Sprintf("night %d: %d of %d shards through, %s of %s checked", s.Run, s.Through, s.Shards, plain.Thousands(s.Done), plain.Plural(s.Planned, "link", "links"))
	}
	escape.Printf(a.stdout, "%s; %d of %s served by %s\n", night, s.Live, plain.Plural(s.Shards, "shard", "shards"), plain.Plural(len(s.Workers), "worker", "workers"))
	for _, w := range s.Workers {
		how := ""
		for _, is := range []struct {
			so   bool
			word string
		}{{w.Reads, ", reads"}, {w.Leaving, ", leaves"}, {w.Silent, ", does not answer"}, {!w.Sure && !w.Silent, ", is not sure of its session"}} {
			if is.so {
				how += is.word
			}
		}
		escape.Printf(a.stdout, "%s: %s%s\n", w.Worker, plain.Plural(len(w.Shards), "shard", "shards"), how)
		for _, sh := range w.Shards {
			if sh.Why != "" {
				escape.Printf(a.stdout, "  shard %d is stuck: %s\n", sh.Shard, sh.Why)
			}
		}
	}
}

func cmdFleetDrain(a *app) *cobra.Command {
	var e engineFlags
	cmd := &cobra.Command{
		Use:     "drain WORKER",
		Short:   "Have a worker give its shards back and end, and wait until it has",
		Example: "  linkcheck fleet drain --engine nats://127.0.0.1:4222 one",
		Args:    exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			n, err := e.find(cmd.Context())
			if err != nil {
				return err
			}
			defer n.Close()
			for told := false; ; told = true {
				living, err := n.Living(cmd.Context())
				if err != nil {
					return fleetFailed(err)
				}
				l := living[args[0]]
				lives := l.Incarnation != ""
				switch {
				case !lives && !told:
					return fail(exitUsage, "'linkcheck fleet status' lists them", "there is no worker %.200q", args[0])
				case !lives:
					a.done("%s has ended\n", args[0])
					return nil
				case !l.Leaving:
					fleet.Drain(n, args[0])
				}
				if err := sleep(cmd.Context(), time.Second); err != nil {
					return err
				}
			}
		},
	}
	e.register(cmd, "tell it")
	return cmd
}
