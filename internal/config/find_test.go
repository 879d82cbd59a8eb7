package config

import "testing"

// TestUserFile: the XDG Base Directory Specification passes over paths that are not
// absolute.
func TestUserFile(t *testing.T) {
	for _, tt := range []struct{ xdg, home, want string }{
		{"/x", "/home/ann", "/x/linkcheck/linkcheck.toml"},
		{"", "/home/ann", "/home/ann/.config/linkcheck/linkcheck.toml"},
		{"x", "/home/ann", "/home/ann/.config/linkcheck/linkcheck.toml"},
		{"", "", ""},
		{".", "home", ""},
	} {
		env := map[string]string{"XDG_CONFIG_HOME": tt.xdg, "HOME": tt.home}
		if got := userFile(func(name string) string { return env[name] }); got != tt.want {
			t.Errorf("%q, %q: %s, want %s", tt.xdg, tt.home, got, tt.want)
		}
	}
}

// TestHomeThatIsNone: a service account's home may be a device, or be there for others.
func TestHomeThatIsNone(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, home := range []string{"/dev/null", "/nonexistent", ""} {
		files, over, err := Found(t.Context(), func(name string) string {
			if name == "HOME" {
				return home
			}
			return ""
		}, nil)
		if len(files) > 0 || len(over) > 0 || err != nil {
			t.Errorf("%s: %v, %v, %v", home, files, over, err)
		}
	}
}
