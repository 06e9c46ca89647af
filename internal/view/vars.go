package view

import "strings"

// variables are the custom properties of a document: "--name: value". They are not inherited but global here. Of
// several values one that hides something counts, for text that is hidden somewhere must not be taken for shown.
type variables struct {
	doc    string // where they are looked for when the first one is asked for
	values map[string]string
	left   int      // bytes that may yet be gone through
	texts  []string // values that are looked at when an element has them
}

// gather finds the custom properties of the document.
func (vars *variables) gather() {
	const most = 1000
	vars.values, vars.left = map[string]string{}, leastSteps+stepsPerByte/2*len(vars.doc)
	for doc := vars.doc; len(vars.values) < most; {
		n := strings.Index(doc, "--")
		if n < 0 {
			break
		}
		doc = doc[n+2:]
		name, rest := identifier(doc[:min(len(doc), 200)])
		rest = trimStart(rest)
		if strings.HasPrefix(rest, "{") { // @property
			rest, _, _ = strings.Cut(rest, "}")
			_, rest, _ = strings.Cut(lowered(rest), "initial-value")
			rest = trimStart(rest)
		}
		if name == "" || strings.HasPrefix(name, "-") || !strings.HasPrefix(rest, ":") {
			continue
		}
		value := rest[1:]
		if stop := strings.IndexAny(value, ";}\"'<"); stop >= 0 {
			value = value[:stop]
		}
		value, _ = cutImportant(lowered(trim(value)))
		if old, ok := vars.values[name]; !ok || !hidingValue(old) {
			vars.values[name] = value
		}
	}
}

func hidingValue(v string) bool {
	switch v {
	case "none", "hidden", "collapse", "transparent":
		return true
	}
	n, _, ok := number(v)
	return ok && n <= 0
}

// resolve replaces the references of a value. It is false where that takes too much work.
func (vars *variables) resolve(value string) (string, bool) {
	if !strings.Contains(value, "var(") {
		return value, true
	}
	if vars.values == nil {
		vars.gather()
	}
	for range 100 {
		at := strings.Index(value, "var(")
		if at < 0 {
			return value, true
		}
		if vars.left -= len(value); vars.left < 0 {
			break
		}
		end := min(skipNested(value, at+3), len(value))
		name, fallback, _ := strings.Cut(value[at+4:end], ",")
		with, ok := vars.values[strings.TrimPrefix(trim(name), "--")]
		if !ok {
			if with = trim(fallback); with == "" {
				return "unset", true // a value without a meaning: the property is as if nothing was said
			}
		}
		value = trim(value[:at] + with + value[min(end+1, len(value)):])
	}
	return "", false
}

// keep keeps a text, and gives its number.
func (vars *variables) keep(text string) float32 {
	vars.texts = append(vars.texts, text)
	return float32(len(vars.texts) - 1)
}
