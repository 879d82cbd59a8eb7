package nntp

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"linkcheck/check"
	"linkcheck/check/wire"
)

// How many numbers are asked for in a row, one by one, and how long: HARVEST section 3.
const (
	mostIDs    = 100
	longestIDs = 10 * time.Second
)

// idWays are those of asking for the message-id of a number, from the best on (RFC 3977
// sections 6.2.4 and 6.2.2). Behind the last, articles are known by their numbers.
var idWays = [...]way{{"STAT", 223}, {"HEAD", 221}, {"", 0}}

// numbered asks for each number of a range, where a server has no list of them.
func (b *bringing) numbered(s *session, group reply, low, high uint64) check.Result {
	var numbers []string
	for n := low; n <= high && (b.last == 0 || n <= b.last) && len(numbers) < wire.LongestList; n++ {
		numbers = append(numbers, strconv.FormatUint(n, 10))
	}
	return b.identify(s, group, numbers, false)
}

// identify puts message-ids beside numbers. Those that the caller knows are not asked for
// where a list has named them, and one of them is what it was: else the group was numbered
// anew. Where many are to be asked for there are more.
func (b *bringing) identify(s *session, group reply, numbers []string, listed bool) check.Result {
	b.bring = b.headerEntry
	if err := b.body.Close(); err != nil {
		return check.Classify(errors.Join(wire.ErrSpool, err))
	}
	knows := func(n string) bool { return listed && b.wanted.Same != nil && b.wanted.Same(n, "") }
	same, tested, its, there := s.same, "", "", false
	if !same {
		tested = b.tested(s, numbers, knows)
	}
	if tested != "" {
		its, there = b.idOf(s, tested)
		same = there && b.wanted.Same(tested, b.articleURI(its, tested))
		s.same = same && s.numbers != nil // they are all that the group has
	}
	asked, until := 0, time.Now().Add(longestIDs)
	for _, n := range numbers {
		id, is := "", true
		switch {
		case !b.wantsNumber(n):
			continue
		case !isNumber(n): // entries says so
		case n == tested:
			id, is = its, there
		case same && knows(n):
		case b.body.Size() > 0 && (asked == mostIDs || time.Now().After(until)):
			b.more = true
			return group.result(check.OK)
		default:
			asked++
			id, is = b.idOf(s, n)
		}
		if b.broken != nil {
			break
		}
		if !is {
			continue
		}
		if _, err := fmt.Fprintln(&b.body, n, id); err != nil {
			return check.Classify(err)
		}
	}
	return group.result(check.OK)
}

// tested is the number that shows whether those that are known are the same: the highest of
// them up to Wanted.SameTo, else of all; "": none is known.
func (b *bringing) tested(s *session, numbers []string, knows func(string) bool) (best string) {
	for _, n := range slices.Backward(numbers) {
		if s.numbers == nil && !b.wantsNumber(n) || !knows(n) {
			continue
		}
		best = cmp.Or(best, n)
		if number, err := strconv.ParseUint(n, 10, 63); err == nil && number <= b.wanted.SameTo {
			return n
		}
	}
	return best
}

// numbers are the lines that came.
func (b *bringing) numbers() (list []string, err error) {
	in := bufio.NewReader(b.body.Reader())
	for list = []string{}; len(list) <= wire.LongestList; {
		line, err := in.ReadString('\n')
		if line = strings.TrimSpace(line); line != "" {
			list = append(list, line)
		}
		if err == io.EOF {
			return list, nil
		}
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// idOf asks for the message-id of a number in the group; "": the server does not say it. It
// says whether there is such an article. What breaks off is b.broken.
func (b *bringing) idOf(s *session, number string) (id string, there bool) {
	for ; b.habits.IDs < len(idWays)-1; b.habits.IDs++ {
		by := idWays[b.habits.IDs]
		r, err := s.ask(by.command + " " + number)
		var header []string
		if err == nil && r.code == 221 {
			header, err = s.lines()
		}
		switch {
		case err != nil:
			b.broken = err
			return "", false
		case r.code == 423, r.code == 430:
			return "", false
		case r.code == 221:
			return headerID(header), true
		case r.code == by.code:
			if f := strings.Fields(r.line); len(f) > 2 && strings.HasPrefix(f[2], "<") {
				return f[2], true
			}
		case r.code != 500 && r.code != 501 && r.code != 502 && r.code != 503:
			res := judgeLast(s, r)
			b.broken = check.ResultError(res.Outcome, res.Reason, r.line)
			return "", false
		}
	}
	return "", true
}

// headerID is the message-id that the header of an article has.
func headerID(header []string) string {
	for i, line := range header {
		name, value, _ := strings.Cut(line, ":")
		if !strings.EqualFold(name, "Message-ID") {
			continue
		}
		if value = strings.TrimSpace(value); value == "" && i+1 < len(header) && strings.HasPrefix(header[i+1], " ") {
			value = strings.TrimSpace(header[i+1])
		}
		return value
	}
	return ""
}

// there asks whether there is an article.
func (b *bringing) there(s *session, which string) check.Result {
	if b.habits.IDs == 0 {
		return b.article(s, which)
	}
	r, err := s.head(which)
	if err != nil {
		return check.Classify(err)
	}
	return judgeLast(s, r)
}
