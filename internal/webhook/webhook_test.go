package webhook

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"linkcheck/check/netguard"
)

// guardOf allows the addresses of tests.
func guardOf(private ...netip.Prefix) *netguard.Guard {
	return &netguard.Guard{Resolver: netguard.SystemResolver{}, AllowPrivate: private}
}

var loopback = netip.MustParsePrefix("127.0.0.0/8")

// TestPost: who takes it is asked once, who may take it later twice, and no other answer is
// success.
func TestPost(t *testing.T) {
	for _, tt := range []struct {
		name  string
		codes []int
		asked int
		err   string
	}{
		{"taken", []int{200}, 1, ""}, {"no content", []int{204}, 1, ""}, {"busy", []int{503, 200}, 2, ""}, {"too many", []int{429, 202}, 2, ""},
		{"broken", []int{500, 502}, 2, "answered 502"}, {"not there", []int{404}, 1, "answered 404"}, {"elsewhere", []int{302}, 1, "answered 302"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			asked := 0
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				if string(body) != `{"a":1}` || r.Method != http.MethodPost || r.Header.Get("Content-Type") != "application/json" || r.UserAgent() != "linkcheck/1" || r.URL.Path != "/secret" {
					t.Errorf("%s %s %v %q", r.Method, r.URL, r.Header, body)
				}
				w.Header().Set("Location", "http://203.0.113.1/")
				w.WriteHeader(tt.codes[asked])
				asked++
			}))
			defer s.Close()
			h, err := New(s.URL+"/secret", "linkcheck/1", guardOf(loopback))
			if err != nil {
				t.Fatal(err)
			}
			h.pause = time.Millisecond
			err = h.Post(t.Context(), []byte(`{"a":1}`))
			if asked != tt.asked || (err == nil) != (tt.err == "") || err != nil && (!strings.Contains(err.Error(), tt.err) || strings.Contains(err.Error(), "secret")) {
				t.Errorf("asked %d times, want %d: %v", asked, tt.asked, err)
			}
		})
	}
}

// TestRefused: a private address is not dialled, nor asked for twice, and the error does not
// tell the path.
func TestRefused(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("it was asked") }))
	defer s.Close()
	h, err := New(s.URL+"/secret?key=secret", "linkcheck/1", guardOf())
	if err != nil {
		t.Fatal(err)
	}
	h.pause = time.Hour
	if err := h.Post(t.Context(), nil); err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("%v", err)
	}
}

// TestInterrupted: who waits for the second attempt hears that the run is to end.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) }))
	defer s.Close()
	h, err := New(s.URL, "linkcheck/1", guardOf(loopback))
	if err != nil {
		t.Fatal(err)
	}
	h.pause = time.Hour
	time.AfterFunc(50*time.Millisecond, cancel)
	if err := h.Post(ctx, nil); err == nil {
		t.Error("it was taken")
	}
}

// TestNoAddress: what is no address of the web is refused, and not repeated.
func TestNoAddress(t *testing.T) {
	for _, address := range []string{"", "hooks/secret", "ftp://secret.example/", "https:///secret", "http://secret\n/", "file:///etc/secret"} {
		if _, err := New(address, "", guardOf()); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", address, err)
		}
	}
}
