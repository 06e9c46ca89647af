package httpapi

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// described returns the description of the interface as clients read it.
func described(t *testing.T) (raw string, doc node) {
	t.Helper()
	m, err := sharedManual()
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.openapi.print("https://mail.example.com")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(p.plain, &doc); err != nil {
		t.Fatal(err)
	}
	return string(p.plain), doc
}

// Every route is described, and nothing else is.
func TestDescriptionHasEveryRoute(t *testing.T) {
	_, doc := described(t)
	var written, served []string
	for path, operations := range at(doc, "paths") {
		for method := range operations.(node) {
			written = append(written, strings.ToUpper(method)+" "+path)
		}
	}
	for _, r := range routes {
		served = append(served, r.method+" "+r.paths()[0])
	}
	slices.Sort(written)
	slices.Sort(served)
	if !slices.Equal(written, served) {
		t.Errorf("described are\n%s\nand the routes are\n%s", strings.Join(written, "\n"), strings.Join(served, "\n"))
	}
	for _, row := range []struct {
		name   string
		routes []route
	}{
		{"a route that nobody described", append(slices.Clone(routes), route{method: get, path: "new"})},
		{"a description that nobody serves", routes[1:]},
	} {
		if _, err := newDocument(row.routes); err == nil {
			t.Errorf("%s is not noticed", row.name)
		}
	}
}

// A program that knows OpenAPI reads the document.
func TestDescriptionIsOpenAPI(t *testing.T) {
	raw, _ := described(t)
	doc, err := openapi3.NewLoader().LoadFromData([]byte(raw))
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(t.Context(), openapi3.DisableExamplesValidation()); err != nil {
		t.Error(err)
	}
	if got := doc.Servers[0].URL; got != "https://mail.example.com" {
		t.Errorf("the server is %s", got)
	}
	for _, part := range []string{"x-optional", baseMark, `"errors":`} {
		if strings.Contains(raw, part) {
			t.Errorf("%s is left in it", part)
		}
	}
}

// Everything that can have an example has one, and it fits its schema.
func TestDescriptionHasExamples(t *testing.T) {
	_, doc := described(t)
	c := jsonschema.NewCompiler()
	if err := c.AddResource("doc.json", any(doc)); err != nil {
		t.Fatal(err)
	}
	checked := 0
	check := func(where string, value any) {
		checked++
		schema, err := c.Compile("doc.json#" + where)
		if err != nil {
			t.Errorf("%s: %v", where, err)
			return
		}
		if err := schema.Validate(value); err != nil {
			t.Errorf("%s: the example %v: %v", where, value, err)
		}
	}
	walk(doc, "", func(where string, n node) {
		schema, hasSchema := n["schema"].(node)
		one, hasOne := n["example"]
		some := at(n, "examples")
		switch {
		case !hasSchema || strings.Contains(where, "/schemas/"):
			for _, e := range list(n, "examples") {
				if isSchema(n) {
					check(where, e)
				}
			}
		case hasOne && len(schema) > 0:
			check(where+"/schema", one)
		case some != nil:
			for _, name := range slices.Sorted(maps.Keys(some)) {
				check(where+"/schema", at(some, name)["value"])
			}
		case !hasOne:
			t.Errorf("%s has no example", where)
		}
	})
	if checked < 300 {
		t.Errorf("only %d examples", checked)
	}
}

func isSchema(n node) bool {
	for _, name := range []string{"type", "$ref", "anyOf", "oneOf", "allOf", "enum", "const"} {
		if n[name] != nil {
			return true
		}
	}
	return false
}

// walk goes through every object of the document that is not an example.
func walk(v any, where string, visit func(string, node)) {
	switch v := v.(type) {
	case node:
		visit(where, v)
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if name != "example" && name != "examples" && name != "const" {
				walk(v[name], where+"/"+strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D").Replace(name),
					visit)
			}
		}
	case []any:
		for i, one := range v {
			walk(one, fmt.Sprintf("%s/%d", where, i), visit)
		}
	}
}

// What an operation says of itself is enough to choose it by.
func TestDescriptionIsComplete(t *testing.T) {
	_, doc := described(t)
	seen := map[string]bool{}
	used := map[string]bool{}
	walk(doc, "", func(_ string, n node) { used[word(n, "$ref")] = true })
	for path, operations := range at(doc, "paths") {
		for method, value := range operations.(node) {
			op := value.(node)
			id := word(op, "operationId")
			if id == "" || seen[id] || word(op, "summary") == "" || len(list(op, "tags")) != 1 {
				t.Errorf("%s %s: id %q, summary %q, tags %v", method, path, id, word(op, "summary"), op["tags"])
			}
			seen[id] = true
			if answers := at(op, "responses"); answers["500"] == nil || len(answers) < 3 {
				t.Errorf("%s %s: answers %v", method, path, slices.Sorted(maps.Keys(answers)))
			}
		}
	}
	for _, kind := range []string{"schemas", "parameters", "headers", "responses"} {
		for name := range at(doc, "components", kind) {
			if !used["#/components/"+kind+"/"+name] {
				t.Errorf("nobody uses %s %s", kind, name)
			}
		}
	}
}
