package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

const envPrefix = "LINKCHECK_"

// envName is the variable of a flag: LINKCHECK_HOST_DELAY for host-delay.
func envName(flag string) string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// tellMisspelt says which variables of the environment are nearly the name of one
// that is heard. What is like none is not meant for this program.
func (a *app) tellMisspelt(root *cobra.Command) {
	heard := map[string]bool{envName("config"): true, smtpPassword: true}
	for flag, ok := range flagsOf(root) {
		if ok {
			heard[envName(flag)] = true
		}
	}
	var names []string
	for _, name := range sortedKeys(heard) {
		names = append(names, strings.TrimPrefix(name, envPrefix))
	}
	for _, v := range a.environ {
		name, value, _ := strings.Cut(v, "=")
		word, ours := strings.CutPrefix(name, envPrefix)
		if !ours || heard[name] || value == "" {
			continue
		}
		if near := nearest(word, names); near != "" {
			fmt.Fprintf(a.stderr, "linkcheck: %s in the environment is not heard; did you mean %s?\n", name, envPrefix+near)
		}
	}
}

// nearest is the name that a word is a misspelling of; "": none. A slip in every
// third letter is a slip no more.
func nearest(word string, names []string) (best string) {
	least := len(word)/3 + 1
	for _, name := range names {
		if n := slips(word, name); n < least {
			best, least = name, n
		}
	}
	return best
}

// slips counts the slips of typing between two words: letters left out, added,
// changed, or swapped with the next (the optimal string alignment distance).
func slips(a, b string) int {
	var before []int
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		next := make([]int, len(b)+1)
		next[0] = i + 1
		for j := range len(b) {
			changed := row[j]
			if a[i] != b[j] {
				changed++
			}
			next[j+1] = min(row[j+1]+1, next[j]+1, changed)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}
