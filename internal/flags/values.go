package flags

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"linkcheck/internal/config"
	"linkcheck/uri/secret"
)

// Fits says whether a value is of the kind that a flag wants: a truth, a number, a list, or
// a text, which may be written as a number or date.
func Fits(f *pflag.Flag, v any) bool {
	words, isList, err := config.Texts(v)
	if _, repeatable := f.Value.(pflag.SliceValue); err != nil || isList && len(words) > 1 && !repeatable {
		return false
	}
	list, _ := v.([]any)
	if !isList {
		list = []any{v}
	}
	for _, item := range list {
		_, truth := item.(bool)
		_, text := item.(string)
		switch f.Value.Type() {
		case "bool":
			if !truth {
				return false
			}
		case "int", "int64", "float64":
			if truth || text {
				return false
			}
		default:
			if truth {
				return false
			}
		}
	}
	return true
}

// Typed is a value of the environment, where all are texts, as it would stand in a file.
func Typed(v string) any {
	if v == "true" || v == "false" {
		return v == "true"
	}
	if n, err := strconv.ParseInt(v, 10, 64); err == nil {
		return n
	}
	if lines := strings.Split(strings.Trim(v, "\n"), "\n"); len(lines) > 1 {
		list := make([]any, len(lines))
		for i, line := range lines {
			list[i] = line
		}
		return list
	}
	return v
}

// FromEnvironment gives a flag what the environment says: a list may have one item a line.
func FromEnvironment(f *pflag.Flag, v string) error {
	if many, ok := f.Value.(pflag.SliceValue); ok && strings.Contains(v, "\n") {
		return many.Replace(strings.Split(strings.Trim(v, "\n"), "\n"))
	}
	return ValueError(f.Value.Set(v), v)
}

// FromFile gives a TOML value to a flag; a list is for a repeatable flag alone.
func FromFile(f *pflag.Flag, v any) error {
	words, isList, err := config.Texts(v)
	if err != nil {
		return err
	}
	many, repeatable := f.Value.(pflag.SliceValue)
	switch {
	case isList && repeatable:
		return many.Replace(words)
	case len(words) == 0:
		return nil
	case len(words) == 1: // a list of one, where the same key is a list to another verb
		return ValueError(f.Value.Set(words[0]), words[0])
	}
	return errors.New("one value is wanted, not a list")
}

// ValueError says in words what is wrong with the value v of a flag: the errors of pflag
// name functions of strconv.
func ValueError(err error, v string) error {
	switch {
	case err == nil:
		return nil
	case secret.Mask(v) != v: // err may repeat a part of it
		return fmt.Errorf("%.200q cannot be", secret.Mask(v))
	case strings.Contains(err.Error(), "ParseInt"), strings.Contains(err.Error(), "ParseUint"):
		return fmt.Errorf("%.200q is no whole number", v)
	case strings.Contains(err.Error(), "ParseFloat"):
		return fmt.Errorf("%.200q is no number", v)
	case strings.Contains(err.Error(), "ParseBool"):
		return fmt.Errorf("%.200q is neither true nor false", v)
	case strings.Contains(err.Error(), "time: "):
		return fmt.Errorf("%.200q is no time such as 500ms, 20s or 5m", v)
	}
	return err
}
