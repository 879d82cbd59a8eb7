package browser

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"

	"linkcheck/check"
)

// fault is the error for what is no answer of a server: it speaks neither for nor
// against a link.
func fault(format string, args ...any) error {
	return check.ResultError(check.Internal, check.ReasonLocalResources, fmt.Sprintf(format, args...))
}

// failed is the error for what a browser says instead of an answer. Only what the
// server did itself is one of the server.
func failed(words string) error {
	words = strings.TrimPrefix(words, "net::")
	switch words {
	case "ERR_EMPTY_RESPONSE", "ERR_CONNECTION_CLOSED":
		return errors.Join(errors.New(words), io.ErrUnexpectedEOF)
	case "ERR_CONNECTION_RESET":
		return errors.Join(errors.New(words), syscall.ECONNRESET)
	case "ERR_SSL_CLIENT_AUTH_CERT_NEEDED", "ERR_BAD_SSL_CLIENT_AUTH_CERT":
		return check.ResultError(check.Auth, check.ReasonClientCertificate, words)
	}
	if strings.HasPrefix(words, "ERR_SSL_") {
		return check.ResultError(check.Undetermined, check.ReasonTLSHandshake, words)
	}
	return fault("it says %.100q", words)
}
