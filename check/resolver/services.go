package resolver

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"

	"linkcheck/uri"
)

//go:embed resolvers.toml
var servicesTOML string

// service is one row, as resolvers.toml explains its fields.
type service struct {
	Hosts   []string `toml:"hosts"`
	Path    string   `toml:"path"`
	Require string   `toml:"require"`
	Names   []string `toml:"names"`
	Info    string   `toml:"info"`
	Address string   `toml:"address"`
	API     string   `toml:"api"`
}

// known reads the table when it is first asked for; TestServices holds that it can be read.
var known = sync.OnceValues(func() ([]service, error) { return readServices(servicesTOML) })

func readServices(text string) ([]service, error) {
	var f struct {
		Resolver []service `toml:"resolver"`
	}
	meta, err := toml.Decode(text, &f)
	if keys := meta.Undecoded(); err == nil && len(keys) > 0 {
		err = fmt.Errorf("unknown key %q", keys[0].String())
	}
	if err != nil {
		return nil, fmt.Errorf("resolvers: %w", err)
	}
	for _, s := range f.Resolver {
		if len(s.Hosts) == 0 || !strings.HasPrefix(s.Path, "/") || !strings.Contains(s.Address, "{id}") || s.API != "" && !strings.Contains(s.API, "{id}") {
			return nil, fmt.Errorf("resolvers: %q needs hosts, a path, and a place for the identifier", s.Hosts)
		}
	}
	return f.Resolver, nil
}

// find gives the service that resolves a URI, and the identifier, escaped as in a path; nil
// if no service does.
func (p *Prober) find(u uri.URI) (s *service, id string) {
	for i := range p.services {
		if s = &p.services[i]; s.holds(u, &id) {
			return s, id
		}
	}
	return nil, ""
}

func (s *service) holds(u uri.URI, id *string) (ok bool) {
	switch u := u.(type) {
	case *uri.HTTP:
		if u.User != nil || !slices.Contains(s.Hosts, u.At.Host) {
			return false
		}
		parts := u.Parts()
		if parts.HasPort || parts.HasQuery {
			return false
		}
		*id, ok = cutFold(parts.Path, s.Path)
	case *uri.Info:
		*id, ok = strings.CutPrefix(u.Parts().Path, u.Namespace+"/")
		ok = ok && s.Info != "" && u.Namespace == s.Info
	case *uri.Opaque:
		whole := u.Scheme() + ":" + u.Rest
		ok = slices.ContainsFunc(s.Names, func(name string) bool { _, ok := cutFold(whole, name); return ok })
		if *id = u.Rest; u.Scheme() == "urn" {
			*id, _ = cutFold(whole, "urn:nbn:")
		}
	}
	*id = strings.ReplaceAll(*id, "?", "%3F")
	return ok && *id != "" && strings.HasPrefix(*id, s.Require)
}

// cutFold is strings.CutPrefix without regard to case.
func cutFold(s, prefix string) (rest string, ok bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}
