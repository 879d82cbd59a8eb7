package rootsettings

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"linkcheck/extract"
	"linkcheck/harvest"
	"linkcheck/internal/config"
)

// Source is one [[root]] as it is written.
type Source struct {
	Values map[string]any
	Where  func(key string) string // file and line of a key; "" is the table
}

// Setting is one root with what was decided about it.
type Setting struct {
	harvest.Root                 // of a path only Name, Owner, Every and RecordURL
	Path         string          // "": it is a URI
	Replace      bool            // what else its collection held is retired: it is made anew each time
	Extract      extract.Options // how its documents are read: Base, Input, Charset, MARC, RecordID, Columns, Mirrors

	where                         func(key string) string
	user, passwordFile, tokenFile string
}

// keys are those of a table, each with what reads it.
var keys = map[string]func(s *Setting, v any) error{
	"uri":        readURI,
	"path":       func(s *Setting, v any) error { return config.OneLine(v, &s.Path) },
	"name":       func(s *Setting, v any) error { return config.OneLine(v, &s.Name) },
	"owner":      func(s *Setting, v any) error { return config.OneLine(v, &s.Owner) },
	"every":      readEvery,
	"record-url": func(s *Setting, v any) error { return config.OneLine(v, &s.RecordURL) },

	"follow":    func(s *Setting, v any) error { return expression(v, &s.Follow) },
	"no-follow": func(s *Setting, v any) error { return expression(v, &s.NoFollow) },
	"depth":     func(s *Setting, v any) error { return number(v, &s.Depth, 1000) },
	"documents": func(s *Setting, v any) error { return number(v, &s.Documents, 100_000_000) },
	"bytes":     func(s *Setting, v any) error { return octets(v, &s.Bytes) },
	"time":      func(s *Setting, v any) error { return span(v, &s.Time) },
	"query":     func(s *Setting, v any) error { return config.OneLine(v, &s.Query) },
	"groups":    func(s *Setting, v any) error { return config.Lines(v, &s.Groups) },
	"format":    func(s *Setting, v any) error { return config.OneLine(v, &s.Format) },

	"user":          func(s *Setting, v any) error { return config.OneLine(v, &s.user) },
	"password-file": func(s *Setting, v any) error { return config.OneLine(v, &s.passwordFile) },
	"token-file":    func(s *Setting, v any) error { return config.OneLine(v, &s.tokenFile) },

	"map":       readMap,
	"replace":   func(s *Setting, v any) error { return truth(v, &s.Replace) },
	"input":     func(s *Setting, v any) error { return config.OneLine(v, &s.Extract.Input) },
	"base":      func(s *Setting, v any) error { return config.OneLine(v, &s.Extract.Base) },
	"charset":   func(s *Setting, v any) error { return config.OneLine(v, &s.Extract.Charset) },
	"marc-tags": func(s *Setting, v any) error { return config.Lines(v, &s.Extract.MARC) },
	"columns":   readColumns,
	"record-id": func(s *Setting, v any) error { return config.OneLine(v, &s.Extract.RecordID) },
}

// Of which kinds of roots a key is, where not of all.
var (
	ofURIs  = []string{"follow", "no-follow", "depth", "documents", "bytes", "time", "query", "format", "groups", "user", "password-file", "token-file"}
	ofPaths = []string{"map", "replace"}
)

// ofKinds are keys for some kinds of archives over the network.
var ofKinds = map[string][]harvest.Shape{
	"query":  {harvest.SRU, harvest.Z3950},
	"format": {harvest.OAI, harvest.SRU, harvest.Z3950},
	"groups": {harvest.News},

	"user": withLogin, "password-file": withLogin, "token-file": overHTTP, // the others are asked as anybody
}

var (
	overHTTP  = []harvest.Shape{harvest.Web, harvest.Sitemap, harvest.OAI, harvest.SRU, harvest.WASAPI}
	withLogin = slices.Concat(overHTTP, []harvest.Shape{harvest.Mailbox})
)

// Keys are the names of the keys of a table, sorted.
func Keys() []string { return slices.Sorted(maps.Keys(keys)) }

// UnknownKey is the error for a key that no table has.
type UnknownKey struct{ Where, Key string }

func (e *UnknownKey) Error() string {
	return fmt.Sprintf("%s: unknown key %.200q of [[root]]", e.Where, e.Key)
}

// usualEvery is how often an archive over the network is read where nothing is said: once a
// week. Paths are read in every run.
var usualEvery, _ = harvest.ParseSchedule("7d")

// Parse reads tables. No file is opened: see Setting.Load.
func Parse(list []Source) ([]Setting, error) {
	var all []Setting
	for _, source := range list {
		s := Setting{where: source.Where}
		if every := source.Values["every"]; every == nil && source.Values["uri"] != nil {
			s.Every = usualEvery
		}
		order := slices.Sorted(maps.Keys(source.Values)) // the same error every time
		slices.SortStableFunc(order, func(a, b string) int { return cmp.Compare(rank(a), rank(b)) })
		for _, name := range order {
			read, ok := keys[name]
			if !ok {
				return nil, &UnknownKey{source.Where(name), name}
			}
			if err := read(&s, source.Values[name]); err != nil {
				return nil, s.fault(name, err)
			}
		}
		if key, err := s.validate(source.Values); err != nil {
			return nil, s.fault(key, err)
		}
		for _, other := range all {
			if s.URI != "" && other.URI == s.URI || s.Path != "" && other.Path == s.Path {
				return nil, s.fault("uri", errors.New("it has a table already"))
			}
		}
		all = append(all, s)
	}
	return all, nil
}

// rank puts what names a root before what is said of it.
func rank(key string) int {
	if key == "uri" || key == "path" {
		return 0
	}
	return 1
}

// validate wants what belongs together.
func (s *Setting) validate(given map[string]any) (key string, err error) {
	not := ofPaths
	switch {
	case s.URI == "" && s.Path == "":
		return "uri", errors.New("is missing: the address of an archive, or path for a file or folder")
	case s.URI != "" && s.Path != "":
		return "path", errors.New("a root is a uri or a path")
	case s.Path != "":
		not = ofURIs
		s.Name = cmp.Or(s.Name, filepath.Base(s.Path))
	}
	for _, key := range not {
		if given[key] != nil {
			return key, fmt.Errorf("is not for a root that is %q", cmp.Or(s.URI, s.Path))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(ofKinds)) {
		if given[key] != nil && !slices.Contains(ofKinds[key], s.Kind) {
			return key, fmt.Errorf("is not for a root of the kind %s", s.Kind)
		}
	}
	if s.passwordFile != "" && (s.user == "" || s.tokenFile != "") {
		return "password-file", errors.New("wants user, and no token-file beside it")
	}
	if err := CheckRecordURL(s.RecordURL); s.RecordURL != "" && err != nil {
		return "record-url", err
	}
	if err := extract.Validate(s.Extract); err != nil {
		return "input", err
	}
	return "", nil
}

func readURI(s *Setting, v any) error {
	var word string
	if err := config.OneLine(v, &word); err != nil {
		return err
	}
	root, err := harvest.ParseRoot(word)
	if errors.Is(err, harvest.ErrPath) {
		return errors.New("it is no URI; a file or folder is given by path")
	}
	if err != nil {
		return err
	}
	s.URI, s.Kind, s.Name = root.URI, root.Kind, root.Name
	return nil
}

// readMap reads where the web site was of which the path holds the files.
func readMap(s *Setting, v any) error {
	var address string
	if err := config.OneLine(v, &address); err != nil || s.Path == "" {
		return err // a root without a path is refused later
	}
	dir, err := filepath.Abs(s.Path)
	if err != nil {
		return err
	}
	m, err := extract.NewMirror(dir, address)
	s.Extract.Mirrors = extract.Mirrors{m}
	return err
}

func readColumns(s *Setting, v any) error {
	var words []string
	err := config.Lines(v, &words)
	if err == nil {
		s.Extract.Columns, err = extract.ParseColumns(words)
	}
	return err
}

func readEvery(s *Setting, v any) error {
	var word string
	err := config.OneLine(v, &word)
	if err == nil {
		s.Every, err = harvest.ParseSchedule(word)
	}
	return err
}

// Over is the options of the command line, with what the table says in their place.
func (s *Setting) Over(o extract.Options) extract.Options {
	own := &s.Extract
	o.Base, o.Input, o.Charset, o.RecordID = cmp.Or(own.Base, o.Base), cmp.Or(own.Input, o.Input), cmp.Or(own.Charset, o.Charset), cmp.Or(own.RecordID, o.RecordID)
	if own.Columns.Wanted {
		o.Columns = own.Columns
	}
	if own.MARC != nil {
		o.MARC = own.MARC
	}
	if o.Mirrors = slices.Concat(own.Mirrors, o.Mirrors); s.URI != "" {
		o.Mirrors = nil // its documents are known by addresses
	}
	return o
}

// Due says whether a root is to be read at a time; whole is when it was last read whole.
func (s *Setting) Due(whole, now time.Time) bool { return !now.Before(s.Every.Next(whole)) }

// CheckRecordURL says what is wrong with a template of the addresses of records, or nil.
func CheckRecordURL(template string) error {
	if !strings.Contains(template, "{id}") {
		return errors.New("{id} must stand in it, for the identifier of a record")
	}
	if u, err := url.Parse(strings.ReplaceAll(template, "{id}", "")); err != nil || u.Scheme != "" && u.Scheme != "http" && u.Scheme != "https" {
		return errors.New("is no address of the web")
	}
	return nil
}
