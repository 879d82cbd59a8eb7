package web

import (
	"crypto/tls"
	"errors"
	"io"
	"net/http"
	"strings"

	"linkcheck/check"
)

// badAnswer is an answer that net/http could not make sense of, which it says as
// plain text.
type badAnswer struct {
	error
	http2 bool
}

// Unwrap gives what net/http said.
func (b *badAnswer) Unwrap() error { return b.error }

// classify adds to check.Classify what only the web knows.
func classify(err error) check.Result {
	r := check.Classify(err)
	var plain tls.RecordHeaderError
	if errors.As(err, &plain) && string(plain.RecordHeader[:]) == "HTTP/" {
		return check.New(check.Undetermined, check.ReasonProtocolMismatch, "an HTTP answer where TLS was spoken")
	}
	var bad *badAnswer
	switch {
	case r.Reason != check.ReasonInternalError || !errors.As(err, &bad):
		return r
	case errors.Is(err, http.ErrLineTooLong):
		return check.New(check.Undetermined, check.ReasonTooLong, bad.Error())
	case bad.http2: // a stream or its connection ended
		return check.Classify(errors.Join(io.ErrUnexpectedEOF, err))
	}
	return check.New(check.Undetermined, check.ReasonGarbled, strings.TrimPrefix(bad.Error(), "net/http: HTTP/1.x transport connection broken: "))
}
