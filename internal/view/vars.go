package view

import "strings"

// variables are the custom properties of a document: "--name: value". They are not inherited but global here. Of several values
// one that hides something counts, for text that is hidden somewhere must not be taken for shown.
type variables map[string]string

// variablesOf gathers the custom properties of a document, nil where it uses none.
func variablesOf(doc string) variables {
	if !strings.Contains(doc, "var(") {
		return nil
	}
	const most = 1000
	vars := variables{}
	for i := 0; len(vars) < most; {
		n := strings.Index(doc[i:], "--")
		if n < 0 {
			break
		}
		i += n + 2
		end := i
		for end < len(doc) && (isLetter(doc[end]) || doc[end]-'0' < 10 || doc[end] == '-' || doc[end] == '_') {
			end++
		}
		name, rest := doc[i:end], strings.TrimLeft(doc[end:min(end+100, len(doc))], " \t\n")
		i = end
		if name == "" || !strings.HasPrefix(rest, ":") {
			continue
		}
		value := rest[1:]
		if stop := strings.IndexAny(value, ";}\"'<"); stop >= 0 {
			value = value[:stop]
		}
		value, _ = cutImportant(lowered(trim(value)))
		if old, ok := vars[name]; !ok || !hidingValue(old) {
			vars[name] = value
		}
	}
	return vars
}

func hidingValue(v string) bool {
	switch v {
	case "none", "hidden", "collapse", "transparent":
		return true
	}
	n, _, ok := number(v)
	return ok && n <= 0
}

// resolve replaces the references of a value.
func (vars variables) resolve(value string) string {
	for range 5 {
		at := strings.Index(value, "var(")
		if at < 0 {
			return value
		}
		end := min(skipNested(value, at+3), len(value))
		name, fallback, _ := strings.Cut(value[at+4:end], ",")
		with, ok := vars[strings.TrimPrefix(trim(name), "--")]
		if !ok {
			with = trim(fallback)
		}
		value = trim(value[:at] + with + value[min(end+1, len(value)):])
		if len(value) > 1000 {
			return ""
		}
	}
	return ""
}
