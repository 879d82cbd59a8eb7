package rootsettings

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"linkcheck/internal/config"
)

func truth(v any, to *bool) (err error) {
	b, ok := v.(bool)
	if *to = b; !ok {
		err = errors.New("true or false is wanted")
	}
	return err
}

func number(v any, to *int, most int64) error {
	n, ok := v.(int64)
	if !ok || n < 1 || n > most {
		return fmt.Errorf("a number from 1 to %d is wanted", most)
	}
	*to = int(n)
	return nil
}

func expression(v any, to **regexp.Regexp) error {
	var s string
	err := config.OneLine(v, &s)
	if err == nil {
		*to, err = regexp.Compile(s)
	}
	return err
}

// maxTime is the longest time that a root may take of a run.
const maxTime = 7 * 24 * time.Hour

func span(v any, to *time.Duration) error {
	var s string
	if err := config.OneLine(v, &s); err != nil {
		return err
	}
	d, err := time.ParseDuration(s)
	if err != nil || d < time.Second || d > maxTime {
		return fmt.Errorf("%.200q is no time such as 30m or 2h, from 1s to 168h", s)
	}
	*to = d
	return nil
}

// octets reads a number of octets, or a text such as "2GiB".
func octets(v any, to *int64) error {
	word := fmt.Sprint(v)
	digits := strings.TrimRight(word, "KMGTiB")
	n, err := strconv.ParseInt(digits, 10, 64)
	shift, unit := map[string]int{"": 0, "KiB": 10, "MiB": 20, "GiB": 30, "TiB": 40}[word[len(digits):]]
	if err != nil || !unit || n < 1 || n > 1<<50>>shift {
		return fmt.Errorf("%.200q is no size such as 1000000 or 2GiB", word)
	}
	*to = n << shift
	return nil
}
