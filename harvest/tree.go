package harvest

import (
	"fmt"
	"regexp"
	"strings"

	"linkcheck/uri"
)

// tree says which files and folders of an FTP server are documents of a root.
type tree struct {
	server           string // the beginning of every name
	at               uri.Endpoint
	prefix           string // of the paths: that of the root up to its last slash
	follow, noFollow *regexp.Regexp
}

func newTree(root Root) (*tree, error) {
	u, err := uri.Parse(root.Address())
	if err != nil {
		return nil, fmt.Errorf("root %.200q: %w", root.URI, err)
	}
	f, ok := u.(*uri.FTP)
	if !ok {
		return nil, fmt.Errorf("root %.200q is no FTP server", root.URI)
	}
	scheme, rest, _ := strings.Cut(uri.SchemeKey(f), "://")
	host, _, _ := strings.Cut(rest, "/")
	t := &tree{server: scheme + "://" + host, at: f.At, follow: root.Follow, noFollow: root.NoFollow}
	name, _ := t.name(root.Address())
	path, _ := t.resource(name)
	t.prefix = path[:strings.LastIndexByte(path, '/')+1]
	return t, nil
}

// name implements site. How a file is to be sent is no part of it.
func (t *tree) name(address string) (string, bool) {
	u, err := uri.Parse(address)
	if err != nil {
		return "", false
	}
	f, ok := u.(*uri.FTP)
	if !ok || f.At != t.at || f.User != nil {
		return "", false
	}
	key, _, _ := strings.Cut(uri.SchemeKey(f), "#")
	if i := strings.LastIndex(key, ";type="); i >= 0 && i == len(key)-len(";type=a") {
		folder := key[i+len(";type="):] == "d"
		if key = key[:i]; folder && !strings.HasSuffix(key, "/") {
			key += "/"
		}
	}
	if key == t.server {
		key += "/"
	}
	return key, true
}

// resource implements site.
func (t *tree) resource(name string) (path, query string) {
	return name[min(len(t.server), len(name)):], ""
}

// holds implements site.
func (t *tree) holds(name string) bool {
	path, _ := t.resource(name)
	if !strings.HasPrefix(path, t.prefix) && (t.follow == nil || !t.follow.MatchString(name)) {
		return false
	}
	return t.noFollow == nil || !t.noFollow.MatchString(name)
}

// fetchable implements site.
func (t *tree) fetchable(name string) bool { return !isNoDocument(name) }
