// Package hostsettings is what the person decided about single hosts: the tables [[host]]
// of their configuration. A table is for the hosts that its match names. Where several
// match, each key has the value of the last table that sets it.
//
// Secrets (basic-auth-file, bearer-env, bearer-file, headers-file, client-cert) are read
// from files or the environment, and are for the hosts of their table alone: over https at
// port 443, or at the port that match names, whatever is spoken there.
//
// Files, in reading order:
//   - read.go: what a table may say
//   - secrets.go: what is read from files and the environment
//   - table.go: which settings a host has
//   - sample.go: a table with every key, for people
package hostsettings
