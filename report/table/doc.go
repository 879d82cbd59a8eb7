// Package table writes reports with a row for every mention of a link, or for every
// link: CSV, TSV, JSONL and XLSX, the list of fixes for batch tools, and duplicates
// as JSON. It streams: memory does not grow with the number of rows.
//
// The files in reading order:
//
//	csv.go        CSV and TSV
//	jsonl.go      JSON, one object a line
//	xlsx.go       a workbook
//	fixes.go      old and new addresses for batch tools
//	owners.go     whose which files are
//	faults.go     how addresses are written, as CSV and JSON
//	rows.go       the rows of a source, their columns and values; cells for spreadsheets
//	duplicates.go duplicate groups as JSON
package table
