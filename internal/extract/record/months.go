package record

import (
	"strings"
	"sync"

	"github.com/mailkin/mailkin/internal/lexicon"
)

// months returns the number of a month by its name, folded. A list of months has twelve groups of names.
var months = sync.OnceValue(func() map[string]int {
	table := map[string]int{}
	for l := range lexicon.Lists("record") {
		if l.Name != "months" {
			continue
		}
		month := 0
		for names := range l.All {
			month++
			for name := range strings.FieldsSeq(names) {
				table[fold(name)] = month
			}
		}
	}
	delete(table, "-") // a language whose name for a month another has already
	return table
})

// weakMonths are short forms that are also words of some language. They count with a year alone.
var weakMonths = sync.OnceValue(func() map[string]bool {
	set := map[string]bool{}
	for l := range lexicon.Lists("record") {
		if l.Name == "weakMonths" {
			for name := range l.All {
				set[fold(name)] = true
			}
		}
	}
	return set
})

func isWeakMonth(word string) bool { return weakMonths()[word] }

// fillers are the words that stand between the parts of a date.
var fillers = sync.OnceValue(func() map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(`. , - / ' de of d del den der the st nd rd th er ere ème º ª do da no m g го ого ta a e o di en l of, al dia tháng`) {
		set[fold(word)] = true
	}
	return set
})
