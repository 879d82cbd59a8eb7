// Package ingest reads sources into the store.
package ingest
