package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"linkcheck/internal/exit"
	"linkcheck/internal/fault"
	"linkcheck/internal/flags"
	"linkcheck/internal/openfile"
	"linkcheck/report"
	"linkcheck/report/serve"
	"linkcheck/store"
)

// refreshEvery is how often serve looks whether a run has changed the store.
const refreshEvery = 10 * time.Second

// What a reader may take of the server: a browser needs little of each.
const (
	mostConnections = 64
	forRequest      = 5 * time.Second
	forAnswer       = 30 * time.Second
	forEnd          = time.Second // to let answers end once the program is to end
	mostHeader      = 16 << 10    // octets of a request
)

// serveFlags say where serve listens and who may read.
type serveFlags struct {
	listen, tokenFile string
	names             []string
	public, edit      bool
}

func cmdServe(a *app) *cobra.Command {
	r, v := &reportFlags{}, &serveFlags{}
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Show the report in a browser, however large the store",
		Long: `Serve the report over HTTP, read-only, on loopback. It works on a copy, so that the
nightly run never waits for it, and makes a new one when a run has changed the store.

An --listen address that other machines reach wants --public: readers must then show a
token. It is printed as a part of the address, or is the first line of --token-file.
Nothing is encrypted: beyond your own network put a web server with TLS in front, and
name it by --server-name.

With --edit people mark, note and assign links, have them asked again and decide about new
addresses, in the page or by its API (docs/API.md), on loopback alone and with a token; all
of it stands in "linkcheck log". While a run holds the store, nothing can be changed.`,
		Example: `  linkcheck serve --store library.db
  linkcheck serve --store library.db --listen 127.0.0.1:9000
  linkcheck serve --store library.db --edit
  linkcheck serve --store library.db --listen :8427 --public --server-name links.library.example`,
		Args: exit.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.serve(cmd.Context(), r, v) },
	}
	f := cmd.Flags()
	storeFlag(cmd, &r.store)
	f.StringVar(&v.listen, "listen", "127.0.0.1:8427", "`ADDRESS` to listen on")
	f.BoolVar(&v.public, "public", false, "listen where other machines reach it too; readers need a token")
	f.BoolVar(&v.edit, "edit", false, "let who has the token change the store; on loopback alone")
	f.StringVar(&v.tokenFile, "token-file", "", "`FILE` whose first line is the token (default: a new one each time)")
	f.StringSliceVar(&v.names, "server-name", nil, "`NAMES` by which readers reach it, beside this machine's own")
	f.StringVar(&r.o.RecordURL, "record-url", "", "`TEMPLATE` of a record's address (default: that of the last run)")
	langFlag(cmd, &r.o.Lang)
	flags.Now(cmd, &r.now)
	return cmd
}

func (a *app) serve(ctx context.Context, r *reportFlags, v *serveFlags) error {
	now, err := flags.Clock(r.now)
	if err != nil {
		return err
	}
	at, token, err := v.judge(ctx)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "linkcheck-serve-")
	if err != nil {
		return exit.Usage("serve: %w", err)
	}
	defer os.RemoveAll(dir)
	r.o.Rules = a.rules
	r.o.StorePath = filepath.Base(r.store)
	a.fillOptions(&r.o, r.store)
	m := &mirror{app: a, path: r.store, dir: dir, hosts: v.hosts(at), edit: v.edit, token: token, o: r.o, now: now}
	if err := m.refresh(ctx); err != nil {
		return err
	}
	defer func() { m.renew.Lock(); m.replace(nil, nil) }() // a copy that is being made comes first
	l, err := net.ListenTCP("tcp", at)
	if err != nil {
		return exit.Usage("--listen: %w", err)
	}
	a.tellAddress(l.Addr(), v, token)
	h := m.handler()
	if v.edit {
		h = &serve.Editor{Pages: h, Write: m.writer(ctx), Token: token, By: whoAmI(), Now: now}
	} else if token != "" {
		h = serve.WithToken(h, token)
	}
	return m.run(ctx, serve.Limit(l, mostConnections), h)
}

// judge gives the address to listen on, and the token that readers must show: "" for none,
// which is for loopback alone.
func (v *serveFlags) judge(ctx context.Context) (at *net.TCPAddr, token string, err error) {
	if at, err = net.ResolveTCPAddr("tcp", v.listen); err != nil {
		return nil, "", exit.Usage("--listen: %w", err)
	}
	if v.edit && (!at.IP.IsLoopback() || len(v.names) > 0) {
		return nil, "", exit.Usage("--edit listens on loopback alone, such as 127.0.0.1:8427, and goes by no --server-name")
	}
	if !v.public && !at.IP.IsLoopback() {
		return nil, "", exit.Fail(exit.BadUsage, "add --public, and readers are asked for a token; or listen on 127.0.0.1", "--listen %s: other machines reach that", v.listen)
	}
	if v.tokenFile == "" {
		if v.public || v.edit {
			token = rand.Text()
		}
		return at, token, nil
	}
	lines, err := openfile.Lines(ctx, v.tokenFile, func(line string) string { return line })
	if err != nil {
		return nil, "", exit.Usage("--token-file: %w", err)
	}
	if len(lines) == 0 || len(lines[0]) < leastToken {
		return nil, "", exit.Usage("--token-file %s: its first line has fewer than %d characters: too easy to guess", v.tokenFile, leastToken)
	}
	return at, lines[0], nil
}

// leastToken is the length of the shortest token that a file may give.
const leastToken = 16

// hosts are the names by which readers may reach the server, beside those of loopback: any
// other name may be one that a page elsewhere leads here (DNS rebinding).
func (v *serveFlags) hosts(at *net.TCPAddr) []string {
	hosts := slices.Clone(v.names)
	if name, _, err := net.SplitHostPort(v.listen); err == nil && name != "" {
		hosts = append(hosts, name)
	}
	if len(at.IP) > 0 && !at.IP.IsUnspecified() {
		return append(hosts, at.IP.String())
	}
	if name, err := os.Hostname(); err == nil {
		hosts = append(hosts, name)
	}
	addrs, _ := net.InterfaceAddrs() // without them the names remain
	for _, a := range addrs {
		if n, ok := a.(*net.IPNet); ok {
			hosts = append(hosts, n.IP.String())
		}
	}
	return hosts
}

// tellAddress prints where readers find the report.
func (a *app) tellAddress(at net.Addr, v *serveFlags, token string) {
	host, port, _ := net.SplitHostPort(at.String()) // of a TCP address: it has both
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		name, _ := os.Hostname() // where there is none the reader knows another
		host = cmp.Or(name, host)
	}
	if len(v.names) > 0 {
		host = v.names[0]
	}
	query := ""
	if token != "" && v.tokenFile == "" {
		query = "?token=" + token
	}
	a.log.Notice("http://%s/%s (Ctrl-C ends it)", net.JoinHostPort(host, port), query)
}

// mirror serves a copy of a store, and renews the copy when the store changes.
type mirror struct {
	*app
	path, dir string
	hosts     []string
	edit      bool // whoever has the token may change the store
	token     string
	o         report.Options
	now       func() time.Time

	writing sync.Mutex   // held while the store is changed
	renew   sync.Mutex   // held while a copy is made
	mu      sync.RWMutex // held for reading while a page is made
	server  *serve.Server
	st      *store.Store
	seen    time.Time // of the store that the copy was made of
	copies  int
}

// run serves until ctx ends, then gives requests a second to finish.
func (m *mirror) run(ctx context.Context, l net.Listener, h http.Handler) error {
	srv := &http.Server{Handler: h, ReadTimeout: forRequest, WriteTimeout: forAnswer, IdleTimeout: forAnswer, MaxHeaderBytes: mostHeader}
	ended := make(chan error, 1)
	go func() { ended <- srv.Serve(l) }()
	tick := time.Tick(refreshEvery)
	for {
		select {
		case err := <-ended:
			return exit.Usage("serve: %w", err)
		case <-tick:
			if err := m.refresh(ctx); err != nil && !errors.Is(err, store.ErrInUse) && ctx.Err() == nil {
				m.log.Warn("still showing the last copy: %s", exit.Text(err))
			}
		case <-ctx.Done():
			end, cancel := context.WithTimeout(context.WithoutCancel(ctx), forEnd)
			defer cancel()
			if err := srv.Shutdown(end); errors.Is(err, context.DeadlineExceeded) { // a slow reader
				return srv.Close()
			} else {
				return err
			}
		}
	}
}

// refresh makes a new copy if the store has changed since the last one.
func (m *mirror) refresh(ctx context.Context) (err error) {
	defer fault.Catch(&err)
	m.renew.Lock()
	defer m.renew.Unlock()
	_, changed := filesOfStore(m.path)
	if !changed.IsZero() && changed.Equal(m.seen) {
		return nil
	}
	from, err := m.openToRead(ctx, m.path, m.now)
	if err != nil {
		return err
	}
	m.copies++
	name := filepath.Join(m.dir, fmt.Sprintf("%d.db", m.copies))
	if err := errors.Join(from.Backup(ctx, name), from.Close()); err != nil {
		return storeFailed(err)
	}
	st, err := store.Open(name, &store.Options{Context: ctx, ReadOnly: true, Now: m.now, Rules: m.o.Rules})
	if err != nil {
		return storeFailed(err)
	}
	m.o.Now = m.now()
	if err := m.fillRoots(&m.o, st); err != nil {
		return errors.Join(err, st.Close())
	}
	server, err := m.open(ctx, st)
	if err != nil {
		return errors.Join(reportFailed(err), st.Close())
	}
	m.replace(server, st)
	m.seen = changed
	return nil
}

// replace takes another copy, and removes the last one.
func (m *mirror) replace(server *serve.Server, st *store.Store) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.st != nil {
		m.st.Close()
		os.RemoveAll(m.st.Path())
	}
	m.server, m.st = server, st
}

// makePage fails only by a fault of the program.
func (m *mirror) makePage(p http.ResponseWriter, r *http.Request) (err error) {
	defer fault.Catch(&err)
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.server == nil {
		http.Error(p, "the store is being read; try again", http.StatusServiceUnavailable)
		return nil
	}
	m.server.ServeHTTP(p, r)
	return nil
}
