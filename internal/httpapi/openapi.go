package httpapi

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
)

// The description of the interface is written by hand, in parts that lie in public/openapi: the frame (document.json),
// the schemas, the operations by what they are about, the codes of errors, and what webhooks are posted. What every
// operation shares is not written down once for each: it follows from the table of routes, and is added here
// (openapi_operation.go).
//
// The parts are OpenAPI with a few words more. In a schema, "x-optional" lists the properties that may be missing: all
// others are required. In an operation a parameter may be the name of one in components, a body or an answer the name
// of a schema, and "errors" are codes of errors.json. "{base}" stands for the address of the deployment.

//go:embed public/openapi
var openapiParts embed.FS

// node is a JSON object.
type node = map[string]any

// at walks down through members that are objects; nil if there is none.
func at(o node, names ...string) node {
	for _, name := range names {
		o, _ = o[name].(node)
	}
	return o
}

// word is a member that is a string, empty if it is none.
func word(o node, name string) string {
	s, _ := o[name].(string)
	return s
}

// list is a member that is a list, nil if it is none.
func list(o node, name string) []any {
	l, _ := o[name].([]any)
	return l
}

// readPart reads one part.
func readPart(name string) (node, error) {
	raw, err := openapiParts.ReadFile("public/openapi/" + name)
	if err != nil {
		return nil, err
	}
	var part node
	if err := json.Unmarshal(raw, &part); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return part, nil
}

// readFolder reads all parts of a folder into one.
func readFolder(name string) (node, error) {
	files, err := fs.ReadDir(openapiParts, "public/openapi/"+name)
	if err != nil {
		return nil, err
	}
	whole := node{}
	for _, f := range files {
		part, err := readPart(name + "/" + f.Name())
		if err == nil {
			err = merge(whole, part)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name(), err)
		}
	}
	return whole, nil
}

// merge adds a part to an object. Nothing is said twice.
func merge(into, part node) error {
	for name, value := range part {
		old, there := into[name]
		inside, isObject := old.(node)
		more, both := value.(node)
		switch {
		case !there:
			into[name] = value
		case isObject && both:
			if err := merge(inside, more); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		default:
			return fmt.Errorf("%s is there twice", name)
		}
	}
	return nil
}

// newDocument makes the description of the interface whose routes these are.
func newDocument(routes []route) (node, error) {
	doc, err := readPart("document.json")
	if err != nil {
		return nil, err
	}
	schemas, err := readFolder("schemas")
	if err != nil {
		return nil, err
	}
	if err := merge(doc, schemas); err != nil {
		return nil, err
	}
	for _, schema := range at(doc, "components", "schemas") {
		require(schema)
	}
	b := builder{doc: doc, responses: node{}, named: map[string]string{}}
	if b.errors, err = readPart("errors.json"); err != nil {
		return nil, err
	}
	at(doc, "components")["responses"] = b.responses
	if err := b.addOperations(routes); err != nil {
		return nil, err
	}
	return doc, b.addWebhooks()
}

// require makes the properties of a schema required that are not said to be optional.
func require(schema any) {
	switch s := schema.(type) {
	case []any:
		for _, one := range s {
			require(one)
		}
	case node:
		for _, inside := range s {
			require(inside)
		}
		if optional, ok := s["x-optional"].([]any); ok {
			delete(s, "x-optional")
			var required []any
			for _, name := range slices.Sorted(maps.Keys(at(s, "properties"))) {
				if !slices.Contains(optional, any(name)) {
					required = append(required, name)
				}
			}
			s["required"] = required
		}
	}
}

// builder completes the description.
type builder struct {
	doc       node
	errors    node              // by code
	responses node              // in components
	named     map[string]string // which of them is which
}

func (b *builder) addOperations(routes []route) error {
	groups, err := readFolder("operations")
	if err != nil {
		return err
	}
	served := map[string]route{}
	for _, r := range routes {
		served[r.method+" "+r.paths()[0]] = r
	}
	paths := node{}
	for _, tag := range list(b.doc, "tags") {
		name := word(tag.(node), "name")
		operations := at(groups, name)
		for _, key := range slices.Sorted(maps.Keys(operations)) {
			r, ok := served[key]
			if !ok {
				return fmt.Errorf("%s is described and not served", key)
			}
			delete(served, key)
			op := at(operations, key)
			op["tags"] = []any{name}
			if err := b.complete(op, r); err != nil {
				return fmt.Errorf("%s: %w", key, err)
			}
			method, path, _ := strings.Cut(key, " ")
			if at(paths, path) == nil {
				paths[path] = node{}
			}
			at(paths, path)[strings.ToLower(method)] = op
		}
	}
	b.doc["paths"] = paths
	if len(served) > 0 {
		return fmt.Errorf("served and not described: %q", slices.Sorted(maps.Keys(served)))
	}
	return nil
}

// addWebhooks describes what is posted to anyone who asked for events.
func (b *builder) addWebhooks() error {
	kinds, err := readPart("webhooks.json")
	if err != nil {
		return err
	}
	headers, ok := at(kinds, "headers")["list"].([]any)
	if !ok {
		return errors.New("webhooks.json: no headers")
	}
	delete(kinds, "headers")
	hooks := node{}
	for kind := range kinds {
		schema := word(at(kinds, kind), "schema")
		body, err := b.json(schema)
		if err != nil {
			return err
		}
		at(body, "application/json", "example")["event"] = kind
		hooks[kind] = node{"post": node{
			"operationId": kind, "tags": []any{"Webhooks"}, "summary": at(kinds, kind)["summary"], "security": []any{},
			"parameters":  headers,
			"requestBody": node{"required": true, "content": body},
			"responses": node{
				"2XX": node{"description": "It has arrived. Answer within 10 seconds, and work on it afterwards."},
				"default": node{"description": "Everything else is a failure: it is posted again after 1, 3 and 8 " +
					"seconds."},
			},
		}}
	}
	b.doc["webhooks"] = hooks
	return nil
}
