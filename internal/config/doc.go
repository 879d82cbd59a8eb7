// Package config finds and reads configuration files: TOML with a key for every flag,
// and tables named like a verb for that verb alone. Which keys there are is for its
// caller to say. A file in the current folder may have come with somebody else's
// documents, so it is told from those that the person wrote.
//
// Files, in reading order:
//   - find.go: which files are read
//   - owner_unix.go, owner_other.go: whom a file belongs to
//   - file.go: what a file says of a flag, and where
//   - values.go: values as texts, and which may come from a stranger
package config
