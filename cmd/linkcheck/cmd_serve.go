package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"linkcheck/report"
	"linkcheck/report/serve"
	"linkcheck/store"
)

// refreshEvery is how often serve looks whether a run has changed the store.
const refreshEvery = 10 * time.Second

func cmdServe(a *app) *cobra.Command {
	r := &reportFlags{}
	var listen string
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Show the report in a browser, however large the store",
		Long: `Serve the report over HTTP, read-only, on loopback. It works on a copy, so that the
nightly run never waits for it, and makes a new one when a run has changed the store.`,
		Example: `  linkcheck serve --store library.db
  linkcheck serve --store library.db --listen 127.0.0.1:9000`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.serve(cmd.Context(), r, listen) },
	}
	f := cmd.Flags()
	storeFlag(cmd, &r.store)
	f.StringVar(&listen, "listen", "127.0.0.1:8427", "`ADDRESS` to listen on")
	f.StringVar(&r.o.RecordURL, "record-url", "", "`TEMPLATE` of a record's address")
	langFlag(cmd, &r.o.Lang)
	nowFlag(cmd, &r.now)
	return cmd
}

func (a *app) serve(ctx context.Context, r *reportFlags, listen string) error {
	now, err := clock(r.now)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "linkcheck-serve-")
	if err != nil {
		return usage("serve: %w", err)
	}
	defer os.RemoveAll(dir)
	r.o.Rules = a.rules
	r.o.StorePath = filepath.Base(r.store)
	a.fillOptions(&r.o, r.store)
	host, _, _ := net.SplitHostPort(listen) // what is wrong with the address is said by Listen below
	m := &mirror{app: a, path: r.store, dir: dir, host: host, o: r.o, now: now}
	if err := m.refresh(ctx); err != nil {
		return err
	}
	defer func() { m.replace(nil, nil) }()
	l, err := net.Listen("tcp", listen)
	if err != nil {
		return usage("--listen: %w", err)
	}
	fmt.Fprintf(a.stderr, "linkcheck: http://%s/ (Ctrl-C ends it)\n", l.Addr())
	return m.run(ctx, l)
}

// mirror serves a copy of a store, and renews the copy when the store changes.
type mirror struct {
	*app
	path, dir, host string
	o               report.Options
	now             func() time.Time

	mu     sync.RWMutex // held for reading by requests
	server *serve.Server
	st     *store.Store
	seen   time.Time // of the store that the copy was made of
	copies int
}

// run serves until ctx ends, then lets requests finish.
func (m *mirror) run(ctx context.Context, l net.Listener) error {
	srv := &http.Server{Handler: m, ReadHeaderTimeout: 5 * time.Second, IdleTimeout: time.Minute}
	ended := make(chan error, 1)
	go func() { ended <- srv.Serve(l) }()
	tick := time.NewTicker(refreshEvery)
	defer tick.Stop()
	for {
		select {
		case err := <-ended:
			return usage("serve: %w", err)
		case <-tick.C:
			if err := m.refresh(ctx); err != nil && !errors.Is(err, store.ErrInUse) {
				fmt.Fprintf(m.stderr, "linkcheck: still showing the last copy: %s\n", err)
			}
		case <-ctx.Done():
			end, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
			defer cancel()
			return srv.Shutdown(end)
		}
	}
}

// refresh makes a new copy if the store has changed since the last one.
func (m *mirror) refresh(ctx context.Context) error {
	info, err := os.Stat(m.path)
	if err == nil && info.ModTime().Equal(m.seen) {
		return nil
	}
	from, err := m.openToRead(m.path, m.now)
	if err != nil {
		return err
	}
	m.copies++
	name := filepath.Join(m.dir, fmt.Sprintf("%d.db", m.copies))
	if err := errors.Join(from.Backup(name), from.Close()); err != nil {
		return storeFailed(err)
	}
	st, err := store.Open(name, &store.Options{ReadOnly: true, Now: m.now, Rules: m.o.Rules})
	if err != nil {
		return storeFailed(err)
	}
	m.o.Now = m.now()
	server, err := serve.New(ctx, st, m.o, m.host)
	if err != nil {
		return errors.Join(reportFailed(err), st.Close())
	}
	m.replace(server, st)
	m.seen = info.ModTime()
	return nil
}

// replace takes another copy, and removes the last one once no request reads it.
func (m *mirror) replace(server *serve.Server, st *store.Store) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.st != nil {
		m.st.Close()
		os.Remove(m.st.Path())
	}
	m.server, m.st = server, st
}

// ServeHTTP implements http.Handler.
func (m *mirror) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.server == nil {
		http.Error(w, "the store is being read; try again", http.StatusServiceUnavailable)
		return
	}
	m.server.ServeHTTP(w, r)
}
