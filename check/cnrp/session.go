package cnrp

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"linkcheck/check"
	"linkcheck/check/wire"
	"linkcheck/uri"
)

// ask makes one HTTP exchange on a connection of its own.
func (p prober) ask(ctx context.Context, at uri.Endpoint, u *uri.Go) check.Result {
	return p.o.Converse(ctx, at, min(p.o.MaxBytes, maxAnswer), func(c *wire.Conn) check.Result {
		return p.post(ctx, c, wire.Address(at), u)
	})
}

func (p prober) post(ctx context.Context, c *wire.Conn, host string, u *uri.Go) check.Result {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+host+"/", strings.NewReader(query(u)))
	if err != nil {
		return check.New(check.Invalid, check.ReasonURI("host-bad"), err.Error())
	}
	request.Header.Set("Content-Type", mediaType)
	request.Header.Set("Accept", mediaType)
	request.Header.Set("User-Agent", p.o.UserAgent)
	request.Close = true
	if err := request.Write(c); err != nil {
		return check.Classify(err)
	}
	in := bufio.NewReader(c)
	if first, err := in.Peek(5); string(first) != "HTTP/" {
		return foreign(in, len(first), err)
	}
	for range maxInterim {
		response, err := http.ReadResponse(in, request)
		if err != nil {
			return failed(err)
		}
		if response.StatusCode < 200 && response.StatusCode != http.StatusSwitchingProtocols {
			continue
		}
		body, err := io.ReadAll(response.Body) // c holds the limit
		response.Body.Close()
		if err != nil {
			return failed(err)
		}
		r := judge(u, response.StatusCode, body)
		r.RetryAfter = retryAfter(response.Header, p.o.Now())
		return r
	}
	return check.New(check.Undetermined, check.ReasonGarbled, "endless interim answers")
}

// retryAfter reads how long a service asks to be left alone, RFC 9110 section 10.2.3.
func retryAfter(h http.Header, now time.Time) time.Duration {
	value := h.Get("Retry-After")
	if at, err := http.ParseTime(value); err == nil {
		return max(at.Sub(now), 0)
	}
	seconds, err := strconv.ParseUint(value, 10, 31)
	if err != nil {
		return 0
	}
	return time.Duration(seconds) * time.Second
}

// foreign is the result of words that are no HTTP.
func foreign(in *bufio.Reader, n int, err error) check.Result {
	if n == 0 && err != nil {
		if errors.Is(err, io.EOF) {
			return check.New(check.Temporary, check.ReasonClosed, "")
		}
		return check.Classify(err)
	}
	return check.New(check.Undetermined, check.ReasonProtocolMismatch, wire.FirstWords(in))
}

// failed is the result of an HTTP answer that err broke.
func failed(err error) check.Result {
	if r := check.Classify(err); r.Reason != check.ReasonInternalError {
		return r
	}
	return check.New(check.Undetermined, check.ReasonGarbled, err.Error())
}
