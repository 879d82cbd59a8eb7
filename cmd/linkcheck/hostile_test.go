package main

import (
	"bytes"
	"compress/gzip"
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"linkcheck/extract/extracttest"
)

// costlyRows are the rows of the table of hostile documents that take most, some of
// each family of formats; costlyPacked those that do in gzip.
var (
	costlyRows = []string{
		"html one codebase", "html value archive commas", "html one tag mixed", "html one href blanks", "text markdown", "text mid:", "text paren never closed", "text anonymous ftp host",
		"mail mid self", "mail header words charset", "mail body unknown charset", "marc escapes links", "marc long id", "xml path", "xml records", "xml feed html", "bibtex values", "gophermap text", "warc target",
	}
	costlyPacked = []string{
		"text quoted service", "text anonymous ftp host", "mail body qp soft", "mail body iso2022 shift", "xml feed page", "html one tag links", "html value href amps", "csv commas", "marc subfields",
	}
)

const (
	maxProcessor = 10 * time.Second // user and system
	maxResident  = 200 << 20
)

// No document of 1 MB takes 10 s of a processor or 200 MB, nor one that is 1 MB in
// gzip. LINKCHECK_HOSTILE=all takes all of the table.
func TestCeilings(t *testing.T) {
	switch {
	case testing.Short():
		t.Skip("reads hundreds of megabytes")
	case runtime.GOOS != "linux":
		t.Skip("memory of a process is read from /proc")
	}
	all := os.Getenv("LINKCHECK_HOSTILE") == "all"
	for _, h := range extracttest.HostileDocuments(t) {
		if all || slices.Contains(costlyRows, h.Name) {
			t.Run(h.Name, func(t *testing.T) {
				path := filepath.Join(t.TempDir(), h.File)
				if err := os.WriteFile(path, h.Document(1<<20), 0o600); err != nil {
					t.Fatal(err)
				}
				holdsCeilings(t, path)
			})
		}
		if all || slices.Contains(costlyPacked, h.Name) {
			t.Run(h.Name+" in gzip", func(t *testing.T) {
				path := filepath.Join(t.TempDir(), h.File+".gz")
				packHostile(t, path, h)
				holdsCeilings(t, path)
			})
		}
	}
}

// packHostile writes 132 MB of a hostile document as a file of 1 MB: as much as a file
// of that size may unfold to.
func packHostile(t *testing.T, path string, h extracttest.Hostile) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	zip, _ := gzip.NewWriterLevel(f, gzip.BestCompression)
	block := h.Document(1 << 20)
	for range 131 {
		zip.Write(block)
	}
	zip.Flush()
	at, _ := f.Seek(0, io.SeekCurrent)
	noise := make([]byte, max(0, 1<<20-at-1000))
	rand.Read(noise)
	zip.Write(noise)
	if err := zip.Close(); err != nil {
		t.Fatal(err)
	}
}

// holdsCeilings runs extract over a document.
func holdsCeilings(t *testing.T, path string) {
	t.Helper()
	cmd := exec.Command("linkcheck", "extract", "--jsonl", "--comments", "--base", "http://h.example/d/", path)
	var errors bytes.Buffer
	cmd.Stderr = &errors
	cmd.WaitDelay = time.Minute
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stop, peak := make(chan struct{}), make(chan int64)
	go func() { peak <- watchResident(cmd.Process.Pid, stop) }()
	err := cmd.Wait()
	close(stop)
	resident := <-peak
	if code := cmd.ProcessState.ExitCode(); code != exitOK && code != exitPartial {
		t.Errorf("%v: %.500s", err, errors.String())
	}
	if cpu := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(); cpu > maxProcessor {
		t.Errorf("%v of a processor", cpu)
	}
	if resident > maxResident {
		t.Errorf("%d MB", resident>>20)
	}
}

// watchResident gives the most memory that a process had, as long as it can be read.
// What rusage tells would be that of the test where the test had more.
func watchResident(pid int, stop <-chan struct{}) (peak int64) {
	for {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		if _, rest, ok := strings.Cut(string(status), "VmHWM:"); ok && err == nil {
			kB, _ := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			peak = max(peak, kB<<10)
		}
		select {
		case <-stop:
			return peak
		case <-time.After(5 * time.Millisecond):
		}
	}
}
