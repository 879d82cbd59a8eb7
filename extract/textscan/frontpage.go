package textscan

import (
	"bytes"
	"cmp"
	"regexp"
	"strings"

	"linkcheck/extract/dates"
)

// frontPage is what an RFC or Internet-Draft says of itself: its number or the name of the draft, its
// title, its date (RFC 7322 section 4.1); "" for what it does not say.
type frontPage struct{ id, title, date string }

// frontPageSize is how much of a document its front page may be.
const frontPageSize = 4 << 10

var (
	frontMark  = regexp.MustCompile(`(?im)^ *(?:Requests? for Comments?:|Network Working Group|Internet[- ]Draft\b|Internet Engineering Task Force)`)
	frontDate  = regexp.MustCompile(`(?m)^.*?\b((?:\d{1,2} )?(?:January|February|March|April|May|June|July|August|September|October|November|December)(?: \d{1,2},)? (?:19|20)\d\d)[ \r]*$`)
	rfcNumber  = regexp.MustCompile(`(?im)^ *(?:Requests? for Comments?|RFC)[:#]* *#? *0*([1-9]\d{0,4})\b`)
	draftName  = regexp.MustCompile(`\bdraft(?:-[a-z0-9]+){2,}\b`)
	frontEnd   = regexp.MustCompile(`(?i)^(?:Status of|Abstract|Summary|Introduction|Table of Contents|Contents|Preface|Copyright|by$|\d+\.)`)
	frontField = regexp.MustCompile(`^[A-Z][A-Za-z ]{2,20}: `)
)

// readFrontPage reads the beginning of a text; the zero value is that of all others.
func readFrontPage(head []byte) (p frontPage) {
	if !frontMark.Match(head) {
		return p
	}
	if m := frontDate.FindSubmatch(bytes.ReplaceAll(head, []byte("\t"), []byte(" "))); m != nil {
		p.date = dates.OfText(string(m[1]))
	}
	blocks := frontBlocks(string(head))
	if len(blocks) == 0 || !frontMark.MatchString(strings.Join(blocks[0][:min(len(blocks[0]), 3)], "\n")) {
		return p // it tells of one, as a diff does
	}
	if m := rfcNumber.FindStringSubmatch(strings.Join(blocks[0], "\n")); m != nil {
		p.id = "RFC " + m[1]
	}
	for _, block := range blocks {
		p.id = cmp.Or(p.id, draftName.FindString(strings.Join(block, "\n")))
	}
	p.title = frontTitle(blocks)
	return p
}

// frontBlocks are the lines of a front page up to its text, parted where blank lines stand. Where several
// stand, an empty block does.
func frontBlocks(head string) (blocks [][]string) {
	blank := 0
	for line := range strings.Lines(strings.TrimPrefix(head, "\ufeff")) {
		line = strings.TrimRight(untabbed(line), " \r\n\f")
		switch {
		case line == "":
			if blank++; blank == 2 && len(blocks) > 0 {
				blocks = append(blocks, nil)
			}
			continue
		case len(blocks) > 0 && frontEnd.MatchString(strings.TrimSpace(line)):
			return blocks
		case blank > 0 || len(blocks) == 0:
			blocks = append(blocks, nil)
		}
		blank = 0
		blocks[len(blocks)-1] = append(blocks[len(blocks)-1], line)
	}
	return blocks
}

// untabbed is a line with blanks up to each tab stop, every eighth column.
func untabbed(line string) string {
	var b strings.Builder
	for before := range strings.SplitAfterSeq(line, "\t") {
		text, tabbed := strings.CutSuffix(before, "\t")
		if b.WriteString(text); tabbed {
			b.WriteString(strings.Repeat(" ", 8-b.Len()%8))
		}
	}
	return b.String()
}

// frontTitle joins the lines in the middle behind the names and dates at both margins.
func frontTitle(blocks [][]string) string {
	var title []string
	for _, block := range blocks[min(1, len(blocks)):] {
		if len(block) == 0 || !centred(block) {
			if title != nil {
				break
			}
			continue
		}
		for _, line := range block {
			if line = strings.TrimSpace(line); draftName.MatchString(line) {
				continue // its name stands below the title
			}
			if n := len(title); n > 0 && strings.HasSuffix(title[n-1], "-") && !strings.HasSuffix(title[n-1], " -") && !strings.HasSuffix(title[n-1], "--") {
				title[n-1] += line
			} else {
				title = append(title, line)
			}
		}
	}
	return strings.Join(title, " ")
}

// frontWidth is that of a line of an RFC (RFC 7322 section 2).
const frontWidth = 72

// centred says whether each line of a block has as much room at its left as at its right, more or less.
func centred(block []string) bool {
	for _, line := range block {
		left, right := len(line)-len(strings.TrimLeft(line, " ")), max(0, frontWidth-len(line))
		switch {
		case left-right > frontWidth/6, right-left > frontWidth/6 && left < frontWidth/5,
			strings.Contains(strings.TrimSpace(line), "   "), // names at both margins
			left == 0 && frontField.MatchString(line):
			return false
		}
	}
	return true
}
