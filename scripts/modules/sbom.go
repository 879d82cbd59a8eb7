package main

import (
	"debug/buildinfo"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"time"
)

// The parts of CycloneDX 1.5 that are written.
type (
	bill struct {
		Format       string       `json:"bomFormat"`
		Spec         string       `json:"specVersion"`
		Version      int          `json:"version"`
		Metadata     metadata     `json:"metadata"`
		Components   []component  `json:"components"`
		Dependencies []dependency `json:"dependencies"`
	}
	metadata struct {
		Timestamp string    `json:"timestamp,omitempty"`
		Component component `json:"component"`
	}
	component struct {
		Ref        string     `json:"bom-ref"`
		Type       string     `json:"type"`
		Name       string     `json:"name"`
		Version    string     `json:"version"`
		PURL       string     `json:"purl,omitempty"`
		Hashes     []hash     `json:"hashes,omitempty"`
		Properties []property `json:"properties,omitempty"`
	}
	hash struct {
		Alg     string `json:"alg"`
		Content string `json:"content"`
	}
	property struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	dependency struct {
		Ref string   `json:"ref"`
		On  []string `json:"dependsOn"`
	}
)

// sbom writes what the linker put into a binary of a version. The time is
// SOURCE_DATE_EPOCH, or none.
func sbom(out io.Writer, file, version string) error {
	info, err := buildinfo.ReadFile(file)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	b := bill{Format: "CycloneDX", Spec: "1.5", Version: 1}
	if epoch := os.Getenv("SOURCE_DATE_EPOCH"); epoch != "" {
		seconds, err := strconv.ParseInt(epoch, 10, 64)
		if err != nil {
			return fmt.Errorf("SOURCE_DATE_EPOCH: %w", err)
		}
		b.Metadata.Timestamp = time.Unix(seconds, 0).UTC().Format(time.RFC3339)
	}
	main := component{Ref: info.Main.Path, Type: "application", Name: info.Main.Path, Version: version}
	for _, s := range info.Settings {
		if s.Key == "GOOS" || s.Key == "GOARCH" || s.Key == "CGO_ENABLED" || s.Key == "vcs.revision" || s.Key == "vcs.time" || s.Key == "vcs.modified" {
			main.Properties = append(main.Properties, property{"build:" + s.Key, s.Value})
		}
	}
	b.Metadata.Component = main
	goVersion := strings.TrimPrefix(info.GoVersion, "go")
	b.Components = []component{{Ref: "std", Type: "library", Name: "std", Version: goVersion, PURL: "pkg:golang/std@" + goVersion}}
	on := []string{"std"}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		purl := "pkg:golang/" + m.Path + "@" + strings.ReplaceAll(m.Version, "+", "%2B")
		b.Components = append(b.Components, component{Ref: purl, Type: "library", Name: m.Path, Version: m.Version, PURL: purl, Hashes: sum(m)})
		on = append(on, purl)
	}
	b.Dependencies = []dependency{{main.Ref, on}}
	enc := json.NewEncoder(out)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(b)
}

// sum is the SHA-256 of go.sum in hexadecimal.
func sum(m *debug.Module) []hash {
	coded, ok := strings.CutPrefix(m.Sum, "h1:")
	octets, err := base64.StdEncoding.DecodeString(coded)
	if !ok || err != nil {
		return nil
	}
	return []hash{{"SHA-256", fmt.Sprintf("%x", octets)}}
}
