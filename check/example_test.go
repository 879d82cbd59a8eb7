package check_test

import (
	"context"
	"fmt"
	"net"
	"syscall"
	"time"

	"linkcheck/check"
	"linkcheck/uri"
)

// Errors become outcomes by their types, however they are wrapped.
func ExampleClassify() {
	refused := &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	gone := check.ResultError(check.Gone, check.ReasonFTP(550), "550 No such file")
	for _, err := range []error{refused, context.DeadlineExceeded, fmt.Errorf("at the CWD: %w", gone)} {
		r := check.Classify(err)
		fmt.Println(r.Outcome, r.Reason, r.Evidence)
	}
	// Output:
	// unreachable tcp-refused weak
	// temporary timeout weak
	// gone ftp-550 strong
}

// A protocol without sessions is a function of one URI.
func ExampleProberOf() {
	o := check.Options{Now: func() time.Time { return time.Date(1993, 4, 1, 9, 0, 0, 0, time.UTC) }}
	p := check.ProberOf(o, func(_ context.Context, u *uri.Mailto) check.Result {
		return check.New(check.NotDereferenceable, check.ReasonMailAddress, u.To[0])
	})
	u, err := uri.Parse("mailto:webmaster@wells.test")
	if err != nil {
		panic(err)
	}
	r := p.Probe(context.Background(), check.Target{URI: u})
	fmt.Println(r.Outcome, r.Reason, r.Reply, r.At.Year())
	// Output: not-dereferenceable mail-address webmaster@wells.test 1993
}

// What a server says is printed on one line, without control sequences.
func ExampleCleanReply() {
	fmt.Println(check.CleanReply("550-\x1b[31mSorry\x1b[0m,\r\n550 no such file\r\n"))
	// Output: 550-Sorry, 550 no such file
}
