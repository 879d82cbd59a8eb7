// Package checktest is the suite that every prober passes.
package checktest
