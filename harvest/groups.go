package harvest

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"linkcheck/check"
)

// groups are the names of the groups of the root, sorted. Those of a pattern (RFC 3977
// section 4) are asked for.
func (r *rolling) groups() (names []string, err error) {
	server, pattern := groupOf(r.root.URI)
	if pattern == "" {
		pattern = strings.Join(r.root.Groups, ",")
	}
	if pattern != "" && !strings.ContainsAny(pattern, "*?!,[") {
		return []string{pattern}, nil
	}
	var broken error
	taken := false
	res, err := r.read(server+pattern, check.Wanted{}, func(a *check.Answer) error {
		taken = true
		if a.Entries == nil {
			broken = errors.New("it is none")
			return nil
		}
		for e, err := range a.Entries {
			if err != nil {
				broken = err
				return nil
			}
			if _, name := groupOf(e.Name); e.Folder && name != "" {
				names = append(names, name)
			}
		}
		return nil
	})
	var away *check.Elsewhere
	switch {
	case r.ctx.Err() != nil:
		return nil, r.ctx.Err()
	case errors.As(err, &away):
		return nil, &Stop{Why: Moved, Text: away.Error()}
	case err != nil:
		return nil, err
	case broken != nil:
		return nil, &Stop{Why: Broken, Text: "the list of groups: " + broken.Error()}
	case !taken && isResting(&res):
		return nil, r.resting(&res)
	case !taken && res.Outcome == check.Gone:
		return nil, &Stop{Why: Vanished, Text: words(&res)}
	case !taken:
		return nil, cmp.Or(rootStop(&res), error(&Stop{Why: NotThis, Text: words(&res)}))
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// groupOf takes the URI of a group apart.
func groupOf(address string) (server, group string) {
	scheme, rest, _ := strings.Cut(address, "://")
	host, group, _ := strings.Cut(rest, "/")
	return scheme + "://" + host + "/", group
}
