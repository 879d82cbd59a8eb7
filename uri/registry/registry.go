package registry

import (
	"cmp"
	_ "embed"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"

	"linkcheck/uri/internal/chars"
)

// maxFile bounds a registry file of a librarian, in bytes.
const maxFile = 1 << 20

//go:embed registry.toml
var registryTOML string

// Registry is the "info" registry: how its records want identifiers spelled, and the
// services known to resolve identifiers. It is read only.
type Registry struct {
	spaces    map[string]*namespace
	resolvers []Resolver
}

// namespace is one record, as registry.toml explains its fields.
type namespace struct {
	Name    string   `toml:"name"`
	Title   string   `toml:"title"`
	Date    string   `toml:"date"`
	Record  string   `toml:"record"`
	Case    string   `toml:"case"`
	Rule    string   `toml:"rule"`
	Strip   []string `toml:"strip"`
	Remove  string   `toml:"remove"`
	Valid   string   `toml:"valid"`
	Unknown string   `toml:"unknown"`
	Check   string   `toml:"check"`

	valid, unknown *regexp.Regexp
	own            bool // added by a librarian's file
}

// Resolver is a service whose addresses name identifiers of a namespace.
type Resolver struct {
	Code      string   `toml:"code"`
	Hosts     []string `toml:"hosts"`
	Path      string   `toml:"path"`
	Namespace string   `toml:"namespace"`
	Require   string   `toml:"require"`
}

// Resolvers lists the services known, the frozen ones first.
func (r *Registry) Resolvers() []Resolver { return r.resolvers }

type file struct {
	Namespace []namespace `toml:"namespace"`
	Resolver  []Resolver  `toml:"resolver"`
}

// frozen is the embedded registry, read when first asked for.
var frozen = sync.OnceValues(func() (*Registry, error) {
	r := &Registry{spaces: map[string]*namespace{}}
	return r, r.read(registryTOML, false)
})

// Default gives the frozen registry of 29 records.
func Default() *Registry {
	r, err := frozen()
	if err != nil {
		return &Registry{} // TestRegistryEmbedded holds this never happens
	}
	return r
}

// Load gives the frozen registry with a librarian's namespaces and
// resolvers added. Unknown keys are refused by name.
func Load(in io.Reader) (*Registry, error) {
	data, err := io.ReadAll(io.LimitReader(in, maxFile+1))
	if err != nil {
		return nil, fmt.Errorf("registry: %w", err)
	}
	if len(data) > maxFile {
		return nil, fmt.Errorf("registry: more than %d bytes", maxFile)
	}
	base := Default()
	r := &Registry{spaces: maps.Clone(base.spaces), resolvers: slices.Clone(base.resolvers)}
	return r, r.read(string(data), true)
}

func (r *Registry) read(data string, own bool) error {
	var f file
	meta, err := toml.Decode(data, &f)
	if err != nil {
		return fmt.Errorf("registry: %w", err)
	}
	if keys := meta.Undecoded(); len(keys) > 0 {
		return fmt.Errorf("registry: unknown key %q", keys[0].String())
	}
	for i := range f.Namespace {
		ns := &f.Namespace[i]
		ns.own = own
		if err := ns.prepare(); err != nil {
			return err
		}
		r.spaces[ns.Name] = ns
	}
	for _, s := range f.Resolver {
		if s.Code == "" || s.Namespace == "" || len(s.Hosts) == 0 || !strings.HasPrefix(s.Path, "/") {
			return fmt.Errorf("registry: resolver %q: code, namespace, hosts and an absolute path are needed", s.Code)
		}
		r.resolvers = append(r.resolvers, s)
	}
	return nil
}

// prepare checks one record and compiles its patterns.
func (ns *namespace) prepare() (err error) {
	switch {
	case chars.SchemeLen(ns.Name+":") != len(ns.Name) || chars.Lower(ns.Name) != ns.Name:
		return fmt.Errorf("registry: namespace %q: the name is a scheme name in lower case", ns.Name)
	case ns.Case != "" && ns.Case != "upper" && ns.Case != "lower":
		return fmt.Errorf("registry: namespace %s: case %q is neither upper nor lower", ns.Name, ns.Case)
	case ns.Rule != "" && ruleNamed(ns.Rule) == nil:
		return fmt.Errorf("registry: namespace %s: unknown rule %q", ns.Name, ns.Rule)
	case ns.Check != "" && ns.Check != "sici":
		return fmt.Errorf("registry: namespace %s: unknown check %q", ns.Name, ns.Check)
	}
	ns.Record = cmp.Or(ns.Record, "reg:"+ns.Name)
	if ns.valid, err = pattern(ns.Name, ns.Valid); err != nil {
		return err
	}
	ns.unknown, err = pattern(ns.Name, ns.Unknown)
	return err
}

func pattern(name, expr string) (*regexp.Regexp, error) {
	if expr == "" {
		return nil, nil
	}
	re, err := regexp.Compile(expr)
	if err != nil {
		return nil, fmt.Errorf("registry: namespace %s: %w", name, err)
	}
	return re, nil
}
