package builds

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/url"
	"slices"

	"linkcheck/report"
	"linkcheck/uri"
)

// sarifSchema is where OASIS keeps the schema of SARIF 2.1.0.
const sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

// program is where the program can be read about.
const program = "linkcheck"

type sarifText struct {
	Text string `json:"text"`
}

type sarifRule struct {
	ID               string    `json:"id"`
	ShortDescription sarifText `json:"shortDescription"`
}

// sarifResult is a finding: SARIF 2.1.0 section 3.27.
type sarifResult struct {
	RuleID       string            `json:"ruleId"`
	Level        string            `json:"level"`
	Message      sarifText         `json:"message"`
	Locations    []sarifLocation   `json:"locations"`
	Fingerprints map[string]string `json:"partialFingerprints"`
}

type sarifLocation struct {
	Physical sarifPhysical  `json:"physicalLocation"`
	Logical  []sarifLogical `json:"logicalLocations,omitempty"`
}

type sarifPhysical struct {
	Artifact struct {
		URI string `json:"uri"`
	} `json:"artifactLocation"`
	Region *sarifRegion `json:"region,omitempty"`
}

// sarifRegion is a line: columns there count characters, ours octets, so it has none.
type sarifRegion struct {
	StartLine int `json:"startLine"`
}

type sarifLogical struct {
	Name string `json:"fullyQualifiedName"`
}

// levels are the words of SARIF for groups, section 3.27.10.
var levels = map[report.Group]string{report.Fix: "error", report.Update: "warning", report.Check: "note"}

// WriteSARIF streams a log of SARIF 2.1.0 with one result for every finding.
func WriteSARIF(ctx context.Context, w io.Writer, src report.Source, o report.Options) error {
	s, err := report.NewScope(ctx, src, o)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	out.WriteString(`{"$schema":"` + sarifSchema + `","version":"2.1.0","runs":[{"results":[`)
	rules, before := map[string]string{}, "\n"
	err = eachFinding(ctx, s, findings, func(f *finding) error {
		if _, ok := rules[f.rule()]; !ok {
			rules[f.rule()] = ruleText(s, f)
		}
		r := sarifResult{RuleID: f.rule(), Level: levels[f.Group], Message: sarifText{f.text()}, Locations: make([]sarifLocation, 1),
			Fingerprints: map[string]string{"linkcheck/v1": f.fingerprint}}
		at := &r.Locations[0]
		at.Physical.Artifact.URI = reference(f.path)
		if f.line > 0 {
			at.Physical.Region = &sarifRegion{f.line}
		}
		if f.place != "" {
			at.Logical = []sarifLogical{{f.place}}
		}
		out.WriteString(before)
		before = ",\n"
		return appendJSON(out, r)
	})
	if err != nil {
		return err
	}
	out.WriteString("\n],\"tool\":{\"driver\":")
	driver := struct {
		Name    string      `json:"name"`
		Version string      `json:"version,omitempty"`
		Rules   []sarifRule `json:"rules"`
	}{program, s.Sanitize(s.Version), []sarifRule{}}
	for _, id := range slices.Sorted(maps.Keys(rules)) {
		driver.Rules = append(driver.Rules, sarifRule{id, sarifText{rules[id]}})
	}
	if err := appendJSON(out, driver); err != nil {
		return err
	}
	out.WriteString("}}]}\n")
	return out.Flush()
}

// ruleText says what a rule is about, without the names of one link.
func ruleText(s *report.Scope, f *finding) string {
	text := s.Words.Get("state." + f.Standing.String())
	if f.rule() != f.Standing.String() {
		text += " (" + f.rule() + ")"
	}
	return text
}

// reference is a path as a URI reference (RFC 3986 section 4.1): a colon in its first part
// would end a scheme.
func reference(path string) string {
	if uri.Clickable(path) {
		return path
	}
	return (&url.URL{Path: path}).String()
}

// appendJSON writes a value as JSON on one line.
func appendJSON(out *bufio.Writer, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = out.Write(text)
	return err
}
