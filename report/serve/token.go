package serve

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// cookie is the name under which a browser keeps that it showed the token.
const cookie = "linkcheck"

// WithToken gives a handler that answers those who know a token: as "Authorization:
// Bearer", or once in the query of an address, token=..., after which a browser shows a
// cookie, which is not the token itself and ends with the session.
func WithToken(next http.Handler, token string) http.Handler {
	value := cookieOf(token)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		bearer, browser := shows(r, token)
		switch q := r.URL.Query(); {
		case equal(q.Get("token"), token):
			// Lax, not Strict: the address with the token may stand in a mail, and nothing
			// here changes by a request.
			http.SetCookie(w, &http.Cookie{Name: cookie, Value: value, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode})
			secure(w.Header())
			q.Del("token")
			to := url.URL{Path: "/" + strings.TrimLeft(r.URL.Path, `/\`), RawQuery: q.Encode()}
			http.Redirect(w, r, to.String(), http.StatusSeeOther)
		case bearer, browser:
			next.ServeHTTP(w, r)
		default:
			secure(w.Header())
			w.Header().Set("WWW-Authenticate", "Bearer")
			http.Error(w, "this server wants the token of the address that linkcheck printed", http.StatusUnauthorized)
		}
	})
}

func cookieOf(token string) string {
	pass := sha256.Sum256([]byte("cookie " + token))
	return hex.EncodeToString(pass[:])
}

// shows says what a request shows: the token itself, the cookie of a browser that showed it.
func shows(r *http.Request, token string) (bearer, browser bool) {
	given, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	shown, err := r.Cookie(cookie)
	return equal(given, token), err == nil && equal(shown.Value, cookieOf(token))
}

// equal compares in a time that says nothing of either.
func equal(a, b string) bool {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return subtle.ConstantTimeCompare(x[:], y[:]) == 1
}

// secure sets the headers that every answer has.
func secure(h http.Header) {
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
}

// loopback are the names of loopback.
var loopback = []string{"localhost", "127.0.0.1", "[::1]", "::1"}

// knows says whether a Host header names one of some hosts.
func knows(hosts []string, host string) bool {
	name, port, err := net.SplitHostPort(host)
	if err != nil {
		name = host
	} else if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return false
	}
	return slices.ContainsFunc(hosts, func(h string) bool { return strings.EqualFold(name, h) })
}
