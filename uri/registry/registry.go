package uri

import (
	_ "embed"
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"
)

// maxRegistryFile bounds a registry file of a librarian, in bytes.
const maxRegistryFile = 1 << 20

//go:embed registry.toml
var registryTOML string

// InfoRegistry is the "info" registry: the rules its records give for spelling, and
// the services known to resolve identifiers. It is read only.
type InfoRegistry struct {
	spaces    map[string]*Namespace
	resolvers []InfoResolver

	rules          []rule // of the upper levels, see ladderRules
	resolverFrom   int
	heuristicsFrom int
}

// Namespace is one record, as registry.toml explains its fields.
type Namespace struct {
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

// InfoResolver is a service whose addresses name identifiers of a namespace.
type InfoResolver struct {
	Code      string   `toml:"code"`
	Hosts     []string `toml:"hosts"`
	Path      string   `toml:"path"`
	Namespace string   `toml:"namespace"`
	Require   string   `toml:"require"`
}

type registryFile struct {
	Namespace []Namespace    `toml:"namespace"`
	Resolver  []InfoResolver `toml:"resolver"`
}

// frozen is the embedded registry, read when first asked for.
var frozen = sync.OnceValues(func() (*InfoRegistry, error) {
	r := &InfoRegistry{spaces: map[string]*Namespace{}}
	return r, r.read(registryTOML, false)
})

// DefaultRegistry gives the frozen registry of 29 records.
func DefaultRegistry() *InfoRegistry {
	r, err := frozen()
	if err != nil {
		return &InfoRegistry{} // TestRegistryEmbedded holds this never happens
	}
	return r
}

// LoadRegistry gives the frozen registry with a librarian's namespaces and
// resolvers added. Unknown keys are refused by name.
func LoadRegistry(file io.Reader) (*InfoRegistry, error) {
	data, err := io.ReadAll(io.LimitReader(file, maxRegistryFile+1))
	if err != nil {
		return nil, fmt.Errorf("registry: %w", err)
	}
	if len(data) > maxRegistryFile {
		return nil, fmt.Errorf("registry: more than %d bytes", maxRegistryFile)
	}
	base := DefaultRegistry()
	r := &InfoRegistry{spaces: map[string]*Namespace{}, resolvers: append([]InfoResolver(nil), base.resolvers...)}
	for name, ns := range base.spaces {
		r.spaces[name] = ns
	}
	return r, r.read(string(data), true)
}

func (r *InfoRegistry) read(data string, own bool) error {
	var f registryFile
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
	r.rules, r.resolverFrom, r.heuristicsFrom = r.ladderRules()
	return nil
}

// prepare checks one record's words.
func (ns *Namespace) prepare() (err error) {
	if ns.Name == "" || !is(ns.Name[0], cAlpha) || !allIn(ns.Name, cScheme) || lower(ns.Name) != ns.Name {
		return fmt.Errorf("registry: namespace %q: the name is a scheme name in lower case", ns.Name)
	}
	if ns.Record == "" {
		ns.Record = "reg:" + ns.Name
	}
	switch ns.Case {
	case "", "upper", "lower":
	default:
		return fmt.Errorf("registry: namespace %s: case %q is neither upper nor lower", ns.Name, ns.Case)
	}
	if ns.Rule != "" && specialRule(ns.Rule) == nil {
		return fmt.Errorf("registry: namespace %s: unknown rule %q", ns.Name, ns.Rule)
	}
	if ns.Check != "" && ns.Check != "sici" {
		return fmt.Errorf("registry: namespace %s: unknown check %q", ns.Name, ns.Check)
	}
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

// Standing is what the registry says of one info URI.
type Standing struct {
	Status  string   `json:"status"` // registered, unregistered, or own for a librarian's namespace
	Valid   string   `json:"valid"`  // yes, no, unknown
	Reasons []string `json:"reasons"`
	Key     string   `json:"key"` // of level Registry
	Record  string   `json:"record"`
}

// Standing judges u by its record. It warns; it never makes two URIs one.
func (r *InfoRegistry) Standing(u *Info) Standing {
	var codes []string
	key := r.canon(SchemeKey(u), &codes)
	st := Standing{Status: "unregistered", Valid: "unknown", Reasons: append([]string{}, codes...), Key: key}
	ns := r.spaces[u.Namespace]
	if ns == nil {
		return st
	}
	st.Status, st.Record = "registered", ns.Record
	if ns.own {
		st.Status = "own"
	}
	_, rest, _ := strings.Cut(key, "/")
	rest, _, _ = strings.Cut(rest, "#")
	id := decode(rest)
	switch {
	case ns.valid != nil && ns.valid.MatchString(id):
		st.Valid = "yes"
		if ns.Check == "sici" && !checkDigit("sici", id).Valid {
			st.Valid = "no"
		}
	case ns.unknown != nil && ns.unknown.MatchString(id), ns.valid == nil && ns.unknown == nil:
	default:
		st.Valid = "no"
	}
	return st
}
