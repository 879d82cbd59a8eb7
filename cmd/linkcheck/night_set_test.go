package main

import (
	"bytes"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"linkcheck/internal/lab"
	"linkcheck/store"
	"linkcheck/testdata/corpus"
)

// TestNightsInASet: the nights of the demo leave in a set of 16 files what they leave in one.
func TestNightsInASet(t *testing.T) {
	t.Parallel()
	docs := filepath.Join(t.TempDir(), "documents")
	if err := corpus.WriteDemo(docs); err != nil {
		t.Fatal(err)
	}
	one, set := demoCanon(t, docs, 0), demoCanon(t, docs, 16)
	have := strings.Split(set, "\n")
	for i, line := range strings.Split(one, "\n") {
		if i >= len(have) || have[i] != line {
			t.Errorf("line %d of a set is\n%.2000s\nof one file\n%.2000s", i+1, strings.Join(have[min(i, len(have)):min(i+1, len(have))], ""), line)
		}
	}
	if len(have) < 100 {
		t.Errorf("%d lines", len(have))
	}
}

// demoCanon lives through the nights of the demo and says what the store then knows.
func demoCanon(t *testing.T, docs string, shards int) string {
	t.Helper()
	servers, err := lab.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { servers.Close() })
	begin, err := time.Parse(time.RFC3339, demoBegin)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "demo.db")
	open := func() *store.Store {
		st, err := store.Open(file, &store.Options{Shards: shards})
		if err != nil {
			t.Fatal(err)
		}
		return st
	}
	if err := open().Close(); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	d := &demo{app: &app{log: logTo(io.Discard), stdout: &out, stderr: &out, getenv: func(string) string { return "" }}, servers: servers, docs: docs, store: file, begin: begin, still: true}
	for night := range 8 {
		if err := d.runNight(t.Context(), night); err != nil {
			t.Fatal(err)
		}
	}
	st := open()
	defer st.Close()
	var canon bytes.Buffer
	if err := st.Canon(t.Context(), &canon); err != nil {
		t.Fatal(err)
	}
	return canon.String()
}
