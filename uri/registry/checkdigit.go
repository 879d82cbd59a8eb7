package registry

import (
	"strings"

	"linkcheck/uri/internal/chars"
)

// checkResult says whether the check character of a value is right. A wrong one makes a
// warning. Of the keys only that of level heuristic depends on it, by ISBN13.
type checkResult struct {
	Valid bool   // the value has the form of its identifier and ends in Check
	Check string // the character that is right; "" where the value has another form
}

// compact drops hyphens and blanks and writes letters large, for the check character x.
func compact(s string) string {
	return strings.ToUpper(strings.NewReplacer("-", "", " ", "").Replace(s))
}

// weighted checks the last of n characters by modulo 11: of an ISSN (n 8, weights 8 to
// 2) or an ISBN-10 (n 10, weights 10 to 2); X is 10 (INFO-REGISTRY).
func weighted(value string, n int) checkResult {
	s := compact(value)
	if len(s) != n || !chars.AllIn(s[:n-1], chars.Digit) {
		return checkResult{}
	}
	sum := 0
	for i := 0; i < n-1; i++ {
		sum += int(s[i]-'0') * (n - i)
	}
	c := "0123456789X"[(11-sum%11)%11]
	return checkResult{Valid: s[n-1] == c, Check: string(c)}
}

// isbn13 checks the last digit of an ISBN of 13 digits, which begins with 978 or 979.
func isbn13(value string) checkResult {
	s := compact(value)
	if len(s) != 13 || !chars.AllIn(s, chars.Digit) || s[:3] != "978" && s[:3] != "979" {
		return checkResult{}
	}
	c := ean(s[:12])
	return checkResult{Valid: s[12] == c, Check: string(c)}
}

// ean gives the check digit of an EAN, as which an ISBN-13 is written: modulo 10, with
// weights 1 and 3 in turn.
func ean(s string) byte {
	sum := 0
	for i := range len(s) {
		sum += int(s[i]-'0') * (1 + 2*(i&1))
	}
	return '0' + byte((10-sum%10)%10)
}

// ISBN13 gives a valid ISBN of either length as 13 digits without hyphens; "" if value is
// no valid ISBN.
func ISBN13(value string) string {
	s := compact(value)
	if weighted(s, 10).Valid {
		s = "978" + s[:9]
		return s + string(ean(s))
	}
	if isbn13(s).Valid {
		return s
	}
	return ""
}

// sici checks the last character of a SICI, which follows the last hyphen, by the
// modulo 37 of ANSI/NISO Z39.56. Digits are 0 to 9, letters 10 to 35, all else 36, and
// the check character 36 is written '#'. Counted from that hyphen to the left, the 1st,
// 3rd, 5th ... count three times.
func sici(value string) checkResult {
	i := strings.LastIndexByte(value, '-')
	if i < 0 || i != len(value)-2 {
		return checkResult{}
	}
	const values = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ#"
	s := strings.ToUpper(value[:i+1])
	sum := 0
	for k := range len(s) {
		v := strings.IndexByte(values, s[len(s)-1-k])
		if v < 0 {
			v = 36
		}
		sum += v * (3 - 2*(k&1))
	}
	c := values[(37-sum%37)%37]
	return checkResult{Valid: strings.ToUpper(value[i+1:]) == string(c), Check: string(c)}
}

// pii checks the ISSN (after S) or ISBN (after B) inside a Publisher Item Identifier.
// The rule for the last character of the PII itself is not published.
func pii(value string) checkResult {
	s := strings.NewReplacer("-", "", "(", "", ")", "", "/", "", " ", "").Replace(strings.ToUpper(value))
	if len(s) != 17 {
		return checkResult{}
	}
	switch s[0] {
	case 'S':
		return weighted(s[1:9], 8)
	case 'B':
		return weighted(s[1:11], 10)
	}
	return checkResult{}
}
