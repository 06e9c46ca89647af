package httpapi

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// member is a member of a JSON object as package wire writes it.
type member struct{ required, null bool }

// wireTypes gives the members of every struct of package wire, read from its source.
func wireTypes(t *testing.T) map[string]map[string]member {
	t.Helper()
	structs := map[string]*ast.StructType{}
	files, err := fs.Glob(os.DirFS("../wire"), "*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), "../wire/"+name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if spec, ok := n.(*ast.TypeSpec); ok {
				if s, ok := spec.Type.(*ast.StructType); ok {
					structs[spec.Name.Name] = s
				}
			}
			return true
		})
	}
	types := map[string]map[string]member{}
	for name := range structs {
		types[name] = membersOf(structs, name)
	}
	return types
}

func membersOf(structs map[string]*ast.StructType, name string) map[string]member {
	members := map[string]member{}
	for _, field := range structs[name].Fields.List {
		if len(field.Names) == 0 {
			maps.Copy(members, membersOf(structs, field.Type.(*ast.Ident).Name))
			continue
		}
		tag, _ := strconv.Unquote(field.Tag.Value)
		key, options, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
		_, pointer := field.Type.(*ast.StarExpr)
		ident, _ := field.Type.(*ast.Ident)
		named := ident != nil && (ident.Name == "Time" || ident.Name == "Cursor")
		members[key] = member{required: !strings.Contains(options, "omit"), null: pointer || named}
	}
	return members
}

// foreign are structs of package wire that are no part of our interface: what a provider is told and tells, and what only older clients
// are answered.
var foreign = []string{"OlderEmail", "OlderConversation", "OlderWaited", "OlderOrder", "OlderReceipt",
	"ProviderMail", "ProviderFile", "ProviderAnswer", "ResendEvent", "ResendMail", "ResendBounce", "ResendFailed"}

// The schemas are what package wire writes: the same members, of which the same may be missing, and none is null by surprise.
func TestSchemasAreWhatIsWritten(t *testing.T) {
	_, doc := described(t)
	c := jsonschema.NewCompiler()
	if err := c.AddResource("doc.json", any(doc)); err != nil {
		t.Fatal(err)
	}
	types := wireTypes(t)
	if len(types) < 60 {
		t.Fatalf("only %d structs were found", len(types))
	}
	for _, name := range slices.Sorted(maps.Keys(types)) {
		if slices.Contains(foreign, name) {
			continue
		}
		if at(doc, "components", "schemas", name) == nil {
			t.Errorf("there is no schema %s", name)
			continue
		}
		fields := map[string]member{}
		for _, f := range (docsReader{doc}).fields(at(doc, "components", "schemas", name)) {
			fields[f.Name] = member{required: f.Required, null: takesNull(t, c, doc, name, f.Name)}
		}
		compareMembers(t, name, fields, types[name])
	}
}

func compareMembers(t *testing.T, name string, described, written map[string]member) {
	t.Helper()
	for key, w := range written {
		switch d, there := described[key]; {
		case !there:
			t.Errorf("%s: %s is not described", name, key)
		case d.required != w.required:
			t.Errorf("%s: %s is described as required: %v, and written as %v", name, key, d.required, w.required)
		case d.null && !w.null:
			t.Errorf("%s: %s is never null", name, key)
		}
	}
	for key := range described {
		if _, there := written[key]; !there {
			t.Errorf("%s: %s is described and not written", name, key)
		}
	}
}

// takesNull tells whether a member of a schema may be null.
func takesNull(t *testing.T, c *jsonschema.Compiler, doc node, schema, field string) bool {
	t.Helper()
	where := "/components/schemas/" + schema
	s := at(doc, "components", "schemas", schema)
	if at(s, "properties", field) == nil {
		for i, part := range list(s, "allOf") {
			target := word(part.(node), "$ref")
			switch name := target[strings.LastIndexByte(target, '/')+1:]; {
			case target != "" && slices.ContainsFunc((docsReader{doc}).fields(resolve(doc, target)), func(f docsField) bool { return f.Name == field }):
				return takesNull(t, c, doc, name, field)
			case at(part.(node), "properties", field) != nil:
				where += "/allOf/" + strconv.Itoa(i)
			}
		}
	}
	compiled, err := c.Compile("doc.json#" + where + "/properties/" + field)
	if err != nil {
		t.Fatal(err)
	}
	return compiled.Validate(nil) == nil
}
