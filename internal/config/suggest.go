package config

import (
	"fmt"
	"strings"
)

// unknown is the one line of a name that is no setting.
func unknown(what, name, suggestion string) error {
	if suggestion != "" {
		return fmt.Errorf("unknown %s %s: did you mean %s?", what, name, suggestion)
	}
	return fmt.Errorf("unknown %s %s: \"mailkin config help\" lists every setting", what, name)
}

// SuggestFlag returns the flag, with its dashes, that a misspelt name was probably meant for, or nothing. A secret has
// no flag, so its variable is suggested.
func SuggestFlag(name string) string {
	var names []string
	for _, s := range Settings() {
		if s.Secret && strings.ReplaceAll(name, "-", "_") == s.Key {
			return "the variable " + s.Variable
		}
		if s.Flag != "" {
			names = append(names, s.Flag)
		}
	}
	if n := nearest(name, names); n != "" {
		return "--" + n
	}
	return ""
}

func suggestVariable(name string, rows []row) string {
	var names []string
	for _, r := range rows {
		if name == prefix+r.Variable {
			return r.Variable
		}
		names = append(names, r.Variable)
	}
	return nearest(name, names)
}

func suggestKey(key string, rows []row) string {
	var names []string
	for _, r := range rows {
		names = append(names, r.Key)
	}
	return nearest(key, names)
}

// nearest returns the name with the smallest edit distance, if it is near enough to be a typing error.
func nearest(name string, names []string) string {
	best, limit := "", 1+len(name)/5
	for _, n := range names {
		if d := distance(name, n); d <= limit {
			best, limit = n, d-1
		}
	}
	return best
}

// distance is the number of letters to insert, delete or replace to come from a to b (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			next := diagonal
			if a[i] != b[j] {
				next = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], next
		}
	}
	return row[len(b)]
}
