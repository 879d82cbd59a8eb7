package browser

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
)

// options are those of every start. What a browser does of its own accord is off, and
// the proxy is the only way out, to this machine too.
var options = []string{
	"--headless=new", "--remote-debugging-pipe", "--no-startup-window", "--no-first-run", "--no-default-browser-check", "--no-service-autorun", "--no-pings", "--incognito",
	"--disable-extensions", "--disable-component-extensions-with-background-pages", "--disable-default-apps", "--disable-background-networking",
	"--disable-component-update", "--disable-domain-reliability", "--disable-client-side-phishing-detection", "--disable-sync", "--disable-notifications",
	"--disable-breakpad", "--disable-crash-reporter", "--disable-logging", "--disable-gpu", "--disable-dev-shm-usage", "--disable-file-system", "--deny-permission-prompts",
	"--mute-audio", "--use-mock-keychain", "--password-store=basic", "--metrics-recording-only", "--disk-cache-size=1", "--media-cache-size=1", "--lang=en-US",
	"--proxy-bypass-list=<-loopback>", "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1", "--dns-prefetch-disable", "--disable-quic",
	"--force-webrtc-ip-handling-policy=disable_non_proxied_udp", "--webrtc-ip-handling-policy=disable_non_proxied_udp",
	"--disable-features=HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,HttpsFirstModeV2,MediaRouter,DialMediaRouteProvider,DnsOverHttps,AsyncDns,OptimizationHints,OptimizationGuideModelDownloading,Translate,InterestFeedContentSuggestions,AutofillServerCommunication,CertificateTransparencyComponentUpdater,NetworkTimeServiceQuerying,Prerender2,Crashpad",
}

// chromium is one browser that runs.
type chromium struct {
	*devtools
	group *group
	dir   string
	said  *tail
}

// start starts a browser whose files are all below dir, where nothing else is. It ends
// with stop. The paths are short: the name of a socket has 107 octets at most.
func start(ctx context.Context, s settings, dir string) (*chromium, error) {
	args := append(options[:len(options):len(options)], "--user-data-dir="+filepath.Join(dir, "p"), "--proxy-server=http://127.0.0.1:"+strconv.Itoa(int(s.Proxy)))
	if s.NoSandbox {
		args = append(args, "--no-sandbox")
	}
	c := &chromium{dir: dir, said: &tail{}}
	commandsOut, commandsIn, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	answersOut, answersIn, err := os.Pipe()
	if err != nil {
		commandsOut.Close()
		commandsIn.Close()
		return nil, err
	}
	cmd := exec.Command(s.Path, args...)
	// Nothing of our environment, which may hold passwords.
	cmd.Env = []string{"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + dir, "TMPDIR=" + dir, "LANG=C.UTF-8",
		"DBUS_SESSION_BUS_ADDRESS=disabled:", "DBUS_SYSTEM_BUS_ADDRESS=disabled:"}
	cmd.Dir = dir
	cmd.Stderr = c.said
	cmd.ExtraFiles = []*os.File{commandsOut, answersIn} // its descriptors 3 and 4
	c.group, err = startGroup(cmd)
	commandsOut.Close()
	answersIn.Close()
	if err != nil {
		commandsIn.Close()
		answersOut.Close()
		return nil, err
	}
	c.devtools = newDevtools(answersOut, commandsIn)
	context.AfterFunc(ctx, func() { c.group.kill() }) // a group that ended is not there
	go func() {
		<-c.done
		commandsIn.Close()
		answersOut.Close()
	}()
	return c, nil
}

// stop ends the browser with all that it started, and removes what they wrote.
func (c *chromium) stop() {
	c.devtools.stop()
	c.group.end()
	empty(c.dir)
}

// empty removes what is in a folder.
func empty(dir string) {
	left, _ := os.ReadDir(dir) // none where there is no such folder
	for _, e := range left {
		_ = os.RemoveAll(filepath.Join(dir, e.Name()))
	}
}

// version is what the browser calls itself to servers, without the word that says that
// nobody looks at it.
func (c *chromium) version(ctx context.Context) (string, error) {
	var v struct{ Product, UserAgent string }
	if err := c.call(ctx, "", "Browser.getVersion", struct{}{}, &v); err != nil {
		return "", c.why(err)
	}
	if v.UserAgent == "" {
		return "", fmt.Errorf("it is no browser that is known: %.100q", v.Product)
	}
	return strings.Replace(v.UserAgent, "HeadlessChrome", "Chrome", 1), nil
}

// why adds to an error what the browser said last.
func (c *chromium) why(err error) error {
	if errors.Is(err, errEnded) {
		c.group.end() // and all is said
	}
	switch said := c.said.line(); {
	case errors.Is(err, context.DeadlineExceeded):
		return errors.New("no answer of the browser in time")
	case said != "":
		return fmt.Errorf("the browser ended: %.300q", said)
	}
	return err
}

// tail keeps the beginning of what a browser says, among it why it did not start.
type tail struct {
	mu   sync.Mutex
	text []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p[:min(len(p), 4<<10-len(t.text))]...)
	return len(p), nil
}

// line is the one that says why the browser ended, or the last that is not empty.
func (t *tail) line() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := strings.Split(strings.TrimSpace(string(t.text)), "\n")
	for _, line := range lines {
		if _, why, fatal := strings.Cut(line, ":FATAL:"); fatal {
			return why
		}
	}
	return strings.TrimSpace(lines[len(lines)-1])
}

// executable finds the program that path names, without links.
func executable(path string) (string, error) {
	found, err := exec.LookPath(path)
	if err != nil {
		return "", err
	}
	if found, err = filepath.Abs(found); err != nil {
		return "", err
	}
	return found, nil
}
