package words_test

import (
	"fmt"

	"linkcheck/report/words"
)

func ExampleCatalogue_Count() {
	for _, lang := range words.Languages() {
		c, err := words.Open(lang)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(c.Count("link", 1), "·", c.Count("link", 12408))
	}
	// Output:
	// 1 link · 12,408 links
	// 1 Link · 12.408 Links
}
