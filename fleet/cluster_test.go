package fleet_test

import (
	"fmt"
	"net/url"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"linkcheck/fleet"
)

// startCluster starts three servers that replicate.
func startCluster(t testing.TB) (all []*server.Server) {
	t.Helper()
	var routes []*url.URL
	var ports []int
	for range 3 {
		port := lastingPort(t)
		ports = append(ports, port)
		routes = append(routes, &url.URL{Scheme: "nats", Host: fmt.Sprintf("127.0.0.1:%d", port)})
	}
	for i, port := range ports {
		s, err := server.NewServer(&server.Options{
			MaxPayload: 16 << 20,
			ServerName: fmt.Sprint("s", i), Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(), SyncAlways: true, NoSigs: true, NoLog: true,
			Cluster: server.ClusterOpts{Name: "c", Host: "127.0.0.1", Port: port}, Routes: routes,
		})
		if err != nil {
			t.Fatal(err)
		}
		s.Start()
		t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
		all = append(all, s)
	}
	for _, s := range all {
		if !s.ReadyForConnections(time.Minute) {
			t.Fatalf("%s does not listen at its ports", s.Name())
		}
	}
	for _, s := range all {
		for end := time.Now().Add(2 * time.Minute); !s.JetStreamIsCurrent(); time.Sleep(50 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("the three do not find each other: %s has %d routes", s.Name(), s.NumRoutes())
			}
		}
	}
	return all
}

// dialCluster connects to three servers.
func dialCluster(t testing.TB, all []*server.Server) *fleet.NATS {
	t.Helper()
	set := testSet
	set.Replicas = 3
	var err error
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(200 * time.Millisecond) { // until they have a leader
		var n *fleet.NATS
		if n, err = fleet.Dial(t.Context(), all[0].ClientURL()+","+all[1].ClientURL()+","+all[2].ClientURL(), set); err == nil {
			t.Cleanup(n.Close)
			return n
		}
	}
	t.Fatal(err)
	return nil
}

// With three servers nothing is lost when the leader of the log ends, and the fence
// holds.
func TestThreeServers(t *testing.T) {
	if testing.Short() {
		t.Skip("three servers are to find each other")
	}
	t.Parallel()
	all := startCluster(t)
	n := dialCluster(t, all)
	list := someChanges(t, 40)
	claim := mustClaim(t, n, 0, 0, "a")
	var seqs []uint64
	for i, c := range list {
		if i == len(list)/2 {
			for _, s := range all {
				if s.JetStreamIsStreamLeader("$G", "LC_TEST_LOG") {
					s.Shutdown()
					s.WaitForShutdown()
					break
				}
			}
		}
		seqs = append(seqs, mustAppend(t, n, 0, claim, fmt.Sprint("a/", i), c))
	}
	if got, err := readAll(t, n, 0, 0, seqs[len(seqs)-1]); err != nil || len(got) != len(seqs)+1 {
		t.Errorf("%d entries of %d, %v", len(got), len(seqs)+1, err)
	}
	b := mustClaim(t, n, 0, claim, "b")
	if _, err := n.Append(t.Context(), 0, fleet.Fence{Claim: claim}, "a/last", list[0]); err == nil {
		t.Error("the one before is let in")
	}
	mustAppend(t, n, 0, b, "b/1", list[0])
}
