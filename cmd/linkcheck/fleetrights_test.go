//go:build unix

package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"linkcheck/internal/exit"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"
)

// authority makes certificates, of the files NAME.crt and NAME.key.
type authority struct {
	*testing.T
	dir  string
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func (a *authority) make(name string) {
	a.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		a.Fatal(err)
	}
	c := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	if a.cert == nil {
		c.IsCA, c.BasicConstraintsValid, c.KeyUsage, c.ExtKeyUsage = true, true, x509.KeyUsageCertSign, nil
		a.cert, a.key = c, key
	}
	der, err := x509.CreateCertificate(rand.Reader, c, a.cert, &key.PublicKey, a.key)
	if err != nil {
		a.Fatal(err)
	}
	octets, err := x509.MarshalECPrivateKey(key)
	err = errors.Join(err,
		os.WriteFile(a.file(name+".crt"), pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600),
		os.WriteFile(a.file(name+".key"), pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: octets}), 0o600))
	if err != nil {
		a.Fatal(err)
	}
}

func (a *authority) file(name string) string { return filepath.Join(a.dir, name) }

// startShipped starts a server with the configuration that we ship, whose users have keys in the
// files ROLE.creds of a folder. Users have to have certificates too.
func startShipped(t *testing.T, dir string) (url string) {
	t.Helper()
	a := &authority{T: t, dir: dir}
	for _, name := range []string{"ca", "engine", "user"} {
		a.make(name)
	}
	text, err := os.ReadFile(filepath.Join("..", "..", "packaging", "fleet", "nats.conf"))
	if err != nil {
		t.Fatal(err)
	}
	conf := strings.NewReplacer("/etc/linkcheck", dir, "/data", a.file("data"), "0.0.0.0:4222", "127.0.0.1:-1", "verify: false", "verify: true").Replace(string(text))
	for _, role := range []string{"ADMIN", "WORKER", "RUN", "MARKER", "READER"} {
		key, err := nkeys.CreateUser()
		if err != nil {
			t.Fatal(err)
		}
		seed, err := key.Seed()
		public, perr := key.PublicKey()
		if err = errors.Join(err, perr, os.WriteFile(a.file(strings.ToLower(role)+".creds"), append(seed, '\n'), 0o600)); err != nil {
			t.Fatal(err)
		}
		conf = strings.Replace(conf, "$"+role+"_KEY", public, 1)
	}
	if err := os.WriteFile(a.file("nats.conf"), []byte(conf), 0o600); err != nil {
		t.Fatal(err)
	}
	o, err := server.ProcessConfigFile(a.file("nats.conf"))
	if err != nil {
		t.Fatal(err)
	}
	o.NoSigs, o.NoLog = true, true
	s, err := server.NewServer(o)
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(10 * time.Second) {
		t.Fatal("not ready")
	}
	if o.TLSConfig == nil || o.TLSConfig.ClientCAs == nil || !o.JetStream || !o.SyncAlways {
		t.Error("the configuration has no certificates of users, or no streams that are kept at once")
	}
	return "tls://" + s.Addr().String()
}

// Between machines each role has the rights that the shipped configuration gives it, over TLS with
// certificates on both sides: with these a fleet lives two nights, and nobody has more.
func TestFleetRights(t *testing.T) {
	w := newFleetWorld(t, "20ms")
	keys := t.TempDir()
	w.url = startShipped(t, keys)
	file := func(name string) string { return filepath.Join(keys, name) }
	as := func(role string, args ...string) []string {
		return append(args, "--engine", w.url, "--creds", file(role+".creds"), "--tls-ca", file("ca.crt"), "--tls-cert", file("user.crt"), "--tls-key", file("user.key"))
	}
	w.do(0, as("admin", "fleet", "init", "--shards", "4", "--session", "3s", "--log-bytes", "67108864")...)
	var workers []*fleetProcess
	for _, name := range []string{"a", "b"} {
		workers = append(workers, w.work(name, as("worker")...))
	}
	for _, now := range []string{"2026-11-14T02:00:00Z", "2026-11-22T02:00:00Z"} {
		w.do(0, as("run", "run", "--copies", w.copies, "--now", now, w.docs)...)
	}
	w.do(0, as("marker", "mark", "--copies", w.copies, "www.wells.test", "ignore", "--why", "x")...)
	lived := func(out string) bool {
		return strings.Contains(out, "night 2: 4 of 4 shards through") && strings.Contains(out, "by 2 workers")
	}
	out, _ := w.do(0, as("reader", "fleet", "status")...)
	for tries := 0; !lived(out) && tries < 100; tries++ { // workers tell of themselves with each renewal, and run for one session more
		time.Sleep(200 * time.Millisecond)
		out, _ = w.do(0, as("reader", "fleet", "status")...)
	}
	if !lived(out) {
		t.Errorf("%s", out)
	}
	refused := func(want string, args ...string) {
		t.Helper()
		if _, told := w.do(exit.BadUsage, args...); !strings.Contains(told, "the engine refuses these credentials") || !strings.Contains(told, want) {
			t.Errorf("%q: %s", args, told)
		}
	}
	refused("lc.links.in.", as("reader", "mark", "--copies", w.copies, "www.wells.test", "dead", "--why", "x")...)
	refused("lc.links.own.trial", as("reader", "fleet", "work", "--copies", w.copies, "--name", "c")...)
	refused("lc.links.own.trial", as("marker", "run", "--copies", w.copies, w.docs)...)
	refused("STREAM", as("worker", "fleet", "init", "--set", "other")...)
	refused("", "fleet", "status", "--engine", w.url, "--tls-ca", file("ca.crt"), "--tls-cert", file("user.crt"), "--tls-key", file("user.key"))
	if _, told := w.do(exit.Distrusted, "fleet", "status", "--engine", w.url, "--creds", file("reader.creds"), "--tls-cert", file("user.crt"), "--tls-key", file("user.key")); !strings.Contains(told, "its certificate is not believed") {
		t.Errorf("%s", told)
	}
	if _, told := w.do(exit.Distrusted, "fleet", "status", "--engine", w.url, "--creds", file("reader.creds"), "--tls-ca", file("ca.crt")); !strings.Contains(told, "no engine answers") {
		t.Errorf("%s", told)
	}
	w.do(exit.BadUsage, "fleet", "status", "--engine", w.url, "--creds", file("ca.crt"))
	readerWritesNothing(t, w.url, file)
	w.do(0, as("admin", "fleet", "drain", "a")...)
	if err := workers[1].Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	for _, p := range workers {
		w.ends(p)
	}
	if out, _ := w.do(0, "mark", "--store", w.copies, "--list"); !strings.Contains(out, "www.wells.test") || strings.Contains(out, "dead") {
		t.Errorf("%s", out)
	}
}

// readerWritesNothing tries what would change something, and that a user who may do it can.
func readerWritesNothing(t *testing.T, url string, file func(string) string) {
	t.Helper()
	connect := func(role string) jetstream.JetStream {
		key, err := nats.NkeyOptionFromSeed(file(role + ".creds"))
		if err != nil {
			t.Fatal(err)
		}
		conn, err := nats.Connect(url, key, nats.RootCAs(file("ca.crt")), nats.ClientCert(file("user.crt"), file("user.key")),
			nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(conn.Close)
		js, err := jetstream.New(conn, jetstream.WithDefaultTimeout(300*time.Millisecond))
		if err != nil {
			t.Fatal(err)
		}
		return js
	}
	reader, admin := connect("reader"), connect("admin")
	state := func() jetstream.StreamState {
		s, err := admin.Stream(t.Context(), "LC_LINKS_LOG")
		if err != nil {
			t.Fatal(err)
		}
		return s.CachedInfo().State
	}
	before := state()
	for _, subject := range []string{"in.000", "log.000", "own.000", "cut.000"} {
		if _, err := reader.Publish(t.Context(), "lc.links."+subject, nil); err == nil {
			t.Errorf("a reader writes to %s", subject)
		}
	}
	s, err := reader.Stream(t.Context(), "LC_LINKS_LOG")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Purge(t.Context()); err == nil {
		t.Error("a reader purges the logs")
	}
	if err := reader.DeleteStream(t.Context(), "LC_LINKS_LOG"); err == nil {
		t.Error("a reader removes the logs")
	}
	if _, err := s.GetLastMsgForSubject(t.Context(), "lc.links.own.000"); err == nil {
		t.Error("a reader reads the logs")
	}
	if after := state(); after.LastSeq != before.LastSeq || after.Msgs != before.Msgs {
		t.Errorf("%+v, and before %+v", after, before)
	}
	if _, err := admin.Publish(t.Context(), "lc.links.own.trial", nil); err != nil || state().LastSeq == before.LastSeq {
		t.Errorf("nobody writes: %v", err)
	}
}
