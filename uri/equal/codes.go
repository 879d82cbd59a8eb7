package equal

import (
	"slices"
	"strings"

	"linkcheck/uri"
	"linkcheck/uri/registry"
)

// section is the code of a step and the section of the document that allows it.
type section struct{ code, document string }

// sections lists the steps that a document allows, in the order of the levels.
var sections = listSections()

func listSections() []section {
	list := []section{
		{"identical", "-"},
		{"wrapper-url", "rfc1738bis section 2.1"},
		{"wrapper-angle", "RFC 3986 appendix C"},
		{"wrapper-udi", "UDI (1991) References"},
		{"line-break-joined", "RFC 3986 appendix C"},
		{"ocr-blank-joined", practice},
		{"wrapper-quote", "RFC 3986 appendix C"},
		{"markdown-escape", practice},
		{"trailing-punctuation", "RFC 3986 appendix C"},
		{"trailing-period", "RFC 3986 appendix C"},
	}
	for _, s := range uri.Steps() {
		list = append(list, section{s.Code, s.Section})
	}
	for _, code := range registry.RuleCodes() {
		list = append(list, section{code, recordOf(code)})
	}
	for _, r := range rules[Protocol] {
		list = append(list, section{r.code, r.section})
	}
	return list
}

// recordOf names the record of the info registry that allows a step: the code
// begins with the namespace.
func recordOf(code string) string {
	namespace, _, _ := strings.Cut(code, "-")
	return "reg:" + namespace
}

// rank orders codes as sections has them; the others come last.
func rank(code string) int {
	if i := slices.IndexFunc(sections, func(s section) bool { return s.code == code }); i >= 0 {
		return i
	}
	return len(sections)
}

// sortCodes sorts codes by rank, in place.
func sortCodes(codes []string) []string {
	slices.SortStableFunc(codes, func(a, b string) int { return rank(a) - rank(b) })
	return codes
}

// sectionOf names the document that allows a step; "practice" is none.
func sectionOf(code string, level Level) string {
	if i := rank(code); i < len(sections) {
		return sections[i].document
	}
	if level == Registry && strings.Contains(code, "-") {
		return recordOf(code)
	}
	return practice
}
