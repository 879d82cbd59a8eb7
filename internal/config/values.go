package config

import (
	"errors"
	"fmt"
	"regexp/syntax"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Texts writes a TOML value, or the items of a list, as one would on the command line.
func Texts(v any) (words []string, isList bool, err error) {
	list, isList := v.([]any)
	if !isList {
		list = []any{v}
	}
	for _, item := range list {
		word, err := text(item)
		if err != nil {
			return nil, isList, err
		}
		words = append(words, word)
	}
	return words, isList, nil
}

// OneLine reads a text of one line that is not empty.
func OneLine(v any, to *string) error {
	s, ok := v.(string)
	switch {
	case !ok:
		return errors.New("a text in quotes is wanted")
	case strings.TrimSpace(s) == "" || strings.ContainsFunc(s, unicode.IsControl):
		return errors.New("one line is wanted that is not empty")
	}
	*to = s
	return nil
}

// Lines reads one such text, or a list of them, behind those that are there.
func Lines(v any, to *[]string) error {
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	for _, item := range list {
		var s string
		if err := OneLine(item, &s); err != nil {
			return err
		}
		*to = append(*to, s)
	}
	return nil
}

func text(v any) (string, error) {
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

// The bounds of a value in a file of the current folder: octets of a text, texts in a
// list, instructions of regular expressions. Matching takes up to a step for each
// instruction and octet.
const (
	maxText         = 1000
	maxTexts        = 100
	maxInstructions = 2000
)

// PlainTexts wants few and short texts that a terminal only shows.
func PlainTexts(texts []string) error {
	if len(texts) > maxTexts {
		return fmt.Errorf("%d values, where at most %d may stand", len(texts), maxTexts)
	}
	for _, s := range texts {
		if len(s) > maxText || !utf8.ValidString(s) || strings.ContainsFunc(s, active) {
			return fmt.Errorf("%.100q is longer than %d octets, or holds control characters", s, maxText)
		}
	}
	return nil
}

// active reports characters that a terminal obeys: controls, ends of lines, and those
// that turn the direction of text.
func active(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || unicode.In(r, unicode.Zl, unicode.Zp)
}

// SmallExpressions wants plain texts that are regular expressions and quickly matched.
func SmallExpressions(texts []string) error {
	if err := PlainTexts(texts); err != nil {
		return err
	}
	instructions := 0
	for _, s := range texts {
		re, err := syntax.Parse(s, syntax.Perl)
		if err != nil {
			return err
		}
		program, err := syntax.Compile(re.Simplify())
		if err != nil {
			return err
		}
		if instructions += len(program.Inst); instructions > maxInstructions {
			return errors.New("together these expressions are too large to be matched quickly")
		}
	}
	return nil
}
