package crawl_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"linkcheck/check"
	"linkcheck/crawl"
)

// A prober that knows of one server what is there. The two spellings of one link are
// probed once.
func ExampleProbe() {
	probed := 0
	prober := check.ProbeFunc(func(_ context.Context, t check.Target) check.Result {
		probed++
		if strings.HasSuffix(t.URI.String(), "/gone") {
			return check.New(check.Gone, check.ReasonHTTP(404), "HTTP/1.1 404 Not Found")
		}
		return check.New(check.OK, check.ReasonHTTP(200), "HTTP/1.1 200 OK")
	})
	o := crawl.NewOptions(prober)
	o.HostDelay = 0
	uris := []string{"http://www.example.org/here", "http://www.example.org/gone", "HTTP://WWW.EXAMPLE.ORG:80/here"}
	for answer, err := range crawl.Probe(context.Background(), uris, o) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(answer.URI, answer.Result.Outcome, answer.Result.Reason)
	}
	fmt.Println(probed, "probes")
	// Output:
	// http://www.example.org/here ok http-200
	// http://www.example.org/gone gone http-404
	// HTTP://WWW.EXAMPLE.ORG:80/here ok http-200
	// 2 probes
}
