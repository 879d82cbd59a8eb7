package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"linkcheck/fleet"
	"linkcheck/fleet/overview"
	"linkcheck/internal/exit"
	"linkcheck/internal/plain"
	"linkcheck/store"
	"linkcheck/store/setfile"
)

func cmdFleet(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "fleet",
		Short: "Share the nights among workers on several machines: init, work, status, drain, upgrade, rebase",
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
		Args: exit.WantVerb,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(cmdFleetInit(a), cmdFleetWork(a), cmdFleetStatus(a), cmdFleetDrain(a), cmdFleetUpgrade(a), cmdFleetRebase(a))
	return cmd
}

// newSet are the flags of verbs that make a set.
type newSet struct {
	engineFlags
	fleet.Set
	from, copies string
	doubt        bool // the store may lack some of what it says was read
}

func (s *newSet) register(cmd *cobra.Command, shards int, about string) {
	s.engineFlags.register(cmd, "make it")
	f := cmd.Flags()
	f.Lookup("set").Usage = "`NAME` of the set: letters, digits and hyphens (default: links)"
	f.IntVar(&s.Shards, "shards", shards, "`N` shards, 1 to 256: 16 up to 10^8 links, 64 up to 10^9"+about)
	f.IntVar(&s.Replicas, "replicas", 1, "`N` servers keep each message: 1, or 3 of a cluster")
	f.DurationVar(&s.TTL, "session", fleet.SessionTTL, "a worker that is not heard of for this `TIME` loses its shards")
	f.Int64Var(&s.Octets, "log-bytes", 4<<30, "`N` octets of the disk of the engine for what is in no copy yet")
	f.StringVar(&s.copies, "copies", "", "new `FOLDER` for copies of the shards, which all workers and runs of the set see")
}

// check refuses what cannot be meant.
func (s *newSet) check() error {
	switch s.Name = cmp.Or(s.set, "links"); {
	case s.Shards < 1 || s.Shards > setfile.Most:
		return exit.Usage("--shards is 1 to %d", setfile.Most)
	case s.Replicas != 1 && s.Replicas != 3:
		return exit.Usage("--replicas is 1 or 3")
	case s.TTL < 3*time.Second || s.TTL > 2*time.Minute:
		return exit.Usage("--session is 3s to 2m")
	case s.Octets < 1<<20:
		return exit.Usage("--log-bytes is 1048576 at least")
	case (s.from == "") != (s.copies == ""):
		return exit.Usage("--from and --copies come together: the store, and the new folder for copies of its shards")
	}
	return s.engineFlags.check()
}

// make makes the set. The files of a store are made beside those of other programs first
// (TMPDIR), for a folder of copies may be one of a file server.
func (s *newSet) make(ctx context.Context, a *app) error {
	if err := s.check(); err != nil {
		return err
	}
	if s.from != "" {
		dir, err := os.MkdirTemp("", "linkcheck-set-")
		if err == nil {
			defer os.RemoveAll(dir)
			err = os.MkdirAll(s.copies, 0o700)
		}
		if err != nil {
			return exit.Usage("%w", err)
		}
		if list, err := os.ReadDir(s.copies); err != nil || len(list) > 0 {
			return exit.Fail(exit.BadUsage, "name a new folder", "--copies: %s is not empty", s.copies)
		}
		one, o := filepath.Join(dir, "one.db"), store.Options{Shards: s.Shards, Fleet: s.Shards, Doubt: s.doubt}
		s.From, s.Copies = filepath.Join(dir, "shards"), fleet.Copies(s.copies)
		if err = a.fill(ctx, s.from, s.From, o); errors.Is(err, store.ErrOlder) { // links are placed by the present rules
			if err = a.fill(ctx, s.from, one, store.Options{}); err == nil {
				err = a.fill(ctx, one, s.From, o)
			}
		}
		if err != nil {
			return err
		}
	}
	n, err := fleet.Make(ctx, s.at, s.Set)
	if err != nil {
		return fleetFailed(err)
	}
	n.Close()
	a.done("made the set %s of %s\n", s.Name, plain.Plural(s.Shards, "shard", "shards"))
	return nil
}

func cmdFleetInit(a *app) *cobra.Command {
	s := newSet{}
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Make a set on an engine, an empty one or one of a store",
		Long: `Make a set on an engine. With --from it knows what a store knows, which stays as it is; the
folder --copies gets a copy of each of its shards, and is the one to give to all workers and runs.`,
		Example: `  linkcheck fleet init --engine nats://127.0.0.1:4222 --shards 16
  linkcheck fleet init --engine nats://127.0.0.1:4222 --from library.db --copies /srv/copies
  linkcheck fleet init --engine tls://a.test,tls://b.test,tls://c.test --creds admin.creds --shards 64 --replicas 3`,
		Args: exit.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return s.make(cmd.Context(), a) },
	}
	s.register(cmd, 16, "")
	cmd.Flags().StringVar(&s.from, "from", "", "`STORE` of which the set is made: a file, or the folder of a set")
	return cmd
}

// mostUncopied is more changes than are in the files of workers and in no copy. The places of
// these must be none of the new log, or such a file would count as newer than the copies.
const mostUncopied = 1 << 32

// cmdFleetAgain is a verb that makes a set again of its copies.
func cmdFleetAgain(a *app, cmd *cobra.Command, doubt bool) *cobra.Command {
	s := newSet{doubt: doubt}
	s.register(cmd, 0, " (default: as many as before)")
	cmd.Flags().StringVar(&s.from, "from", "", "`FOLDER` with the copies of the set as it was")
	cmd.Args, cmd.RunE = exit.NoArgs, func(cmd *cobra.Command, _ []string) error {
		if s.from == "" {
			return exit.Usage("--from is missing: the folder with the copies of the set as it was")
		}
		of, err := setfile.Read(cmd.Context(), s.from)
		if err != nil || !of.Copies {
			return errors.Join(exit.Usage("--from: %s is no folder of copies of a set", s.from), err)
		}
		for n := range of.Shards {
			list, err := setfile.Cursors(s.from, n)
			if err != nil {
				return exit.Usage("--from: %w", err)
			}
			s.Whole = append(s.Whole, slices.Max(append(list, 0)))
		}
		s.Again, s.Above, s.Shards = true, slices.Max(s.Whole)+mostUncopied, cmp.Or(s.Shards, of.Shards)
		if doubt {
			s.Whole = nil
		}
		return s.make(cmd.Context(), a)
	}
	return cmd
}

func cmdFleetUpgrade(a *app) *cobra.Command {
	return cmdFleetAgain(a, &cobra.Command{
		Use:   "upgrade",
		Short: "Make a set again by the rules of this program, or with another number of shards",
		Long: `Make a set again of its copies: with the edition of the rules that this program has, or with
another number of shards. All its workers have been drained, so that the copies hold all that
is known; where they do not, nothing is changed. The copies of the new set go to a new folder,
which is to be given to all workers and runs from now on. The old one stays as it is.`,
		Example: "  linkcheck fleet upgrade --engine nats://127.0.0.1:4222 --from /srv/copies --copies /srv/copies.2",
	}, false)
}

func cmdFleetRebase(a *app) *cobra.Command {
	return cmdFleetAgain(a, &cobra.Command{
		Use:   "rebase",
		Short: "Make a set again of its copies when an engine has lost its log",
		Long: `Make a set again of its copies, on an engine that has lost its log or the end of it: where
workers say that 'the log does not hold the last change of this store', or where the engine is
a new one. What was in no copy is lost: links are asked again that have no answer there, and
the next run reads all documents again, so that no link is missing. Pins are to be set again.
No worker may serve the set. The copies of the new set go to a new folder.`,
		Example: "  linkcheck fleet rebase --engine nats://127.0.0.1:4222 --from /srv/copies --copies /srv/copies.2",
	}, true)
}

// answerTime is how long workers have to say how they are.
const answerTime = 2 * time.Second

func cmdFleetStatus(a *app) *cobra.Command {
	var e engineFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "status",
		Short:   "Say how the workers of a set are, and how far the night is",
		Example: "  linkcheck fleet status --engine nats://127.0.0.1:4222\n  linkcheck fleet status --engine nats://127.0.0.1:4222 --json | jq .through",
		Args:    exit.NoArgs,
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
			s := overview.Of(n, workers)
			if asJSON {
				return json.NewEncoder(a.stdout).Encode(s)
			}
			return s.Print(a.stdout)
		},
	}
	e.register(cmd, "ask")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

func cmdFleetDrain(a *app) *cobra.Command {
	var e engineFlags
	cmd := &cobra.Command{
		Use:     "drain WORKER",
		Short:   "Have a worker give its shards back and end, and wait until it has",
		Example: "  linkcheck fleet drain --engine nats://127.0.0.1:4222 one",
		Args:    exit.ExactArgs(1),
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
					return exit.Fail(exit.BadUsage, "'linkcheck fleet status' lists them", "there is no worker %.200q", args[0])
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

// lastRun is the last run of a store; ID 0: there was none.
func lastRun(st *store.Store) (last store.Run, err error) {
	for r, err := range st.Runs() {
		if err != nil {
			return last, err
		}
		last = r
	}
	return last, nil
}

// tellKilled says on standard error that the run before this one has no end: what is
// interrupted writes one.
func (a *app) tellKilled(st *store.Store, last *store.Run) error {
	if last.ID == 0 || !last.Ended.IsZero() {
		return nil
	}
	tally, err := st.Tally(last.ID)
	if err != nil {
		return err
	}
	kept := 0
	for _, n := range tally.Outcomes {
		kept += n
	}
	a.log.Warn("the run begun %s ended without a word (killed?): %s kept",
		last.Started.UTC().Format("2006-01-02 15:04"), plain.Plural(kept, "answer was", "answers were"))
	return nil
}
