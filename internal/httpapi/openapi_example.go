package httpapi

import (
	"maps"
	"strings"
)

// exampleDepth bounds how deep an example goes.
const exampleDepth = 12

// exemplify adds an example made from its schema to content that has none.
func (b *builder) exemplify(media node) {
	_, one := media["example"]
	_, some := media["examples"]
	if !one && !some {
		media["example"] = b.example(at(media, "schema"), exampleDepth)
	}
}

// example is a value of a schema: its own example, or one made from those of its parts.
func (b *builder) example(schema node, depth int) any {
	if depth == 0 {
		return nil
	}
	if own := list(schema, "examples"); own != nil {
		return own[0]
	}
	if value, fixed := schema["const"]; fixed {
		return value
	}
	if target := word(schema, "$ref"); target != "" {
		return b.example(b.resolve(target), depth-1)
	}
	for _, choice := range []string{"anyOf", "oneOf"} {
		if options := list(schema, choice); options != nil {
			return b.example(options[0].(node), depth-1)
		}
	}
	if parts := list(schema, "allOf"); parts != nil {
		whole := node{}
		for _, part := range parts {
			if members, ok := b.example(part.(node), depth-1).(node); ok {
				maps.Copy(whole, members)
			}
		}
		return whole
	}
	return b.exampleOfType(schema, depth)
}

func (b *builder) exampleOfType(schema node, depth int) any {
	switch {
	case schema["type"] == "object":
		return b.exampleObject(schema, depth)
	case schema["type"] == "array":
		return []any{b.example(at(schema, "items"), depth-1)}
	case list(schema, "enum") != nil:
		return list(schema, "enum")[0]
	}
	if types := list(schema, "type"); len(types) > 0 && types[0] == "array" && at(schema, "items") != nil {
		return []any{b.example(at(schema, "items"), depth-1)}
	}
	return nil
}

// exampleObject has every property that is required, and those of a schema that requires none.
func (b *builder) exampleObject(schema node, depth int) node {
	required := map[string]bool{}
	for _, name := range list(schema, "required") {
		required[name.(string)] = true
	}
	value := node{}
	for name, property := range at(schema, "properties") {
		if len(required) == 0 || required[name] {
			value[name] = b.example(property.(node), depth-1)
		}
	}
	return value
}

// resolve returns what a reference inside the document means.
func (b *builder) resolve(target string) node { return resolve(b.doc, target) }

func resolve(doc node, target string) node {
	return at(doc, strings.Split(strings.TrimPrefix(target, "#/"), "/")...)
}
