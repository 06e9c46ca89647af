package httpapi

import (
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"
	"unicode"
)

// docsSample is a piece of a program that uses an operation.
type docsSample struct{ Language, Text string }

// samples are how an operation is used from a shell, from Python and from TypeScript. They name what has to be given,
// and the members of the body's example.
func (r docsReader) samples(op node, shown docsOperation, keyed bool) []docsSample {
	s := sampler{op: shown, keyed: keyed}
	for _, p := range list(op, "parameters") {
		p := r.follow(p.(node))
		f := docsGiven{Name: word(p, "name"), Value: exampleOf(p)}
		if word(p, "in") == "path" {
			s.path = append(s.path, f)
		} else if required, _ := p["required"].(bool); required {
			s.query = append(s.query, f)
		}
	}
	if shown.Body != nil {
		media := at(op, "requestBody", "content")
		for _, name := range slices.Sorted(maps.Keys(media)) {
			if s.media == "" || name == "application/json" {
				s.media, s.body = name, at(media, name)["example"]
			}
		}
	}
	return []docsSample{{"curl", s.curl()}, {"Python", s.python()}, {"TypeScript", s.typescript()}}
}

// docsGiven is a parameter with a value.
type docsGiven struct{ Name, Value string }

func exampleOf(p node) string {
	if text, ok := p["example"].(string); ok {
		return text
	}
	return compactJSON(p["example"])
}

type sampler struct {
	op          docsOperation
	keyed       bool
	path, query []docsGiven
	media       string
	body        any
}

func (s sampler) members() node {
	if s.media != "application/json" {
		return nil
	}
	m, _ := s.body.(node)
	return m
}

func (s sampler) curl() string {
	address := s.op.Path
	for _, p := range s.path {
		address = strings.ReplaceAll(address, "{"+p.Name+"}", url.PathEscape(p.Value))
	}
	query := url.Values{}
	for _, p := range s.query {
		query.Set(p.Name, p.Value)
	}
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	var b strings.Builder
	b.WriteString("curl ")
	if s.op.Method != get {
		b.WriteString("-X " + s.op.Method + " ")
	}
	b.WriteString(shellWord(baseMark + address))
	if s.keyed {
		b.WriteString(" \\\n  -H \"Authorization: Bearer $MAILKIN_API_KEY\"")
	}
	switch {
	case s.media == "":
	case s.media == "application/json":
		b.WriteString(" \\\n  -H 'Content-Type: application/json' \\\n  -d " + shellWord(compactJSON(s.body)))
	case s.media == "application/x-www-form-urlencoded":
		b.WriteString(" \\\n  -d " + shellWord("name=value"))
	default:
		b.WriteString(" \\\n  -H 'Content-Type: " + s.media + "' \\\n  --data-binary @file")
	}
	return b.String()
}

// shellWord is a text as one word of a shell.
func shellWord(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// whole tells whether the body is handed over as it is, as a message is.
func (s sampler) whole() bool {
	return s.media == "message/rfc822" || s.media == "application/octet-stream"
}

func (s sampler) python() string {
	var args []string
	for _, p := range s.path {
		args = append(args, pythonValue(p.Value))
	}
	if s.whole() {
		args = append(args, `open("file", "rb").read()`)
	}
	for _, p := range s.query {
		args = append(args, pythonName(p.Name)+"="+pythonValue(p.Value))
	}
	members := s.members()
	for _, name := range slices.Sorted(maps.Keys(members)) {
		args = append(args, pythonName(name)+"="+pythonValue(members[name]))
	}
	return "from mailkin import Mailkin\n\nmailkin = Mailkin()\nprint(mailkin." + snakeCase(s.op.ID) +
		wrapped("(", args, ")", "    ") + ")"
}

func (s sampler) typescript() string {
	var args []string
	for _, p := range s.path {
		args = append(args, compactJSON(p.Value))
	}
	if s.whole() {
		args = append(args, `await readFile("file")`)
	}
	var params []string
	for _, p := range s.query {
		params = append(params, scriptName(p.Name)+": "+compactJSON(p.Value))
	}
	members := s.members()
	for _, name := range slices.Sorted(maps.Keys(members)) {
		params = append(params, scriptName(name)+": "+compactJSON(members[name]))
	}
	if len(params) > 0 {
		args = append(args, wrapped("{ ", params, " }", "  "))
	}
	text := "import { Mailkin } from \"@mailkin/client\";\n"
	if s.whole() {
		text += "import { readFile } from \"node:fs/promises\";\n"
	}
	return text + "\nconst mailkin = new Mailkin();\nconsole.log(await mailkin." + s.op.ID + "(" +
		strings.Join(args, ", ") + "));"
}

// wrapped lists some things on a line, or on one each where they are long.
func wrapped(open string, list []string, end, indent string) string {
	const longest = 60
	if line := strings.Join(list, ", "); len(line) <= longest {
		return open + line + end
	}
	return strings.TrimRight(open, " ") + "\n" + indent + strings.Join(list, ",\n"+indent) + ",\n" +
		strings.TrimLeft(end, " ")
}

func snakeCase(name string) string {
	var b strings.Builder
	for _, r := range name {
		if unicode.IsUpper(r) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// pythonName is the name of an argument: a word of the language has a line behind it.
func pythonName(name string) string {
	name = strings.ReplaceAll(strings.ToLower(name), "-", "_")
	if name == "from" || name == "in" || name == "is" {
		return name + "_"
	}
	return name
}

// scriptName is the name of a member: that of a header is written as a word.
func scriptName(name string) string { return strings.ReplaceAll(strings.ToLower(name), "-", "_") }

// pythonValue writes a value of JSON as Python does.
func pythonValue(v any) string {
	switch v := v.(type) {
	case nil:
		return "None"
	case bool:
		if v {
			return "True"
		}
		return "False"
	case []any:
		var list []string
		for _, e := range v {
			list = append(list, pythonValue(e))
		}
		return "[" + strings.Join(list, ", ") + "]"
	case node:
		var list []string
		for _, name := range slices.Sorted(maps.Keys(v)) {
			list = append(list, compactJSON(name)+": "+pythonValue(v[name]))
		}
		return "{" + strings.Join(list, ", ") + "}"
	case json.Number:
		return v.String()
	}
	return compactJSON(v)
}
