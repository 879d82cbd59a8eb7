package cnrp

import (
	"bufio"
	"context"
	"io"
	"math"
	"net/http"
	"strings"

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
		if len(first) == 0 {
			return check.ClassifyFirst(err)
		}
		return check.New(check.Undetermined, check.ReasonProtocolMismatch, wire.FirstWords(in))
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
		r.RetryAfter = check.RetryAfter(response.Header, p.o.Now, math.MaxInt64)
		return r
	}
	return check.New(check.Undetermined, check.ReasonGarbled, "endless interim answers")
}

// failed is the result of an HTTP answer that err broke.
func failed(err error) check.Result {
	if r := check.Classify(err); r.Reason != check.ReasonInternalError {
		return r
	}
	return check.New(check.Undetermined, check.ReasonGarbled, err.Error())
}
