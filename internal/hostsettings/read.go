package hostsettings

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"linkcheck/check/netguard"
	"linkcheck/internal/config"
)

// Source is one [[host]] as it is written.
type Source struct {
	Values map[string]any
	Where  func(key string) string // file and line of a key; "" is the table
}

// The bounds of values.
const (
	maxConnections = 16
	maxTime        = 10 * time.Minute
)

// keys are those of a table, each with what reads it.
var keys = map[string]func(r *row, v any) error{
	"match":           readMatch,
	"user-agent":      func(r *row, v any) error { return config.OneLine(v, &r.settings.UserAgent) },
	"gap":             readGap,
	"connections":     readConnections,
	"timeout":         func(r *row, v any) error { return span(v, &r.settings.Timeout, 1) },
	"proxy":           readProxy,
	"robots":          readRobots,
	"robots-reason":   func(r *row, v any) error { return config.OneLine(v, &r.robots) },
	"headers-file":    named("headers-file"),
	"basic-auth-file": named("basic-auth-file"),
	"bearer-env":      named("bearer-env"),
	"bearer-file":     named("bearer-file"),
	"client-cert":     named("client-cert"),
	"client-key":      named("client-key"),
	"ca-file":         named("ca-file"),
	"verdict":         readVerdict,
	"skip":            func(r *row, v any) error { return config.OneLine(v, &r.settings.Skip) },
}

// Keys are the names of the keys of a table, sorted.
func Keys() []string {
	return slices.Sorted(maps.Keys(keys))
}

// UnknownKey is the error for a key that no table has.
type UnknownKey struct{ Where, Key string }

func (e *UnknownKey) Error() string {
	return fmt.Sprintf("%s: unknown key %.200q of [[host]]", e.Where, e.Key)
}

// Parse reads tables. No file is opened: see Load.
func Parse(list []Source) (*Table, error) {
	t := &Table{}
	for _, source := range list {
		r := &row{where: source.Where, files: map[string]string{}, written: source.Values}
		for _, name := range slices.Sorted(maps.Keys(source.Values)) { // the same error every time
			read, ok := keys[name]
			if !ok {
				return nil, &UnknownKey{source.Where(name), name}
			}
			if err := read(r, source.Values[name]); err != nil {
				return nil, fault(source.Where, name, err)
			}
		}
		if key, err := r.validate(); err != nil {
			return nil, fault(source.Where, key, err)
		}
		t.rows = append(t.rows, r)
	}
	return t, nil
}

// validate wants what belongs together.
func (r *row) validate() (key string, err error) {
	has := func(key string) bool { return r.files[key] != "" }
	switch {
	case len(r.match) == 0:
		return "match", errors.New("is missing")
	case r.settings.IgnoresRobots() && r.robots == "":
		return "robots", errors.New("false wants robots-reason, which the report shows")
	case !r.settings.IgnoresRobots() && r.robots != "":
		return "robots-reason", errors.New("is for robots = false")
	case has("client-cert") != has("client-key"):
		return "client-cert", errors.New("client-cert and client-key belong together")
	}
	if r.settings.Connections > 0 {
		for _, p := range r.match {
			if p.port != 0 {
				return "connections", fmt.Errorf("is for a whole host, and %s names a port", p.text)
			}
		}
	}
	given := ""
	for _, key := range []string{"basic-auth-file", "bearer-env", "bearer-file"} {
		if has(key) && given != "" {
			return key, errors.New("a table has one of basic-auth-file, bearer-env and bearer-file")
		} else if has(key) {
			given = key
		}
	}
	for _, key := range secretKeys {
		for _, p := range r.match {
			if has(key) && p.wide() {
				return key, fmt.Errorf("%s are the hosts of many owners: name the host that may have the secret", p.text)
			}
		}
	}
	return "", nil
}

func named(key string) func(*row, any) error {
	return func(r *row, v any) error {
		var name string
		err := config.OneLine(v, &name)
		r.files[key] = name
		return err
	}
}

func readMatch(r *row, v any) error {
	var list []string
	if err := config.Lines(v, &list); err != nil {
		return err
	}
	for _, s := range list {
		p, err := parseMatch(s)
		if err != nil {
			return err
		}
		r.match = append(r.match, p)
	}
	return nil
}

// span reads a time such as "5s", of at least least.
func span(v any, to *time.Duration, least time.Duration) error {
	s, ok := v.(string)
	if !ok {
		return errors.New(`a time in quotes such as "5s" is wanted`)
	}
	d, err := time.ParseDuration(s)
	if err != nil || d < least || d > maxTime {
		return fmt.Errorf("%.200q is no time such as 500ms, 20s or 5m, up to 10m", s)
	}
	*to = d
	return nil
}

func readGap(r *row, v any) error {
	r.settings.Gap = new(time.Duration)
	return span(v, r.settings.Gap, 0)
}

func readConnections(r *row, v any) error {
	n, ok := v.(int64)
	if !ok || n < 1 || n > maxConnections {
		return fmt.Errorf("a number from 1 to %d is wanted", maxConnections)
	}
	r.settings.Connections = int(n)
	return nil
}

func readRobots(r *row, v any) error {
	heeded, ok := v.(bool)
	if !ok {
		return errors.New("true or false is wanted")
	}
	r.settings.Robots = &heeded
	return nil
}

func readProxy(r *row, v any) error {
	var s string
	if err := config.OneLine(v, &s); err != nil {
		return err
	}
	r.settings.Proxy = &Proxy{}
	if s == "direct" {
		return nil
	}
	relay, err := netguard.ParseRelay(s)
	if err != nil {
		return fmt.Errorf(`%w, and not "direct"`, err)
	}
	r.settings.Proxy.Relay = relay
	return nil
}

func readVerdict(r *row, v any) error {
	words, ok := v.(map[string]any)
	if !ok || len(words) == 0 {
		return errors.New(`{ 403 = "alive" } is wanted: a status and a word`)
	}
	r.settings.Verdict = map[int]string{}
	for code, word := range words {
		status, err := strconv.Atoi(code)
		if err != nil || status < 200 || status > 999 || len(code) != 3 {
			return fmt.Errorf("%.20q is no status from 200 to 999", code)
		}
		if slices.Contains([]int{301, 302, 303, 307, 308}, status) {
			return fmt.Errorf("%d is a redirect, and is followed", status)
		}
		s, _ := word.(string)
		if !slices.Contains(Verdicts, s) {
			return fmt.Errorf("%d: one of %s is wanted", status, strings.Join(Verdicts, ", "))
		}
		r.settings.Verdict[status] = s
	}
	return nil
}
