package main

import (
	"bytes"
	"compress/flate"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"hash/crc32"
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
	"linkcheck/internal/exit"
)

// costlyRows are the rows of the table of hostile documents that take most, some of
// each family of formats; costlyPacked those that do in gzip.
var (
	costlyRows = []string{
		"html one codebase", "html value archive commas", "html one tag mixed", "html one href blanks", "text markdown", "text mid:", "text paren never closed", "text anonymous ftp host",
		"mail mid self", "mail header words charset", "mail body unknown charset", "marc escapes links", "marc long id", "xml path", "xml records", "xml feed html", "bibtex values", "gophermap text", "warc target", "pdf open arrays", "pdf one annotation",
	}
	costlyPacked = []string{
		"text quoted service", "text anonymous ftp host", "mail body qp soft", "mail body iso2022 shift", "xml feed page", "html one tag links", "html value href amps", "html value srcset words", "csv commas", "marc subfields",
	}
)

const (
	maxProcessor = 10 * time.Second // user and system
	maxResident  = 200 << 20
)

// No document of 1 MB takes 10 s of a processor or 200 MB, or gives more than 600,000
// rows or 100 MB of them; one that is 1 MB in gzip gives at most 8 million rows and
// 700 MB. LINKCHECK_HOSTILE=all takes all of the table.
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
				holdsCeilings(t, path, 600_000, 100<<20)
			})
		}
		if all || slices.Contains(costlyPacked, h.Name) {
			t.Run(h.Name+" in gzip", func(t *testing.T) {
				path := filepath.Join(t.TempDir(), h.File+".gz")
				packHostile(t, path, h)
				holdsCeilings(t, path, 8_000_000, 700<<20)
			})
		}
	}
}

// packHostile writes a file of 1 MB in gzip that unfolds to 132 MB of a hostile document,
// as much as a file of that size may, or to what fits into it. The document is packed once
// (RFC 1951: behind a flush at an octet, nothing refers to what is before its first octet)
// and stands there again and again.
func packHostile(t *testing.T, path string, h extracttest.Hostile) {
	t.Helper()
	var unit, file bytes.Buffer
	block := h.Document(1 << 20)
	deflate, _ := flate.NewWriter(&unit, flate.BestCompression)
	deflate.Write(block)
	deflate.Flush()
	sum, n := crc32.NewIEEE(), 0
	file.WriteString("\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff")
	for i := 0; i == 0 || i < 131 && file.Len()+unit.Len() < 1<<20-1000; i++ {
		file.Write(unit.Bytes())
		sum.Write(block)
		n += len(block)
	}
	noise := make([]byte, max(0, 1<<20-file.Len()-1000))
	rand.Read(noise)
	deflate.Reset(&file)
	deflate.Write(noise)
	deflate.Close()
	sum.Write(noise)
	end := binary.LittleEndian.AppendUint32(nil, sum.Sum32())
	file.Write(binary.LittleEndian.AppendUint32(end, uint32(n+len(noise))))
	if err := os.WriteFile(path, file.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

// counted is how much was printed.
type counted struct{ rows, octets int }

func (c *counted) Write(b []byte) (int, error) {
	c.rows += bytes.Count(b, []byte{'\n'})
	c.octets += len(b)
	return len(b), nil
}

// holdsCeilings runs extract over a document that may give so many rows, of so many octets.
func holdsCeilings(t *testing.T, path string, rows, octets int) {
	t.Helper()
	var printed counted
	cmd := exec.Command("linkcheck", "extract", "--jsonl", "--comments", "--base", "http://h.example/d/", path)
	var errors bytes.Buffer
	cmd.Stdout, cmd.Stderr = &printed, &errors
	cmd.WaitDelay = time.Minute
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stop, peak := make(chan struct{}), make(chan int64)
	go func() { peak <- watchResident(cmd.Process.Pid, stop) }()
	err := cmd.Wait()
	close(stop)
	resident := <-peak
	if code := cmd.ProcessState.ExitCode(); code != exit.OK && code != exit.Partial {
		t.Errorf("%v: %.500s", err, errors.String())
	}
	cpu := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	if cpu > maxProcessor {
		t.Errorf("%v of a processor", cpu)
	}
	if resident > maxResident {
		t.Errorf("%d MB", resident>>20)
	}
	if printed.rows > rows || printed.octets > octets {
		t.Errorf("%d rows of %d MB, at most %d of %d are right", printed.rows, printed.octets>>20, rows, octets>>20)
	}
	t.Logf("%v of a processor, %d MB, %d rows, %d octets", cpu.Round(time.Millisecond), resident>>20, printed.rows, printed.octets)
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
