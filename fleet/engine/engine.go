// Package engine is a NATS server with the settings of a fleet, within the process.
package engine

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

const (
	readyTime  = 10 * time.Second
	mostOctets = 16 << 20 // of a message
	inMemory   = 1 << 20  // octets of streams, of which there are none
)

// ErrInUse says that another engine keeps its files in the folder.
var ErrInUse = errors.New("another engine has the folder")

// Engine is a server that runs.
type Engine struct {
	server *server.Server
	lock   *os.File
}

// Start runs a server that keeps its files in a folder, which it makes, and listens on a
// host and a port; port 0 is one that is free. What it has answered for is on the disk. It
// knows no users and no TLS, so that host is to be one of this machine.
func Start(host string, port int, dir string) (*Engine, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("engine: %w", err)
	}
	held, err := lock(filepath.Join(dir, "engine.lock"))
	if err != nil {
		return nil, fmt.Errorf("engine: %q: %w", dir, err)
	}
	s, err := start(host, port, dir)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("engine: %w", err), held.Close())
	}
	return &Engine{s, held}, nil
}

func start(host string, port int, dir string) (*server.Server, error) {
	if port == 0 {
		port = server.RANDOM_PORT
	} else if at, err := net.Listen("tcp", net.JoinHostPort(host, fmt.Sprint(port))); err != nil { // the server would only log it
		return nil, err
	} else if err := at.Close(); err != nil {
		return nil, err
	}
	s, err := server.NewServer(&server.Options{
		ServerName: "linkcheck-engine", Host: host, Port: port, JetStream: true, StoreDir: dir, SyncAlways: true,
		MaxPayload: mostOctets, NoSigs: true, NoLog: true, JetStreamMaxMemory: inMemory,
	})
	if err != nil {
		return nil, err
	}
	s.Start()
	if !s.ReadyForConnections(readyTime) || !s.JetStreamEnabled() {
		s.Shutdown()
		s.WaitForShutdown()
		return nil, fmt.Errorf("no server comes up with the folder %q", dir)
	}
	return s, nil
}

// URL is the address for its workers.
func (e *Engine) URL() string { return "nats://" + e.server.Addr().String() }

// Stop ends it.
func (e *Engine) Stop() error {
	e.server.Shutdown()
	e.server.WaitForShutdown()
	return e.lock.Close()
}
