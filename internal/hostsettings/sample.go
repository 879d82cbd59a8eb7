package hostsettings

import _ "embed"

// Sample is a table as a configuration file begins with: every key, commented out.
//
//go:embed sample.toml
var Sample string
