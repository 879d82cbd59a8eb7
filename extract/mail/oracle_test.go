package mail_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/jhillyerd/enmime/v2"

	"linkcheck/extract"
	"linkcheck/extract/doc"
	"linkcheck/internal/testdoc"
)

// A second opinion on MIME: whatever another decoder makes of the corpus, the
// hosts that its text names are among ours.
func TestEnmimeAgrees(t *testing.T) {
	if testing.Short() {
		t.Skip("enmime takes its time")
	}
	named := regexp.MustCompile(`(?i)(?:https?|ftp|gopher)://[a-z0-9][a-z0-9.-]*[a-z0-9]`)
	read, seen := 0, 0
	err := filepath.WalkDir(testdoc.Shared(t, "corpus", "mail", "messages"), func(p string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		env, err := enmime.ReadEnvelope(bytes.NewReader(data))
		if err != nil {
			return nil // it gives up on what is broken
		}
		read++
		var ours strings.Builder
		for f := range extract.Document(p, bytes.NewReader(data), doc.Options{}) {
			ours.WriteString(strings.ToLower(f.URI) + "\n")
		}
		for _, u := range named.FindAllString(env.Text, -1) {
			seen++
			if !strings.Contains(ours.String(), strings.ToLower(u)) {
				t.Errorf("%s: %s is missing", p, u)
			}
		}
		return nil
	})
	if err != nil || read == 0 || seen == 0 {
		t.Fatalf("%d messages with %d references read: %v", read, seen, err)
	}
	t.Logf("%d messages with %d references", read, seen)
}
