package rootsettings

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"linkcheck/check"
	"linkcheck/internal/openfile"
)

const maxSecret = 64 << 10 // octets of a file

// secretVariable is the variable of the environment that may hold the secret of a root: its
// name in capitals, with "_" for whatever is no letter or digit.
func secretVariable(name string) string {
	return "LINKCHECK_SECRET_" + strings.Map(func(r rune) rune {
		switch r = unicode.ToUpper(r); {
		case 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
			return r
		}
		return '_'
	}, name)
}

// Load reads the secret of a root. Errors name the file or variable, and never what is in it.
func (s *Setting) Load(ctx context.Context, getenv func(string) string) (err error) {
	if s.URI == "" || !slices.Contains(withLogin, s.Kind) {
		return nil
	}
	key, word := "", ""
	switch variable := secretVariable(s.Name); {
	case s.passwordFile != "":
		key = "password-file"
		word, err = readSecret(ctx, s.passwordFile)
	case s.tokenFile != "":
		key = "token-file"
		word, err = readSecret(ctx, s.tokenFile)
	case getenv(variable) != "":
		key, word = "name", getenv(variable)
		if err = oneLine(word); err != nil {
			err = fmt.Errorf("%s in the environment: %w", variable, err)
		}
	case s.user != "":
		key, err = "user", fmt.Errorf("wants password-file, or %s in the environment", variable)
	}
	if err != nil {
		return s.fault(key, err)
	}
	switch {
	case word == "":
	case s.user == "" && !slices.Contains(overHTTP, s.Kind):
		return s.fault("user", errors.New("is missing beside the password"))
	case s.user != "":
		s.Secret = check.Secret{User: s.user, Password: word}
	default:
		s.Secret = check.Secret{Token: word}
	}
	return nil
}

// readSecret reads a file of one line that only its owner can read.
func readSecret(ctx context.Context, name string) (string, error) {
	f, err := openfile.Read(ctx, name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || info.Mode().Perm()&0o077 != 0 {
		return "", errors.Join(err, fmt.Errorf("%s is open to others: chmod 600 makes it yours", name))
	}
	b, err := io.ReadAll(io.LimitReader(f, maxSecret+1))
	if err == nil && len(b) > maxSecret {
		err = fmt.Errorf("%s is larger than %d octets", name, maxSecret)
	}
	word := strings.TrimRight(string(b), "\r\n")
	if err == nil {
		if err = oneLine(word); err != nil {
			err = fmt.Errorf("%s: %w", name, err)
		}
	}
	return word, err
}

func oneLine(word string) error {
	if word == "" || strings.ContainsFunc(word, unicode.IsControl) {
		return errors.New("it is not one line")
	}
	return nil
}

func (s *Setting) fault(key string, err error) error {
	return fmt.Errorf("%s: [[root]] %s: %w", s.where(key), key, err)
}
