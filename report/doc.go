// Package report turns a store into what people and programs read.
package report
