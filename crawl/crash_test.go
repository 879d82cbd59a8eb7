package crawl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"linkcheck/store"
)

// childRun names the store that the test binary is to check until it is killed.
const childRun = "LINKCHECK_TEST_RUN"

func TestMain(m *testing.M) {
	path := os.Getenv(childRun)
	if path == "" {
		os.Exit(m.Run())
	}
	if err := runChild(path); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func runChild(path string) error {
	st, err := store.Open(path, nil)
	if err != nil {
		return err
	}
	o := options(plainWeb{http.DefaultClient}, func(o *Options) { o.Workers, o.PerHost, o.HostDelay = 4, 4, 0 })
	_, err = Check(context.Background(), st, o)
	return errors.Join(err, st.Close())
}

// TestKilledRunGoesOn kills a run in its middle: what it had kept is not asked
// again by the next one, and what it had not is (OUTCOMES 6, story 2).
func TestKilledRunGoesOn(t *testing.T) {
	const links = 600
	var mu sync.Mutex
	asked := map[string]int{}
	half := make(chan struct{})
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		if asked[r.URL.Path]++; len(asked) == links/2 && asked[r.URL.Path] == 1 {
			close(half)
		}
		mu.Unlock()
		time.Sleep(5 * time.Millisecond) // so that some commits are made before the end
		io.WriteString(w, "hello")
	}))
	defer srv.Close()
	path := filepath.Join(t.TempDir(), "killed.db")
	st, err := store.Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for i := range links {
		list = append(list, fmt.Sprintf("%s/%d", srv.URL, i))
	}
	addLinks(t, st, list...)
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childRun+"="+path)
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case <-half:
	case err := <-ended:
		t.Fatalf("the run ended by itself: %v", err)
	}
	cmd.Process.Kill()
	<-ended

	if st, err = store.Open(path, nil); err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	kept := map[string]int{}
	for e, err := range st.Scan(store.Pick{}) {
		l := e.Link
		if err != nil {
			t.Fatal(err)
		}
		if l.Checks > 0 {
			kept[l.URL[len(srv.URL):]] = l.Checks
		}
	}
	if len(kept) == 0 || len(kept) == links {
		t.Fatalf("%d links were kept", len(kept))
	}
	mu.Lock()
	before := len(asked)
	mu.Unlock()
	sum, err := Check(t.Context(), st, options(plainWeb{srv.Client()}, func(o *Options) { o.HostDelay, o.RetryDelay = 0, 0 }))
	if err != nil || sum.Checked != links-len(kept) {
		t.Fatalf("%+v, %v", sum, err)
	}
	for p := range kept {
		if asked[p] != 1 {
			t.Errorf("%s was kept and asked %d times", p, asked[p])
		}
	}
	if len(asked) != links {
		t.Errorf("%d of %d links were asked for; %d before the kill, %d kept", len(asked), links, before, len(kept))
	}
	if problems, err := st.Verify(t.Context()); err != nil || len(problems) > 0 {
		t.Errorf("verify: %v, %v", problems, err)
	}
}
