package walls

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// Lists are the lists of walls.toml.
type Lists struct {
	Login struct {
		Hosts, Labels, Paths, Segments, Returns, Titles, Words []string
	}
	Challenge struct {
		Texts, Scripts, Asks, Captchas, Titles []string
	}
	Parked struct {
		Texts, Offers, Hosts []string
	}
	Error struct {
		Titles []string
	}
}

// Access is one rule of access.toml.
type Access struct {
	Name           string
	Hosts, Paths   []string
	Platform       []string
	MustContain    []string `toml:"must-contain"`
	MustNotContain []string `toml:"must-not-contain"`
	Title          []string
}

// maxItem is how many octets an item of a list may have.
const maxItem = 1000

//go:embed walls.toml
var ownLists string

//go:embed access.toml
var ownAccess string

// ReadLists reads a file of the form of walls.toml. A key that it does not have is an
// error, and so is an item that is empty or longer than 1,000 octets.
func ReadLists(text string) (Lists, error) {
	var l Lists
	err := decode(text, &l)
	if err == nil {
		err = sound(l.all()...)
	}
	return l, err
}

// ReadAccess reads a file of the form of access.toml. Each rule needs a name, hosts or a
// platform, and something that a page must or must not have.
func ReadAccess(text string) ([]Access, error) {
	var file struct{ Rule []Access }
	if err := decode(text, &file); err != nil {
		return nil, err
	}
	for i := range file.Rule {
		r := &file.Rule[i]
		switch {
		case r.Name == "":
			return nil, fmt.Errorf("rule %d has no name", i+1)
		case len(r.Hosts)+len(r.Platform) == 0:
			return nil, fmt.Errorf("rule %.100q has neither hosts nor platform", r.Name)
		case len(r.MustContain)+len(r.MustNotContain)+len(r.Title) == 0:
			return nil, fmt.Errorf("rule %.100q has none of must-contain, must-not-contain and title", r.Name)
		}
		if err := sound(&r.Hosts, &r.Paths, &r.Platform, &r.MustContain, &r.MustNotContain, &r.Title); err != nil {
			return nil, fmt.Errorf("rule %.100q: %w", r.Name, err)
		}
	}
	return file.Rule, nil
}

func decode(text string, to any) error {
	meta, err := toml.Decode(text, to)
	if err != nil {
		return fmt.Errorf("not in order: %w", err)
	}
	if more := meta.Undecoded(); len(more) > 0 {
		return fmt.Errorf("unknown key %.100q", more[0].String())
	}
	return nil
}

// sound brings lists into lower case and refuses items that would be found everywhere.
func sound(lists ...*[]string) error {
	for _, list := range lists {
		for i, item := range *list {
			if len(strings.TrimSpace(item)) < 2 || len(item) > maxItem {
				return fmt.Errorf("%.100q: an item has 2 to %d octets", item, maxItem)
			}
			(*list)[i] = strings.ToLower(item)
		}
	}
	return nil
}

// all are the lists of l.
func (l *Lists) all() []*[]string {
	return []*[]string{
		&l.Login.Hosts, &l.Login.Labels, &l.Login.Paths, &l.Login.Segments, &l.Login.Returns, &l.Login.Titles, &l.Login.Words,
		&l.Challenge.Texts, &l.Challenge.Scripts, &l.Challenge.Asks, &l.Challenge.Captchas, &l.Challenge.Titles,
		&l.Parked.Texts, &l.Parked.Offers, &l.Parked.Hosts, &l.Error.Titles,
	}
}

// with is l and the lists of m behind.
func (l Lists) with(m Lists) Lists {
	mine, more := l.all(), m.all()
	for i := range mine {
		*mine[i] = slices.Concat(*mine[i], *more[i])
	}
	return l
}

// Under says whether host is one of the names or below one.
func Under(host string, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		rest, ok := strings.CutSuffix(host, name)
		return ok && (rest == "" || strings.HasSuffix(rest, "."))
	})
}
