package mcpserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Models send numbers as texts, one address where a list is meant, and names that other tools have for the same thing.
// All of that is taken. What cannot be understood is refused with the name of the argument and the form that it has.

// read returns the arguments of a call.
func (t tool) read(raw json.RawMessage) (args, error) {
	given, err := object(raw)
	if err != nil {
		return nil, advice("The arguments of " + t.name + " are a JSON object, such as " + t.example() + ".")
	}
	in := args{}
	var problems, strangers []string
	for _, name := range sortedNames(given) {
		a, known := t.input.named(name)
		switch value := given[name]; {
		case !known:
			strangers = append(strangers, strconv.Quote(clip(name)))
		case value == nil: // as if it were not given
		default:
			v, ok := a.value(value)
			if before, twice := in[a.name]; !ok {
				problems = append(problems, a.wrong(value))
			} else if twice && fmt.Sprint(before) != fmt.Sprint(v) {
				twice := fmt.Sprintf("%s is given twice, also as %s: give it once.", a.name, clip(name))
				problems = append(problems, twice)
			} else if v != "" || !a.needed {
				in[a.name] = v
			}
		}
	}
	if strangers != nil {
		problems = append(problems, t.unknown(strangers))
	}
	for _, a := range t.input {
		if _, there := in[a.name]; there {
			continue
		}
		if v := a.standard(); v != nil {
			in[a.name] = v
		} else if a.needed && len(problems) == 0 {
			problems = append(problems, fmt.Sprintf("The argument %s is missing: %s.", a.name, a.about))
		}
	}
	if problems != nil {
		return nil, advice(strings.Join(problems[:min(len(problems), 3)], " "))
	}
	return in, nil
}

// object reads a JSON object. QUIRK: clients that have no arguments send null or nothing, and some send the object as a
// text.
func object(raw json.RawMessage) (map[string]any, error) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return nil, nil
	}
	var inner string
	if json.Unmarshal(raw, &inner) == nil {
		if raw = []byte(strings.TrimSpace(inner)); len(raw) == 0 {
			return nil, nil
		}
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var given map[string]any
	return given, decoder.Decode(&given)
}

func sortedNames(given map[string]any) []string {
	names := make([]string, 0, len(given))
	for name := range given {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// unknown says that there are no arguments of these names, and which there are.
func (t tool) unknown(names []string) string {
	has := strings.Join(t.input.shown(), ", ")
	if has == "" {
		has = "none"
	}
	said := strings.Join(names[:min(len(names), 3)], ", ")
	if more := len(names) - 3; more > 0 {
		said += fmt.Sprintf(" and %d more", more)
	}
	return fmt.Sprintf("%s has no argument %s. Its arguments: %s.", t.name, said, has)
}

// example is how the tool is called.
func (t tool) example() string {
	for _, a := range t.input {
		if a.needed {
			return `{"` + a.name + `": "…"}`
		}
	}
	return "{}"
}

// wrong says what form an argument has.
func (a argument) wrong(value any) string {
	return fmt.Sprintf("The argument %s must be %s; it was %s.", a.name, a.form(), shownValue(value))
}

// form is what an argument must be, in words.
func (a argument) form() string {
	switch {
	case a.among != nil && a.kind == words:
		return "a list of " + strings.Join(a.among, ", ")
	case a.among != nil:
		return "one of " + strings.Join(a.among, ", ")
	}
	switch a.kind {
	case whole:
		return fmt.Sprintf("a whole number from %d to %d, such as %d", a.least, a.most, max(a.usual, a.least))
	case flag:
		return "true or false"
	case moment:
		return "a time such as 2026-03-02T10:00:00Z"
	case words, several:
		return "a text or a list of texts"
	case files:
		return `a list of {"filename": "a.txt", "content": "base64"}`
	}
	return fmt.Sprintf("one text of at most %d bytes", longestWord)
}

// longestWord is how many bytes a text may have that is not the text of a message.
const longestWord = 4000

// shownValue repeats what was sent, as much of it as helps.
func shownValue(value any) string {
	switch value.(type) {
	case map[string]any:
		return "an object"
	case []any:
		return "a list"
	}
	s, err := encode(value)
	if err != nil {
		return "something else"
	}
	return clip(s)
}

func clip(s string) string { return shortened(oneLine(s), 60) }

// standard is what counts if the argument is not given; nil: nothing does.
func (a argument) standard() any {
	switch {
	case a.kind == whole && a.usual > 0:
		return a.usual
	case a.kind == word && a.among != nil && !a.open:
		return a.among[0]
	}
	return nil
}

// value reads what was sent for an argument.
func (a argument) value(v any) (any, bool) {
	switch a.kind {
	case whole:
		return a.wholeOf(v)
	case flag:
		return flagOf(v)
	case moment:
		return momentOf(v)
	case words, several:
		return a.wordsOf(v)
	case files:
		return filesOf(v)
	}
	return a.wordOf(v)
}

func (a argument) wordOf(v any) (any, bool) {
	if list, ok := v.([]any); ok && len(list) == 1 {
		v = list[0]
	}
	var s string
	switch v := v.(type) {
	case string:
		s = v
	case json.Number:
		s = v.String()
	case bool:
		s = strconv.FormatBool(v)
	default:
		return nil, false
	}
	if a.among != nil {
		s = strings.ToLower(strings.TrimSpace(s))
		return s, slices.Contains(a.among, s)
	}
	if !a.long && len(s) > longestWord {
		return nil, false
	}
	if strings.HasSuffix(a.name, "_id") {
		s = strings.ToLower(strings.TrimSpace(s))
	}
	return s, true
}

// wholeOf reads a number. One that is too large is the largest, as in the interface.
func (a argument) wholeOf(v any) (any, bool) {
	var text string
	switch v := v.(type) {
	case json.Number:
		text = v.String()
	case string:
		text = strings.TrimSpace(v)
	default:
		return nil, false
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || math.Trunc(f) != f || f < float64(a.least) {
		return nil, false
	}
	return int(min(f, float64(a.most))), true
}

func flagOf(v any) (any, bool) {
	text, ok := "", false
	switch v := v.(type) {
	case bool:
		return v, true
	case json.Number:
		text, ok = v.String(), true
	case string:
		text, ok = strings.ToLower(strings.TrimSpace(v)), true
	}
	switch text {
	case "true", "yes", "1", "on":
		return true, ok
	case "false", "no", "0", "off":
		return false, ok
	}
	return nil, false
}

// momentForms are how times are written. Without a zone they are in UTC.
var momentForms = []string{
	time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04", time.DateOnly,
	"2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05", "2006-01-02 15:04",
}

func momentOf(v any) (any, bool) {
	text, ok := v.(string)
	for _, form := range momentForms {
		if at, err := time.Parse(form, strings.TrimSpace(text)); ok && err == nil {
			return at, true
		}
	}
	return nil, false
}

func (a argument) wordsOf(v any) (any, bool) {
	if s, ok := v.(string); ok && a.plain && !strings.Contains(s, "[") {
		v = strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' })
	}
	out := []string{}
	for _, v := range listOf(v) {
		one, ok := argument{kind: word, among: a.among}.wordOf(v)
		if !ok {
			return nil, false
		}
		out = append(out, one.(string))
	}
	return out, true
}

// listOf is a list, or a single thing as one. QUIRK: some models write a list as a text of JSON.
func listOf(v any) []any {
	switch v := v.(type) {
	case []any:
		return v
	case []string:
		list := make([]any, len(v))
		for i, s := range v {
			list[i] = s
		}
		return list
	case string:
		var list []any
		decoder := json.NewDecoder(strings.NewReader(v))
		decoder.UseNumber()
		if strings.HasPrefix(strings.TrimSpace(v), "[") && decoder.Decode(&list) == nil {
			return list
		}
	}
	return []any{v}
}

func filesOf(v any) (any, bool) {
	var out []attached
	for _, v := range listOf(v) {
		file, ok := v.(map[string]any)
		if !ok {
			return nil, false
		}
		var f attached
		for _, member := range []struct {
			into  *string
			names []string
		}{
			{&f.name, []string{"filename", "name"}}, {&f.content, []string{"content", "data", "base64"}},
			{&f.kind, []string{"content_type", "contentType", "mime_type", "mimeType", "type"}},
			{&f.contentID, []string{"content_id", "contentId"}},
		} {
			for _, name := range member.names {
				if s, ok := file[name].(string); ok && *member.into == "" {
					*member.into = s
				}
			}
		}
		if f.name == "" {
			return nil, false
		}
		out = append(out, f)
	}
	return out, true
}
