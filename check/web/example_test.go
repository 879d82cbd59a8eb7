package web_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"

	"linkcheck/check"
	"linkcheck/check/netguard"
	"linkcheck/check/web"
	"linkcheck/uri"
)

// A page that has moved for good is reported with its new address.
func ExampleNew() {
	site := http.NewServeMux()
	site.Handle("/annals/7", http.RedirectHandler("/library/annals-7", http.StatusMovedPermanently))
	site.HandleFunc("/library/annals-7", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "<title>Annals, volume seven</title><p>The positions of two hundred comets.")
	})
	server := httptest.NewServer(site)
	defer server.Close()

	guard := &netguard.Guard{AllowPrivate: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}
	p := web.New(web.Options{Options: check.Options{Dialer: guard}})
	defer p.Close()
	u, err := uri.Parse(server.URL + "/annals/7")
	if err != nil {
		fmt.Println(err)
		return
	}
	r := p.Probe(context.Background(), check.Target{URI: u})
	fmt.Println(r.Outcome, r.Reason, r.Title)
	fmt.Println(r.SuggestedURL == server.URL+"/library/annals-7")
	// Output:
	// moved http-200 Annals, volume seven
	// true
}
