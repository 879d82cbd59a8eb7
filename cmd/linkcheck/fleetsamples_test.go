package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"linkcheck/internal/config"
)

// samples is where samples for fleets stand.
var samples = filepath.Join("..", "..", "packaging", "fleet")

// lineOf wants a command line of a sample to be one of this program: a verb with flags that it has,
// each with a value that it takes.
func lineOf(t *testing.T, where string, args []string) {
	t.Helper()
	root := newRoot(&app{})
	cmd, rest, err := root.Find(args)
	if err == nil {
		err = cmd.ParseFlags(rest)
	}
	if err == nil && cmd.Args != nil {
		err = cmd.Args(cmd, cmd.Flags().Args())
	}
	if err != nil || !cmd.Runnable() || cmd == root {
		t.Errorf("%s: linkcheck %s: %v", where, strings.Join(args, " "), err)
	}
	for _, name := range []string{"engine", "creds", "tls-ca"} {
		if f := cmd.Flag(name); f == nil || !f.Changed {
			t.Errorf("%s: linkcheck %s: no --%s", where, strings.Join(args, " "), name)
		}
	}
}

// documents reads those of a sample of YAML; the same key twice is an error.
func documents(t *testing.T, name string) (all []map[string]any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(samples, name))
	if err != nil {
		t.Fatal(err)
	}
	for d := yaml.NewDecoder(bytes.NewReader(text)); ; {
		var doc map[string]any
		if err := d.Decode(&doc); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all = append(all, doc)
	}
}

// at gives what stands at a path in a document; nil: nothing does. A number is a place in a list.
func at(doc any, path string) any {
	for step := range strings.SplitSeq(path, ".") {
		switch v := doc.(type) {
		case map[string]any:
			doc = v[step]
		case []any:
			if len(v) == 0 {
				return nil
			}
			doc = v[0]
		default:
			return nil
		}
	}
	return doc
}

func texts(v any) (list []string) {
	all, _ := v.([]any)
	for _, s := range all {
		text, _ := s.(string)
		list = append(list, text)
	}
	return list
}

// Services have an image, a command that is one of ours, and volumes that are made or are paths.
func TestFleetCompose(t *testing.T) {
	docs := documents(t, "compose.yaml")
	if len(docs) != 1 {
		t.Fatalf("%d documents", len(docs))
	}
	services, _ := docs[0]["services"].(map[string]any)
	volumes, _ := docs[0]["volumes"].(map[string]any)
	ours := 0
	for name, s := range services {
		image, _ := at(s, "image").(string)
		command := texts(at(s, "command"))
		if image == "" || len(command) == 0 {
			t.Errorf("%s: no image or no command", name)
		}
		if image == "linkcheck" {
			ours++
			lineOf(t, name, command)
		}
		for _, v := range texts(at(s, "volumes")) {
			from, _, _ := strings.Cut(v, ":")
			if _, made := volumes[from]; !made && !strings.HasPrefix(from, ".") && !strings.HasPrefix(from, "/") {
				t.Errorf("%s: there is no volume %q", name, from)
			}
		}
		for key := range s.(map[string]any) {
			if !slices.Contains([]string{"image", "command", "env_file", "volumes", "environment", "restart", "profiles", "deploy", "stop_grace_period"}, key) {
				t.Errorf("%s: %q is no key that is looked at", name, key)
			}
		}
	}
	if ours != 3 || at(services["worker"], "stop_grace_period") != "90s" {
		t.Errorf("%d services of ours, and a worker has %v to end in", ours, at(services["worker"], "stop_grace_period"))
	}
}

// Each kind of object has the fields that its API wants, and what is mounted is there.
func TestFleetKubernetes(t *testing.T) {
	wanted := map[string][]string{
		"v1 ConfigMap":       {"metadata.name", "data"},
		"apps/v1 Deployment": {"metadata.name", "spec.replicas", "spec.selector.matchLabels.app", "spec.template.metadata.labels.app", "spec.template.spec.containers.0.name", "spec.template.spec.containers.0.image"},
		"batch/v1 CronJob":   {"metadata.name", "spec.schedule", "spec.jobTemplate.spec.template.spec.restartPolicy", "spec.jobTemplate.spec.template.spec.containers.0.name", "spec.jobTemplate.spec.template.spec.containers.0.image"},
	}
	docs := documents(t, "kubernetes.yaml")
	for _, doc := range docs {
		kind := doc["apiVersion"].(string) + " " + doc["kind"].(string)
		fields, known := wanted[kind]
		delete(wanted, kind)
		if !known {
			t.Errorf("%s: unknown, or there twice", kind)
		}
		for _, path := range fields {
			if at(doc, path) == nil {
				t.Errorf("%s: no %s", kind, path)
			}
		}
		pod := at(doc, "spec.template.spec")
		if pod == nil {
			pod = at(doc, "spec.jobTemplate.spec.template.spec")
		}
		if pod == nil {
			continue
		}
		container := at(pod, "containers.0")
		lineOf(t, kind, texts(at(container, "args")))
		names := map[any]bool{}
		for _, v := range at(pod, "volumes").([]any) {
			names[at(v, "name")] = true
		}
		for _, m := range at(container, "volumeMounts").([]any) {
			if !names[at(m, "name")] || at(m, "mountPath") == nil {
				t.Errorf("%s: %v is mounted, and no volume", kind, m)
			}
			delete(names, at(m, "name"))
		}
		if len(names) > 0 {
			t.Errorf("%s: volumes that are not mounted: %v", kind, names)
		}
	}
	if len(wanted) > 0 {
		t.Errorf("missing: %v", wanted)
	}
	worker := docs[1]
	if at(worker, "spec.selector.matchLabels.app") != at(worker, "spec.template.metadata.labels.app") || at(worker, "spec.template.spec.terminationGracePeriodSeconds") != 90 {
		t.Errorf("%v", worker)
	}
}

// Units are such that systemd finds no fault with them, where it is here, and run lines of ours.
func TestFleetUnits(t *testing.T) {
	for _, name := range []string{"linkcheck-worker.service", "linkcheck-engine.service"} {
		text, err := os.ReadFile(filepath.Join(samples, name))
		if err != nil {
			t.Fatal(err)
		}
		_, line, ok := strings.Cut(string(text), "\nExecStart=/usr/bin/")
		line, _, _ = strings.Cut(line, "\n")
		if args := strings.Fields(line); !ok || len(args) == 0 {
			t.Errorf("%s: %q", name, line)
		} else if args[0] == "linkcheck" {
			lineOf(t, name, args[1:])
			if !strings.Contains(string(text), "\nTimeoutStopSec=90\n") {
				t.Errorf("%s: no time to end in", name)
			}
		}
		verify, err := exec.LookPath("systemd-analyze")
		if err != nil {
			continue
		}
		here := filepath.Join(t.TempDir(), name)
		exe, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		there := strings.Replace(string(text), "ExecStart=/usr/bin/"+strings.Fields(line)[0], "ExecStart="+exe, 1)
		if err := os.WriteFile(here, []byte(there), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.CommandContext(t.Context(), verify, "verify", "--man=no", here).CombinedOutput(); err != nil || strings.Contains(string(out), name) {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}

// The configuration of workers has keys that there are, and so has what Kubernetes is given.
func TestFleetConfig(t *testing.T) {
	for _, text := range []string{filepath.Join(samples, "fleet.toml"), inKubernetes(t)} {
		f, err := config.Read(t.Context(), text, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := checkKeys(newRoot(&app{}), f); err != nil {
			t.Error(err)
		}
	}
}

func inKubernetes(t *testing.T) string {
	t.Helper()
	data, _ := documents(t, "kubernetes.yaml")[0]["data"].(map[string]any)
	path := filepath.Join(t.TempDir(), "fleet.toml")
	if err := os.WriteFile(path, []byte(data["fleet.toml"].(string)), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
