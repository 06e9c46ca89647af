package httpapi

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// schema is what an object has.
func (r docsReader) schema(name string) docsSchema {
	s := at(r.doc, "components", "schemas", name)
	shown := docsSchema{Name: name, About: word(s, "description"), Fields: r.fields(s)}
	if shown.Fields == nil {
		shown.Type = r.typeOf(s)
	}
	return shown
}

// fields are the members of an object, also of one that is put together from several.
func (r docsReader) fields(s node) (all []docsField) {
	for _, part := range list(s, "allOf") {
		all = append(all, r.fields(r.follow(part.(node)))...)
	}
	properties := at(s, "properties")
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		p := at(properties, name)
		about := word(p, "description")
		if about == "" {
			about = word(r.follow(p), "description")
		}
		all = append(all, docsField{Name: name, Type: r.typeOf(p), About: about,
			Required: slices.Contains(list(s, "required"), any(name))})
	}
	return all
}

// typeOf says what a value is.
func (r docsReader) typeOf(s node) docsType {
	if target := word(s, "$ref"); target != "" {
		name := target[strings.LastIndexByte(target, '/')+1:]
		if r.fields(r.follow(s)) == nil {
			return r.typeOf(r.follow(s)) // short enough to say it here
		}
		return docsType{name, name}
	}
	for _, choice := range []string{"anyOf", "oneOf", "allOf"} {
		if options := list(s, choice); options != nil {
			return r.oneOf(options)
		}
	}
	if value, fixed := s["const"]; fixed {
		return docsType{Text: compactJSON(value)}
	}
	if options := list(s, "enum"); options != nil {
		words := make([]string, len(options))
		for i, o := range options {
			words[i] = compactJSON(o)
		}
		return docsType{Text: strings.Join(words, " | ")}
	}
	return r.plainType(s)
}

func (r docsReader) oneOf(options []any) docsType {
	var words []string
	schema := ""
	for _, o := range options {
		t := r.typeOf(o.(node))
		words = append(words, t.Text)
		if schema == "" {
			schema = t.Schema
		}
	}
	return docsType{strings.Join(words, " | "), schema}
}

func (r docsReader) plainType(s node) docsType {
	var words []string
	schema := ""
	types := list(s, "type")
	if name := word(s, "type"); name != "" {
		types = []any{name}
	}
	for _, t := range types {
		if t == "array" && at(s, "items") != nil {
			items := r.typeOf(at(s, "items"))
			words, schema = append(words, "list of "+items.Text), items.Schema
			continue
		}
		words = append(words, t.(string))
	}
	if words == nil {
		return docsType{Text: "bytes"}
	}
	return docsType{strings.Join(words, " | "), schema}
}

func compactJSON(v any) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(v) != nil {
		return ""
	}
	return strings.TrimSpace(b.String())
}
