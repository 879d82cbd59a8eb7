// Package netguard decides which addresses may be dialled, and dials them. A
// name is resolved, each address of it is judged, and one that passed is dialled
// by address: no second look-up can lead elsewhere (DNS rebinding). It knows no
// URI and no protocol; check.Classify turns its errors into outcomes.
//
// The files, in reading order:
//
//	dialer.go      what a prober sees: Dialer, Refusal
//	relay.go       by way of a proxy of the network
//	guard.go       resolve, judge, dial
//	ownfault.go    what fails on this machine before a packet is sent
//	connectto.go   rules that send connections elsewhere
//	resolver.go    the DNS
//	honest.go      addresses that a name server invents
//	caching.go     answers of the DNS that are used again
//	address.go     which addresses are public
//	files_unix.go  how many connections this process may have
//	files_other.go the same where the system tells of no limit
//	names.go       which names and ports are never meant
package netguard
