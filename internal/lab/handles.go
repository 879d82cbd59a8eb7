package lab

import (
	"encoding/json"
	"net/http"
	"strings"
)

// Handles is a proxy server of the Handle System, such as doi.org: it redirects from the
// handles that it knows to their addresses, and serves its REST interface.
func Handles(known map[string]string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		handle, isAPI := strings.CutPrefix(strings.TrimPrefix(r.URL.Path, "/"), "api/handles/")
		target, found := "", false
		for h, address := range known { // DOIs are the same in either case
			if strings.EqualFold(h, handle) {
				target, found = address, true
			}
		}
		switch {
		case isAPI:
			answer := map[string]any{"responseCode": 100, "handle": handle}
			w.Header().Set("Content-Type", "application/json;charset=UTF-8")
			if !found {
				w.WriteHeader(http.StatusNotFound)
			} else {
				answer["responseCode"] = 1
				answer["values"] = []any{
					map[string]any{"index": 100, "type": "HS_ADMIN", "data": map[string]any{"format": "admin", "value": map[string]any{"handle": "0.NA/x"}}},
					map[string]any{"index": 1, "type": "URL", "data": map[string]any{"format": "string", "value": target}},
				}
			}
			_ = json.NewEncoder(w).Encode(answer)
		case found:
			Redirect(http.StatusFound, target)(w, r)
		default:
			NotFound(w, r)
		}
	}
}
