package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// kind is the form of a type.
type kind uint8

const (
	anything kind = iota
	text
	integer
	number
	boolean
	moment // a time
	named  // a model, by its name
	list
	dictionary
	oneOf     // one of a few texts
	exactly   // one value
	either    // one of several types
	null      // nothing
	inlineObj // an object without a name
)

// typ is a type of the interface, in no language.
type typ struct {
	kind   kind
	name   string   // of a model
	elem   *typ     // of a list or dictionary
	texts  []string // of oneOf
	value  string   // of exactly, in JSON
	of     []typ    // of either
	fields []field  // of an object without a name
	null   bool     // it may be null too
}

type field struct {
	name     string
	doc      string
	typ      typ
	required bool
}

// model is a schema with a name: an object with fields, or another name for a type.
type model struct {
	name   string
	doc    string
	fields []field
	alias  *typ // nil: it is an object
}

// operation is one thing that can be asked of the server.
type operation struct {
	id, method, path string
	summary, doc     string
	inPath           []field
	query            []field
	headers          []field
	body             []field // of a JSON object
	raw              string  // the media type of a body that is bytes
	form             string  // the field of a form with files
	result           typ
	bytes            bool   // it answers with a file
	events           bool   // it answers with a stream of events
	plain            bool   // it answers with text
	items            string // of an answer that is a page of a list: the member with its items
	keyed            bool   // an Idempotency-Key makes it safe to repeat
}

// spec is the whole interface.
type spec struct {
	models     []*model
	operations []*operation
	doc        map[string]any
}

func readSpec(document string) (*spec, error) {
	s := &spec{}
	if err := json.Unmarshal([]byte(document), &s.doc); err != nil {
		return nil, err
	}
	schemas := s.at("components", "schemas")
	for _, name := range slices.Sorted(maps.Keys(schemas)) {
		s.models = append(s.models, s.model(name, schemas[name].(map[string]any)))
	}
	paths := s.at("paths")
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		methods := paths[path].(map[string]any)
		for _, method := range []string{"get", "post", "put", "patch", "delete"} {
			if op, ok := methods[method].(map[string]any); ok {
				made, err := s.operation(path, method, op)
				if err != nil {
					return nil, fmt.Errorf("%s %s: %w", method, path, err)
				}
				s.operations = append(s.operations, made)
			}
		}
	}
	return s, nil
}

func (s *spec) at(path ...string) map[string]any {
	m := s.doc
	for _, p := range path {
		m, _ = m[p].(map[string]any)
	}
	return m
}

// follow returns what a $ref stands for, or the node itself.
func (s *spec) follow(n map[string]any) map[string]any {
	if ref, ok := n["$ref"].(string); ok {
		return s.at(strings.Split(strings.TrimPrefix(ref, "#/"), "/")...)
	}
	return n
}

func (s *spec) model(name string, n map[string]any) *model {
	m := &model{name: name, doc: str(n["description"])}
	if fields, ok := s.fields(n); ok {
		m.fields = fields
	} else {
		t := s.typ(n)
		m.alias = &t
	}
	return m
}

// fields returns those of an object, with those of every part of an allOf. False: it is no object with fields.
func (s *spec) fields(n map[string]any) ([]field, bool) {
	n = s.follow(n)
	if all, ok := n["allOf"].([]any); ok {
		var fields []field
		for _, part := range all {
			more, ok := s.fields(part.(map[string]any))
			if !ok {
				return nil, false
			}
			for _, f := range more {
				fields = slices.DeleteFunc(fields, func(old field) bool { return old.name == f.name })
				fields = append(fields, f)
			}
		}
		return fields, true
	}
	properties, ok := n["properties"].(map[string]any)
	if !ok || !isObject(n["type"]) {
		return nil, false
	}
	required, _ := n["required"].([]any)
	var fields []field
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		p := properties[name].(map[string]any)
		fields = append(fields, field{name: name, doc: s.docOf(p), typ: s.typ(p),
			required: slices.Contains(required, any(name))})
	}
	return fields, true
}

// isObject tells whether a type is that of an object, and nothing but null beside it.
func isObject(t any) bool {
	if t == "object" {
		return true
	}
	several, _ := t.([]any)
	other := func(one any) bool { return one != "object" && one != "null" }
	return len(several) > 0 && !slices.ContainsFunc(several, other)
}

// docOf is what is said of a member: of it, or of its type.
func (s *spec) docOf(n map[string]any) string {
	if d := str(n["description"]); d != "" {
		return d
	}
	return str(s.follow(n)["description"])
}

func (s *spec) typ(n map[string]any) typ {
	if ref, ok := n["$ref"].(string); ok {
		name := ref[strings.LastIndexByte(ref, '/')+1:]
		switch name {
		case "Time", "Moment":
			return typ{kind: moment, null: nullable(s.follow(n)["type"])}
		case "Flag":
			return typ{kind: boolean}
		}
		if _, object := s.fields(n); object {
			return typ{kind: named, name: name, null: nullable(s.follow(n)["type"])}
		}
		return s.typ(s.follow(n))
	}
	if value, ok := n["const"]; ok {
		b, _ := json.Marshal(value)
		return typ{kind: exactly, value: string(b)}
	}
	if values, ok := n["enum"].([]any); ok {
		t := typ{kind: oneOf}
		for _, v := range values {
			if v == nil {
				t.null = true
			} else {
				t.texts = append(t.texts, str(v))
			}
		}
		return t
	}
	for _, word := range []string{"anyOf", "oneOf"} {
		if parts, ok := n[word].([]any); ok {
			return s.union(parts)
		}
	}
	return s.plain(n)
}

func (s *spec) union(parts []any) typ {
	t := typ{kind: either}
	for _, p := range parts {
		one := s.typ(p.(map[string]any))
		if one.kind == null {
			t.null = true
			continue
		}
		t.of = append(t.of, one)
	}
	if len(t.of) == 1 {
		t.of[0].null = t.of[0].null || t.null
		return t.of[0]
	}
	return t
}

// plain returns a type that JSON has a word for, or several words.
func (s *spec) plain(n map[string]any) typ {
	words, several := n["type"].([]any)
	if !several {
		words = []any{n["type"]}
	}
	t := typ{kind: either}
	for _, w := range words {
		switch w {
		case "null":
			t.null = true
		case "string":
			t.of = append(t.of, typ{kind: text})
		case "integer":
			t.of = append(t.of, typ{kind: integer})
		case "number":
			t.of = append(t.of, typ{kind: number})
		case "boolean":
			t.of = append(t.of, typ{kind: boolean})
		case "array":
			elem := typ{}
			if items, ok := n["items"].(map[string]any); ok {
				elem = s.typ(items)
			}
			elem.null = false // a null in a list is left out, so nobody writes one
			t.of = append(t.of, typ{kind: list, elem: &elem})
		case "object":
			t.of = append(t.of, s.object(n))
		default:
			t.of = append(t.of, typ{})
		}
	}
	switch len(t.of) {
	case 0:
		return typ{kind: null}
	case 1:
		t.of[0].null = t.null
		return t.of[0]
	}
	return t
}

func (s *spec) object(n map[string]any) typ {
	if fields, ok := s.fields(map[string]any{"type": "object", "properties": n["properties"],
		"required": n["required"]}); ok {
		return typ{kind: inlineObj, fields: fields}
	}
	elem := typ{}
	if more, ok := n["additionalProperties"].(map[string]any); ok {
		elem = s.typ(more)
	}
	return typ{kind: dictionary, elem: &elem}
}

func nullable(t any) bool {
	several, _ := t.([]any)
	return slices.Contains(several, any("null"))
}

func (s *spec) operation(path, method string, n map[string]any) (*operation, error) {
	op := &operation{id: str(n["operationId"]), method: strings.ToUpper(method), path: path,
		summary: str(n["summary"]), doc: str(n["description"])}
	parameters, _ := n["parameters"].([]any)
	for _, p := range parameters {
		s.parameter(op, s.follow(p.(map[string]any)))
	}
	if body, ok := n["requestBody"].(map[string]any); ok {
		if err := s.body(op, s.follow(body)); err != nil {
			return nil, err
		}
	}
	return op, s.answer(op, n["responses"].(map[string]any))
}

func (s *spec) parameter(op *operation, p map[string]any) {
	schema, _ := p["schema"].(map[string]any)
	required, _ := p["required"].(bool)
	f := field{name: str(p["name"]), doc: str(p["description"]), typ: s.typ(schema), required: required}
	if f.name == "Last-Event-ID" { // the same as a parameter, which says less of it
		f.name, p["in"] = "last_event_id", "query"
	}
	switch {
	case slices.ContainsFunc(op.query, func(q field) bool { return q.name == f.name }):
	case f.name == "to" && slices.ContainsFunc(op.query, func(q field) bool { return q.name == "mailbox" }):
		// another name for mailbox
	case p["in"] == "path":
		op.inPath = append(op.inPath, f)
	case p["in"] == "query":
		op.query = append(op.query, f)
	case f.name == "Idempotency-Key":
		op.keyed = true
	default:
		op.headers = append(op.headers, f)
	}
}

func (s *spec) body(op *operation, n map[string]any) error {
	content := n["content"].(map[string]any)
	required, _ := n["required"].(bool)
	if form, ok := content["multipart/form-data"].(map[string]any); ok {
		fields, _ := s.fields(form["schema"].(map[string]any))
		op.form = fields[0].name
	}
	for _, kind := range []string{"application/json", "application/x-www-form-urlencoded"} {
		c, ok := content[kind].(map[string]any)
		if !ok {
			continue
		}
		fields, object := s.fields(c["schema"].(map[string]any))
		if !object {
			if required {
				return fmt.Errorf("a body that is no object")
			}
			return nil
		}
		for _, f := range fields {
			f.required = f.required && required && op.form == "" // else there are two ways to give it
			op.body = append(op.body, f)
		}
		return nil
	}
	for kind := range content {
		op.raw = max(op.raw, kind) // message/rfc822 comes after application/octet-stream
	}
	return nil
}

func (s *spec) answer(op *operation, responses map[string]any) error {
	for _, status := range []string{"200", "201", "202", "302", "303"} {
		r, ok := responses[status].(map[string]any)
		if !ok {
			continue
		}
		content, _ := s.follow(r)["content"].(map[string]any)
		if len(content) == 0 {
			op.result = typ{kind: null}
			return nil
		}
		c, ok := content["application/json"].(map[string]any)
		switch {
		case ok:
			op.result = s.typ(c["schema"].(map[string]any))
			s.paged(op)
		case content["text/event-stream"] != nil:
			op.events = true
		case content["text/html"] != nil, content["text/plain"] != nil, content["text/markdown"] != nil:
			op.plain = true
		default:
			op.bytes = true
		}
		return nil
	}
	return fmt.Errorf("no answer of success")
}

// paged finds out whether an operation answers with a page of a list.
func (s *spec) paged(op *operation) {
	if op.result.kind != named || !slices.ContainsFunc(op.query, func(f field) bool { return f.name == "cursor" }) {
		return
	}
	fields, _ := s.fields(s.at("components", "schemas", op.result.name))
	for _, f := range fields {
		if f.typ.kind == list && op.items == "" {
			op.items = f.name
		}
	}
}

// item is what the pages of an operation are lists of.
func (s *spec) item(op *operation) typ {
	for _, f := range s.fieldsOf(op.result.name) {
		if f.name == op.items {
			return *f.typ.elem
		}
	}
	return typ{}
}

// fieldsOf returns those of a model.
func (s *spec) fieldsOf(name string) []field {
	for _, m := range s.models {
		if m.name == name {
			return m.fields
		}
	}
	return nil
}

func each(types []typ, write func(typ) string) []string {
	written := make([]string, len(types))
	for i, t := range types {
		written[i] = write(t)
	}
	return written
}

func str(v any) string {
	t, _ := v.(string)
	return t
}
