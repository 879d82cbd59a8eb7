package telnet

import (
	"context"
	"errors"
	"os"
	"strings"

	"linkcheck/check"
)

// judge follows OUTCOMES 1.3 and 1.4, telnet.
func (n *negotiation) judge(ctx context.Context, err error) check.Result {
	text := string(n.text)
	switch {
	case strings.HasPrefix(text, "SSH-") || strings.HasPrefix(text, "HTTP/"):
		return check.New(check.Undetermined, check.ReasonProtocolMismatch, text)
	case n.answered():
		return check.New(check.Reachable, check.ReasonTelnetAnswer, text)
	case ctx.Err() != nil:
		return check.Classify(ctx.Err())
	case errors.Is(err, os.ErrDeadlineExceeded):
		return check.New(check.Reachable, check.ReasonTelnetSilent, "").WithEvidence(check.Weak)
	}
	return check.ClassifyFirst(err)
}
