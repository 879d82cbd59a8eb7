package wire_test

import (
	"fmt"
	"net"

	"linkcheck/check/wire"
)

// A line ends with CR LF or LF; the last one may lack its end.
func ExampleReadLine() {
	client, server := net.Pipe()
	go func() {
		server.Write([]byte("200 ready\r\n.\nbye"))
		server.Close()
	}()
	r := wire.NewReader(client)
	for range 3 {
		line, err := wire.ReadLine(r)
		fmt.Printf("%q %v\n", line, err)
	}
	// Output:
	// "200 ready" <nil>
	// "." <nil>
	// "bye" EOF
}
