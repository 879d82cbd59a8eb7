package main

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"linkcheck/internal/lab"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"linkcheck": func() {
		os.Exit(run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}})
}

// TestScripts runs the whole program over the lab: each script is a user's story.
func TestScripts(t *testing.T) {
	world, err := lab.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := world.Close(); err != nil {
			t.Error(err)
		}
	})
	scripts, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil || len(scripts) < 5 {
		t.Fatalf("scripts: %d found, %v", len(scripts), err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			conf := filepath.Join(e.WorkDir, "lab.toml")
			e.Setenv("LINKCHECK_CONFIG", conf)
			return os.WriteFile(conf, []byte(labConfig(world.ConnectTo())), 0o644)
		},
	})
}
