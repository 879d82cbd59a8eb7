package netflags

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"linkcheck/check/web"
	"linkcheck/internal/openfile"
	"linkcheck/internal/walls"
	"linkcheck/uri/proxied"
)

// readLists reads the files that add to what is known of pages.
func (n *Flags) readLists(ctx context.Context, o *web.Options) (err error) {
	if n.wallRules != "" {
		if o.Walls, err = readTOML(ctx, n.wallRules, walls.ReadLists); err != nil {
			return fmt.Errorf("--wall-rules: %w", err)
		}
	}
	if n.accessRules != "" {
		if o.Access, err = readTOML(ctx, n.accessRules, walls.ReadAccess); err != nil {
			return fmt.Errorf("--access-rules: %w", err)
		}
	}
	for _, list := range []struct {
		flag, file string
		to         *[]string
	}{{"persistent-hosts", n.persistentHosts, &o.PersistentHosts}, {"parked-hosts", n.parkedHosts, &o.Walls.Parked.Hosts}, {"parked-markers", n.parkedMarkers, &o.Walls.Parked.Texts}} {
		if list.file == "" {
			continue
		}
		lines, err := openfile.Lines(ctx, list.file, func(line string) string {
			line, _, _ = strings.Cut(line, "#") // a comment
			return strings.ToLower(strings.TrimSpace(line))
		})
		if err != nil {
			return fmt.Errorf("--%s: %w", list.flag, err)
		}
		*list.to = append(*list.to, lines...)
	}
	return nil
}

// readTOML reads a file of rules.
func readTOML[T any](ctx context.Context, file string, read func(text string) (T, error)) (rules T, err error) {
	text, err := openfile.ReadAll(ctx, file)
	if err != nil {
		return rules, err
	}
	if rules, err = read(string(text)); err != nil {
		return rules, fmt.Errorf("%s: %w", file, err)
	}
	return rules, nil
}

// proxies are the rules of the library's proxies: nil if no flag was given, so that a store
// keeps its own. An empty prefix or rule says that there are none.
func (n *Flags) proxies() (rules proxied.Rules, err error) {
	for _, list := range []struct {
		flag  string
		texts []string
		parse func(string) (proxied.Rule, error)
	}{{"proxy-prefix", n.proxyPrefixes, proxied.Prefix}, {"proxy-rule", n.proxyRules, proxied.ParseRule}} {
		for _, text := range list.texts {
			if rules = slices.Grow(rules, 1); text == "" {
				continue
			}
			rule, err := list.parse(text)
			if err != nil {
				return nil, fmt.Errorf("--%s: %w", list.flag, err)
			}
			rules = append(rules, rule)
		}
	}
	return rules, nil
}
