package flags

// Nearest is the name that a word is a misspelling of; "" if there is none. With more
// edits than one in three letters it is another word.
func Nearest(word string, names []string) (best string) {
	least := len(word)/3 + 1
	for _, name := range names {
		if n := editDistance(word, name); n < least {
			best, least = name, n
		}
	}
	return best
}

// editDistance counts the letters left out, added, changed or swapped with the next
// between two words (the optimal string alignment distance).
func editDistance(a, b string) int {
	var before []int
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		next := make([]int, len(b)+1)
		next[0] = i + 1
		for j := range len(b) {
			changed := row[j]
			if a[i] != b[j] {
				changed++
			}
			next[j+1] = min(row[j+1]+1, next[j]+1, changed)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}
