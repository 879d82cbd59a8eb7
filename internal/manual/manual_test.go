package manual

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"linkcheck/check"
	"linkcheck/report/words"
)

// TestWrite writes the reference of a small program.
func TestWrite(t *testing.T) {
	root := &cobra.Command{Use: "tool", Short: "Does *it*", Run: func(*cobra.Command, []string) {}}
	verb := &cobra.Command{Use: "make FILE", Short: "Make a <file>", Long: "With --all it makes [[all]], with --some nothing.\n\n  kept  as it stands", Example: "  tool make a\n  tool make b", Run: root.Run}
	verb.Flags().StringP("all", "a", "x", "take this `WORD` for_all")
	verb.Flags().Bool("secret", false, "hidden")
	if err := verb.Flags().MarkHidden("secret"); err != nil {
		t.Fatal(err)
	}
	root.AddCommand(verb)
	dir := t.TempDir()
	if err := Write(dir, root, []List{{"codes.md", "Codes", "What they are.", []Entry{{"whois++", []string{"asks"}}}}}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]string{
		"tool-make.md": {"# tool make\n\nMake a \\<file\\>.\n", "With [`--all`](#all) it makes \\[\\[all\\]\\], with `--some` nothing.\n\n```\n  kept  as it stands\n```\n",
			"### `-a, --all WORD` {#all}\n\ntake this WORD for\\_all\n\nDefault: x\n", "## Examples\n\n```\ntool make a\ntool make b\n```\n", "[tool](tool.md#its-flags)"},
		"tool.md":      {"Does \\*it\\*.", "- [tool make](tool-make.md)"},
		"flags.md":     {"- `--all`: [make](tool-make.md#all)\n"},
		"codes.md":     {"# Codes\n\nWhat they are.\n\n## `whois++` {#whois-plus-plus}\n\nasks\n"},
		"reference.md": {"- [Codes](codes.md): 1\n", "[Flags](flags.md)"},
	} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Error(err)
		}
		for _, part := range want {
			if !strings.Contains(string(text), part) {
				t.Errorf("%s lacks %q:\n%s", name, part, text)
			}
		}
		if strings.Contains(string(text), "secret") {
			t.Errorf("%s tells of a hidden flag", name)
		}
	}
}

// TestMeanings: each code once, with the sentence of the report; the numbers of a family
// that have one of their own stand behind it.
func TestMeanings(t *testing.T) {
	catalogue, err := words.Open("en")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]string{}
	for _, e := range Meanings(check.Reasons(), "what.", catalogue) {
		if _, twice := seen[e.Code]; twice || len(e.Says) == 0 {
			t.Errorf("%s: twice, or without a word", e.Code)
		}
		seen[e.Code] = strings.Join(e.Says, "\n")
	}
	for code, want := range map[string]string{"http-404": "The report says: ", "login-page": "a login page stands before the page\nThe report says: ", "http-NNN": "the web server answered with this status"} {
		if !strings.HasPrefix(seen[code], want) {
			t.Errorf("%s: %q, want %q", code, seen[code], want)
		}
	}
}
