package manual

import (
	"strings"

	"linkcheck/check"
	"linkcheck/report/words"
)

// Meanings gives codes with their meanings and the sentences that reports have for them
// under a prefix; a family of numbers, http-NNN, is followed by those that have one of their own.
func Meanings(list []check.Meaning, prefix string, catalogue *words.Catalogue) []Entry {
	var entries []Entry
	add := func(code, key string, says ...string) {
		if text := catalogue.Text(key); text != "" {
			says = append(says, "The report says: "+text)
		}
		entries = append(entries, Entry{code, says})
	}
	for _, m := range list {
		add(m.Code, prefix+m.Code, m.Says)
		family, numbers := strings.CutSuffix(m.Code, "NNN")
		if !numbers {
			continue
		}
		for _, key := range catalogue.Keys() {
			number, member := strings.CutPrefix(key, prefix+family)
			if member && strings.Trim(number, "0123456789") == "" {
				add(family+number, key)
			}
		}
	}
	return entries
}
