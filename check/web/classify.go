package web

import (
	"crypto/tls"
	"errors"
	"io"
	"strings"

	"linkcheck/check"
)

// classify adds to check.Classify what only net/http reports, most of it as
// plain text.
func classify(err error) check.Result {
	r := check.Classify(err)
	var plain tls.RecordHeaderError
	if errors.As(err, &plain) && string(plain.RecordHeader[:]) == "HTTP/" {
		return check.New(check.Undetermined, check.ReasonProtocolMismatch, "an HTTP answer where TLS was spoken")
	}
	if r.Reason != check.ReasonInternalError {
		return r
	}
	text := strings.TrimPrefix(err.Error(), "net/http: HTTP/1.x transport connection broken: ")
	has := func(parts ...string) bool {
		for _, p := range parts {
			if strings.Contains(text, p) {
				return true
			}
		}
		return false
	}
	switch {
	case has("headers exceeded", "too long", "too many 1xx", "suspiciously long"):
		return check.New(check.Undetermined, check.ReasonTooLong, text)
	case has("malformed HTTP response", "malformed HTTP version", "malformed HTTP status code", "unexpected ALPN", "readLoopPeekFailLocked"):
		return check.New(check.Undetermined, check.ReasonProtocolMismatch, text)
	case has("malformed", "invalid", "bad Content-Length", "unsupported", "cannot contain", "too many transfer encodings"):
		return check.New(check.Undetermined, check.ReasonGarbled, text)
	case has("server closed", "connection broken", "http2:", "stream error", "GOAWAY"):
		return check.Classify(errors.Join(io.ErrUnexpectedEOF, err))
	}
	return r
}
