package check

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"syscall"

	"linkcheck/check/netguard"
	"linkcheck/check/wire"
)

// Classify is the only road from an error to an outcome. OUTCOMES section 1.3,
// "common".
func Classify(err error) Result {
	var failure *failure
	var refusal *netguard.Refusal
	var dns *net.DNSError
	switch {
	case errors.As(err, &failure):
		return failure.Result
	case errors.As(err, &refusal):
		return New(Skipped, forbidden(refusal.Rule), refusal.What)
	case errors.Is(err, context.Canceled):
		return New(Internal, ReasonCancelled, "")
	case errors.As(err, &dns):
		return classifyDNS(dns)
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
	return classifyTCP(err)
}

// forbidden is the reason for what a rule of the guard forbids.
func forbidden(rule netguard.Rule) Reason {
	switch rule {
	case netguard.NoPrivateAddress:
		return ReasonPrivateAddress
	case netguard.NoReservedName:
		return ReasonReservedName
	}
	return ReasonPortDenied
}

// classifyDNS does not repeat which name server said so: that is of this machine.
func classifyDNS(e *net.DNSError) Result {
	said := e.Name + ": " + e.Err
	switch {
	case e.IsNotFound && e.Err == netguard.NoAddress:
		return New(Unreachable, ReasonDNSNoAddress, said)
	case e.IsNotFound:
		return New(Unreachable, ReasonDNSNXDomain, said).WithEvidence(Strong)
	case e.IsTimeout:
		return New(Temporary, ReasonDNSTimeout, e.Name+": no answer in time")
	}
	return New(Temporary, ReasonDNSServFail, e.Name+": no usable answer")
}

func classifyTLS(err error) (Result, bool) {
	var (
		invalid  x509.CertificateInvalidError
		name     x509.HostnameError
		unknown  x509.UnknownAuthorityError
		verify   *tls.CertificateVerificationError
		alert    tls.AlertError
		plain    tls.RecordHeaderError
		fallback = func(reason Reason) (Result, bool) { return New(Undetermined, reason, err.Error()), true }
	)
	switch {
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return fallback(ReasonTLSExpired)
	case errors.As(err, &name):
		return fallback(ReasonTLSName)
	case errors.As(err, &unknown), errors.As(err, &verify), errors.As(err, &invalid):
		return fallback(ReasonTLSUntrusted)
	case errors.As(err, &plain), errors.As(err, &alert), strings.Contains(err.Error(), "tls: "):
		return fallback(ReasonTLSHandshake)
	}
	return Result{}, false
}

func classifyTCP(err error) Result {
	is := func(codes ...syscall.Errno) bool {
		for _, c := range codes {
			if errors.Is(err, c) {
				return true
			}
		}
		return false
	}
	var op *net.OpError
	var addr *net.AddrError
	dialing := errors.As(err, &op) && op.Op == "dial"
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded), is(syscall.ETIMEDOUT):
		if dialing {
			return New(Temporary, ReasonTCPTimeout, "no answer to the connection")
		}
		return New(Temporary, ReasonTimeout, "no answer in time")
	case is(syscall.ECONNREFUSED):
		return New(Unreachable, ReasonTCPRefused, "connection refused")
	case is(syscall.EHOSTUNREACH, syscall.ENETUNREACH, syscall.EHOSTDOWN, syscall.ENETDOWN):
		return New(Unreachable, ReasonNoRoute, "no route to the host")
	case is(syscall.ECONNRESET, syscall.EPIPE, syscall.ECONNABORTED):
		return New(Temporary, ReasonTCPReset, "connection reset")
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return New(Temporary, ReasonEOF, "connection closed too early")
	case is(syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM, syscall.EADDRNOTAVAIL, syscall.EACCES, syscall.EPERM):
		return New(Internal, ReasonLocalResources, err.Error())
	case errors.As(err, &addr):
		return New(Invalid, ReasonURI("host-bad"), err.Error())
	}
	var timeout net.Error
	if errors.As(err, &timeout) && timeout.Timeout() {
		return New(Temporary, ReasonTimeout, "no answer in time")
	}
	return New(Internal, ReasonInternalError, err.Error())
}
