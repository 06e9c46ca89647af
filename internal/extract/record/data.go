package record

import (
	_ "embed"
	"iter"
	"strings"
)

// Tables that are no rules: names, signs and the forms of numbers. Each is read at its first use.
var (
	//go:embed data/carriers.txt
	carrierTable string
	//go:embed data/currencies.txt
	currencyTable string
	//go:embed data/payments.txt
	paymentTable string
	//go:embed data/zones.txt
	zoneTable string
)

// dataLines goes through the lines of a table, without comments and empty ones.
func dataLines(table string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for line := range strings.SplitSeq(table, "\n") {
			if line != "" && line[0] != '#' && !yield(line) {
				return
			}
		}
	}
}

// pairs reads a table of lines like "left=right".
func pairs(table string) (list [][2]string) {
	for line := range dataLines(table) {
		left, right, _ := strings.Cut(line, "=")
		list = append(list, [2]string{left, right})
	}
	return list
}
