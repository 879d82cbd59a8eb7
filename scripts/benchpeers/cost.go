package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"linkcheck/check/netguard"
)

// cost is what a program took for a work.
type cost struct {
	wall, cpu       time.Duration
	peak            int // kB resident; 0 where the system does not tell
	requests, conns int64
	quick           time.Duration // until all hosts but the late one were done
}

// limit is how long a program may take for a work.
const limit = 2 * time.Minute

// measure runs a program to its end. Programs say by their exit code that links are
// broken, so only one that cannot be started or is stopped has failed.
func measure(ctx context.Context, dir string, cmd *exec.Cmd) (cost, []byte, error) {
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.Dir = &out, &errs, dir
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		return cost{}, nil, err
	}
	done := make(chan struct{})
	var c cost
	var watch sync.WaitGroup
	watch.Go(func() {
		stop := time.NewTimer(limit)
		defer stop.Stop()
		for {
			c.peak = max(c.peak, resident(cmd.Process.Pid))
			select {
			case <-done:
				return
			case <-ctx.Done():
				_ = cmd.Process.Kill()
				return
			case <-stop.C:
				_ = cmd.Process.Kill()
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	})
	err := cmd.Wait()
	c.wall = time.Since(begin)
	close(done)
	watch.Wait()
	c.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	var ended *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return c, nil, ctx.Err()
	case errors.As(err, &ended) && ended.Exited():
		err = nil
	case err != nil && c.wall >= limit:
		return c, nil, fmt.Errorf("stopped after %v, when it had taken %v of the processor", limit, c.cpu.Round(time.Second))
	}
	if err != nil {
		return c, nil, fmt.Errorf("%s: %w: %.300s", cmd.Args[0], err, errs.String())
	}
	return c, out.Bytes(), nil
}

// resident is the most memory that a process had so far, in kB. (What the kernel tells a
// parent at the end counts that of the parent, too.)
func resident(pid int) int {
	status, err := os.ReadFile(filepath.Join("/proc", fmt.Sprint(pid), "status"))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	var kB int
	_, _ = fmt.Sscan(rest, &kB)
	return kB
}

// median is the cost of the run whose wall time stands in the middle.
func median(runs []cost) cost {
	runs = slices.Clone(runs)
	slices.SortFunc(runs, func(a, b cost) int { return int(a.wall - b.wall) })
	return runs[(len(runs)-1)/2]
}

// load is how many processes wanted a core over the last minute.
func load() string {
	text, _ := os.ReadFile("/proc/loadavg")
	one, _, _ := strings.Cut(string(text), " ")
	return one
}

// bareLoop asks every address of a file, says the status and reads what comes: the least
// that a program over net/http does.
func bareLoop(file string) {
	list, err := os.ReadFile(file)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	guard := &netguard.Guard{AllowPrivate: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: workers, DialContext: guard.DialContext}}
	work, said := make(chan string), make(chan string, workers)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for url := range work {
				resp, err := client.Get(url)
				if err != nil {
					said <- "000 " + url
					continue
				}
				_, _ = io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
				said <- fmt.Sprint(resp.StatusCode, " ", url)
			}
		})
	}
	go func() {
		for url := range strings.FieldsSeq(string(list)) {
			work <- url
		}
		close(work)
		wg.Wait()
		close(said)
	}()
	for line := range said {
		fmt.Println(line)
	}
}
