package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"
)

// setWords gives a flag what the environment says: a list may have one item a line.
func setWords(f *pflag.Flag, v string) error {
	if many, ok := f.Value.(pflag.SliceValue); ok && strings.Contains(v, "\n") {
		return many.Replace(strings.Split(strings.Trim(v, "\n"), "\n"))
	}
	return plainly(f.Value.Set(v), v)
}

// setFlag gives a TOML value to a flag; a list is for a repeatable flag alone.
func setFlag(f *pflag.Flag, v any) error {
	list, isList := v.([]any)
	if !isList {
		word, err := word(v)
		if err != nil {
			return err
		}
		return plainly(f.Value.Set(word), word)
	}
	var words []string
	for _, item := range list {
		word, err := word(item)
		if err != nil {
			return err
		}
		words = append(words, word)
	}
	if many, ok := f.Value.(pflag.SliceValue); ok {
		return many.Replace(words)
	}
	switch len(words) {
	case 0:
		return nil
	case 1: // the same key is a list to another verb
		return plainly(f.Value.Set(words[0]), words[0])
	}
	return errors.New("one value is wanted, not a list")
}

// plainly says in words what is wrong with the value of a flag.
func plainly(err error, v string) error {
	switch {
	case err == nil:
		return nil
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

// word writes a TOML value as one would on the command line.
func word(v any) (string, error) {
	switch v := v.(type) {
	case time.Time:
		if v.Hour() == 0 && v.Minute() == 0 && v.Second() == 0 {
			return v.Format(time.DateOnly), nil
		}
		return v.Format(time.RFC3339), nil
	case string, bool, int64, float64:
		return fmt.Sprint(v), nil
	}
	return "", errors.New("one value is wanted, not a table")
}

// durationFlag is a time such as 90m, 4h or 30d; zero is none.
type durationFlag time.Duration

const oneDay = 24 * time.Hour

func (d *durationFlag) String() string {
	if v := time.Duration(*d); v >= oneDay && v%oneDay == 0 {
		return fmt.Sprintf("%dd", v/oneDay)
	}
	return time.Duration(*d).String()
}

func (d *durationFlag) Type() string { return "duration" }

func (d *durationFlag) Set(s string) error {
	if days, ok := strings.CutSuffix(s, "d"); ok {
		if n, err := strconv.ParseUint(days, 10, 16); err == nil {
			*d = durationFlag(time.Duration(n) * oneDay)
			return nil
		}
	}
	v, err := time.ParseDuration(s)
	if err != nil {
		return fmt.Errorf("%q is no time such as 90m, 4h or 30d", s)
	}
	*d = durationFlag(v)
	return nil
}
