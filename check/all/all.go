// Package all is the one table from scheme to prober.
package all
