package browser

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"
)

const bodyTime = 2 * time.Second // that is waited for a body once the status is there

// paused is the event of a request that waits for us: before it is sent, or when the
// header of its answer is there.
type paused struct {
	ID      string `json:"requestId"`
	Kind    string `json:"resourceType"`
	Request struct{ URL, Method string }
	Reason  string   `json:"responseErrorReason"`
	Status  int      `json:"responseStatusCode"`
	Words   string   `json:"responseStatusText"`
	Header  []header `json:"responseHeaders"`
}

// identified names a request.
type identified struct {
	RequestID string `json:"requestId"`
}

// ask opens a page in a tab of its own, up to the header of the answer and the beginning
// of its body.
func (c *chromium) ask(ctx context.Context, q question, agent string) (reply, error) {
	tab, err := c.tab(ctx, q, agent)
	if err != nil {
		return reply{}, err
	}
	opened, err := c.send(ctx, tab, "Page.navigate", map[string]string{"url": q.URL})
	if err != nil {
		return reply{}, err
	}
	for asked := false; ; {
		m, err := c.next(ctx)
		if err != nil {
			return reply{}, err
		}
		switch {
		case m.ID == opened:
			var failed struct{ ErrorText string }
			if m.Error != nil {
				return reply{Failed: m.Error.Message}, nil
			}
			if err := json.Unmarshal(m.Result, &failed); err != nil || failed.ErrorText != "" {
				return reply{Failed: failed.ErrorText}, err
			}
		case m.Method == "Fetch.authRequired":
			err = c.logIn(ctx, tab, m, q)
		case m.Method == "Fetch.requestPaused":
			var p paused
			if err := json.Unmarshal(m.Params, &p); err != nil {
				return reply{}, err
			}
			switch first := !asked && p.Kind == "Document" && p.Request.Method == "GET"; {
			case p.Status != 0:
				return c.answer(ctx, tab, p, q.Limit), nil
			case p.Reason != "" || first:
				asked = true
				_, err = c.send(ctx, tab, "Fetch.continueRequest", identified{p.ID})
			default:
				_, err = c.send(ctx, tab, "Fetch.failRequest", struct {
					identified
					ErrorReason string `json:"errorReason"`
				}{identified{p.ID}, "BlockedByClient"})
			}
		}
		if err != nil {
			return reply{}, err
		}
	}
}

// tab makes a tab whose requests all wait for us. A certificate is no reason to ask no
// further: it was judged when we asked ourselves.
func (c *chromium) tab(ctx context.Context, q question, agent string) (session string, err error) {
	var made struct{ TargetID, SessionID string }
	type object = map[string]any
	call := func(session, method string, params object) {
		if err == nil {
			err = c.call(ctx, session, method, params, &made)
		}
	}
	call("", "Browser.setDownloadBehavior", object{"behavior": "deny"})
	call("", "Target.createTarget", object{"url": "about:blank"})
	call("", "Target.attachToTarget", object{"targetId": made.TargetID, "flatten": true})
	session = made.SessionID
	call(session, "Security.setIgnoreCertificateErrors", object{"ignore": true})
	call(session, "Emulation.setScriptExecutionDisabled", object{"value": true})
	call(session, "Network.setUserAgentOverride", object{"userAgent": strings.TrimSpace(agent + " " + q.Agent), "userAgentMetadata": object{
		"brands": []object{{"brand": "Chromium", "version": major(agent)}}, "platform": "Linux", "platformVersion": "", "architecture": "x86", "model": "", "mobile": false}})
	stage := func(s string) object { return object{"urlPattern": "*", "requestStage": s} }
	call(session, "Fetch.enable", object{"handleAuthRequests": true, "patterns": []object{stage("Request"), stage("Response")}})
	if err == nil && len(q.Cookies) > 0 {
		_ = c.call(ctx, session, "Network.setCookies", object{"cookies": q.Cookies}, nil) // one that it does not take is not sent
	}
	return session, err
}

// major is the version of a browser that calls itself agent.
func major(agent string) string {
	_, version, _ := strings.Cut(agent, "Chrome/")
	version, _, _ = strings.Cut(version, ".")
	return version
}

// logIn gives the proxy its password, and no server anything.
func (c *chromium) logIn(ctx context.Context, tab string, m message, q question) error {
	var asked struct {
		RequestID     string
		AuthChallenge struct{ Source string }
	}
	if err := json.Unmarshal(m.Params, &asked); err != nil {
		return err
	}
	answer := map[string]string{"response": "CancelAuth"}
	if asked.AuthChallenge.Source == "Proxy" {
		answer = map[string]string{"response": "ProvideCredentials", "username": q.User, "password": q.Password}
	}
	_, err := c.send(ctx, tab, "Fetch.continueWithAuth", map[string]any{"requestId": asked.RequestID, "authChallengeResponse": answer})
	return err
}

// setCookies are the cookies that the browser has for a page, as a server sets them: what
// a server did set is not in the header that waits.
func (c *chromium) setCookies(ctx context.Context, tab, page string) (list []header) {
	var has struct {
		Cookies []struct {
			Name, Value, Domain, Path string
			Secure                    bool
		}
	}
	_ = c.call(ctx, tab, "Network.getCookies", map[string]any{"urls": []string{page}}, &has) // without them the redirect is followed without
	for _, k := range has.Cookies {
		set := http.Cookie{Name: k.Name, Value: k.Value, Path: k.Path, Secure: k.Secure}
		if strings.HasPrefix(k.Domain, ".") { // else it is for this host alone
			set.Domain = k.Domain
		}
		if text := set.String(); text != "" {
			list = append(list, header{"Set-Cookie", text})
		}
	}
	return list
}

// answer is what came of a request. A body that does not come is not waited for: the
// status is there.
func (c *chromium) answer(ctx context.Context, tab string, p paused, limit int64) reply {
	a := reply{Status: p.Status, Words: p.Words, Header: p.Header}
	if p.Status/100 == 3 { // a redirect has no body that could be taken
		a.Header = append(a.Header, c.setCookies(ctx, tab, p.Request.URL)...)
		return a
	}
	ctx, cancel := context.WithTimeout(ctx, bodyTime)
	defer cancel()
	var body struct{ Stream string }
	if c.call(ctx, tab, "Fetch.takeResponseBodyAsStream", identified{p.ID}, &body) != nil {
		return a
	}
	for int64(len(a.Body)) <= limit { // one octet more says that there is more
		var part struct {
			Data          string
			Base64Encoded bool
			EOF           bool `json:"eof"`
		}
		size := min(limit+1-int64(len(a.Body)), 64<<10)
		if c.call(ctx, tab, "IO.read", map[string]any{"handle": body.Stream, "size": size}, &part) != nil {
			return a
		}
		a.Body = append(a.Body, decoded(part.Data, part.Base64Encoded)...)
		if part.EOF {
			return a
		}
	}
	a.Body = a.Body[:limit+1]
	return a
}
