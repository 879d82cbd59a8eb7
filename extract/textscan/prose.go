package textscan

import (
	"bytes"

	"linkcheck/internal/ascii"
)

// HowProse marks what a sentence says, "anonymous ftp to HOST in /dir": the least
// certain way to find a reference.
const HowProse = "prose"

const (
	proseWindow = 300 // bytes in which host and path must stand
	proseHost   = 6   // words from "ftp" to the host
	prosePath   = 9   // words from the host to the path
)

const (
	anonymous = "nonymous " // in any case of its first letter
	rarer     = "ymous "    // its end, whose first letter is seldom met
)

// proseFrom finds the next "anonymous ftp".
func proseFrom(text []byte, pos, limit int) int {
	from := pos
	for pos < limit {
		pos = min(limit, indexFrom(text, pos, limit, rarer)+len(rarer))
		if pos-from < len(anonymous) || string(text[pos-len(anonymous):pos]) != anonymous {
			continue
		}
		if pos+3 <= len(text) && ascii.Lower(text[pos:pos+3]) == "ftp" {
			return pos
		}
	}
	return limit
}

// proseHit looks for a host and an absolute path in the sentence behind "ftp".
func (s *scanner) proseHit(start int) (hit, bool) {
	text := s.text
	end := min(len(text), start+proseWindow)
	for _, blankLine := range []string{"\n\n", "\n\r\n"} {
		if i := bytes.Index(text[start:end], []byte(blankLine)); i >= 0 {
			end = start + i
		}
	}
	if !s.tried(end - start) {
		return hit{}, false
	}
	words := fields(text, span{start + 3, end}, proseHost+prosePath)
	for n, w := range words[:min(len(words), proseHost)] {
		host := bare(text, w)
		if !ftpHost(text[host.start:host.end]) {
			if endsSentence(text, w) {
				break
			}
			continue
		}
		return prosePathHit(text, host, words[n+1:], endsSentence(text, w))
	}
	return hit{}, false
}

// prosePathHit looks for the path among the words behind the host.
func prosePathHit(text []byte, host span, words []span, ended bool) (hit, bool) {
	for _, w := range words[:min(len(words), prosePath)] {
		if p := bare(text, w); !ended && p.end-p.start > 2 && text[p.start] == '/' && ascii.Alnum(text[p.start+1]) {
			u := "ftp://" + string(text[host.start:host.end]) + string(text[p.start:p.end])
			return hit{start: host.start, end: p.end, uri: u, how: HowProse}, true
		}
		if ended = ended || endsSentence(text, w); ended {
			break
		}
	}
	return hit{}, false
}

// bare is a word without the quotes, brackets and punctuation around it.
func bare(text []byte, w span) span {
	w.start = w.end - len(bytes.TrimLeft(text[w.start:w.end], "\"'`(<["))
	w.end = w.start + len(bytes.TrimRight(text[w.start:w.end], "\"'`)>],.;:"))
	return w
}

// endsSentence says whether the word ends in punctuation.
func endsSentence(text []byte, w span) bool {
	return bytes.IndexByte([]byte(".;:!?"), text[w.end-1]) >= 0
}
