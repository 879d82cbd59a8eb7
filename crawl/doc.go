// Package crawl is the only room with goroutines: sources in, probes out, one gate per host.
package crawl
