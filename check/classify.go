package check

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"os"
	"slices"
	"strings"
	"syscall"

	"linkcheck/check/netguard"
	"linkcheck/check/wire"
	"linkcheck/internal/fault"
)

// Classify is the only way from an error to an outcome. OUTCOMES section 1.3,
// "common".
func Classify(err error) Result {
	if failure, ok := errors.AsType[*failure](err); ok {
		return failure.Result
	}
	if refusal, ok := errors.AsType[*netguard.Refusal](err); ok {
		return New(Skipped, forbidden[refusal.Rule], refusal.What)
	}
	if caught, ok := errors.AsType[*fault.Error](err); ok {
		return ofFault(caught)
	}
	if errors.Is(err, context.Canceled) {
		return New(Internal, ReasonCancelled, "")
	}
	if _, ours := errors.AsType[*netguard.RelayError](err); ours {
		return New(Internal, ReasonOwnNetwork, err.Error())
	}
	if _, weak := errors.AsType[*netguard.UnreachedError](err); weak {
		return New(Unreachable, ReasonNoRoute, err.Error())
	}
	if errors.Is(err, netguard.ErrNoRoute) || errors.Is(err, wire.ErrSpool) {
		return New(Internal, ReasonLocalResources, err.Error())
	}
	if errors.Is(err, netguard.ErrInvented) {
		return New(Internal, ReasonOwnNetwork, err.Error())
	}
	if dns, ok := errors.AsType[*net.DNSError](err); ok {
		return classifyDNS(dns)
	}
	switch {
	case is[wire.Garbled](err):
		return New(Undetermined, ReasonGarbled, err.Error())
	case errors.Is(err, wire.ErrControl):
		return New(Skipped, ReasonControlCharacter, "")
	case errors.Is(err, wire.ErrTooLong):
		return New(Undetermined, ReasonTooLong, err.Error())
	case errors.Is(err, wire.ErrLineTooLong):
		return New(Undetermined, ReasonLineTooLong, err.Error())
	}
	if r, ok := classifyTLS(err); ok {
		return r
	}
	return classifyConn(err)
}

// ClassifyFirst is Classify for an error in the place of the first octet that a
// server should send.
func ClassifyFirst(err error) Result {
	if errors.Is(err, io.EOF) {
		return New(Temporary, ReasonClosed, "")
	}
	return Classify(err)
}

// forbidden is the reason for what a rule of the guard forbids.
var forbidden = map[netguard.Rule]Reason{
	netguard.NoPrivateAddress: ReasonPrivateAddress,
	netguard.NoReservedName:   ReasonReservedName,
	netguard.NoDeniedPort:     ReasonPortDenied,
	netguard.NoLocalName:      ReasonLocalName,
}

// classifyDNS does not repeat which name server answered: it is one of this machine's.
func classifyDNS(e *net.DNSError) Result {
	reply := e.Name + ": " + e.Err
	switch {
	case e.IsNotFound && e.Err == netguard.NoAddress:
		return New(Unreachable, ReasonDNSNoAddress, reply)
	case e.IsNotFound:
		return New(Unreachable, ReasonDNSNXDomain, reply).WithEvidence(Strong)
	case e.IsTimeout:
		return New(Temporary, ReasonDNSTimeout, e.Name+": no answer in time")
	}
	return New(Temporary, ReasonDNSServFail, e.Name+": no usable answer")
}

func classifyTLS(err error) (Result, bool) {
	var reason Reason
	invalid, isInvalid := errors.AsType[x509.CertificateInvalidError](err)
	switch {
	case isInvalid && invalid.Reason == x509.Expired:
		reason = ReasonTLSExpired
	case is[x509.HostnameError](err):
		reason = ReasonTLSName
	case isInvalid, is[x509.UnknownAuthorityError](err), is[*tls.CertificateVerificationError](err):
		reason = ReasonTLSUntrusted
	case is[tls.RecordHeaderError](err), is[tls.AlertError](err), strings.Contains(err.Error(), "tls: "):
		reason = ReasonTLSHandshake
	default:
		return Result{}, false
	}
	return New(Undetermined, reason, err.Error()), true
}

// is reports whether err is or wraps an error of a type.
func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// connErrors are the errors of connections, in the order in which they are looked for.
var connErrors = []struct {
	outcome Outcome
	reason  Reason
	reply   string // "": the text of the error
	errs    []error
}{
	{Temporary, ReasonTimeout, "no answer in time", []error{context.DeadlineExceeded, os.ErrDeadlineExceeded, syscall.ETIMEDOUT}},
	{Unreachable, ReasonTCPRefused, "connection refused", []error{syscall.ECONNREFUSED}},
	{Unreachable, ReasonNoRoute, "no route to the host", []error{syscall.EHOSTUNREACH, syscall.ENETUNREACH, syscall.EHOSTDOWN, syscall.ENETDOWN}},
	{Temporary, ReasonTCPReset, "connection reset", []error{syscall.ECONNRESET, syscall.EPIPE, syscall.ECONNABORTED}},
	{Temporary, ReasonEOF, "connection closed too early", []error{io.EOF, io.ErrUnexpectedEOF}},
	{Internal, ReasonLocalResources, "", []error{syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM, syscall.EADDRNOTAVAIL, syscall.EAFNOSUPPORT, syscall.EACCES, syscall.EPERM}},
}

func classifyConn(err error) Result {
	for _, k := range connErrors {
		if !slices.ContainsFunc(k.errs, func(e error) bool { return errors.Is(err, e) }) {
			continue
		}
		if op, ok := errors.AsType[*net.OpError](err); ok && op.Op == "dial" && k.reason == ReasonTimeout {
			return New(Temporary, ReasonTCPTimeout, "no answer to the connection")
		}
		return New(k.outcome, k.reason, cmp.Or(k.reply, err.Error()))
	}
	if is[*net.AddrError](err) {
		return New(Invalid, ReasonURI("host-bad"), err.Error())
	}
	if timeout, ok := errors.AsType[net.Error](err); ok && timeout.Timeout() {
		return New(Temporary, ReasonTimeout, "no answer in time")
	}
	return New(Undetermined, ReasonGarbled, err.Error())
}
