package httpapi

import (
	"cmp"
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

// member is a member of a JSON object as it is written.
type member struct{ required, null bool }

// writtenTypes returns the members of every struct with JSON tags, read from the source.
func writtenTypes(t *testing.T) map[string]map[string]member {
	t.Helper()
	structs := map[string]*ast.StructType{}
	for _, folder := range []string{"../../api/", "../wire/"} {
		files, err := fs.Glob(os.DirFS(folder), "*.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), folder+name, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(f, func(n ast.Node) bool {
				if spec, ok := n.(*ast.TypeSpec); ok && spec.Name.IsExported() {
					if s, ok := spec.Type.(*ast.StructType); ok && slices.ContainsFunc(s.Fields.List, isTagged) {
						structs[spec.Name.Name] = s
					}
				}
				return true
			})
		}
	}
	types := map[string]map[string]member{}
	for name := range structs {
		types[name] = membersOf(structs, name)
	}
	return types
}

func isTagged(field *ast.Field) bool { return field.Tag != nil }

func membersOf(structs map[string]*ast.StructType, name string) map[string]member {
	members := map[string]member{}
	for _, field := range structs[name].Fields.List {
		if len(field.Names) == 0 {
			of, ok := field.Type.(*ast.Ident)
			if !ok {
				of = field.Type.(*ast.SelectorExpr).Sel
			}
			maps.Copy(members, membersOf(structs, of.Name))
			continue
		}
		tag, _ := strconv.Unquote(field.Tag.Value)
		key, options, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
		_, pointer := field.Type.(*ast.StarExpr)
		ident, _ := field.Type.(*ast.Ident)
		named := ident != nil && slices.Contains([]string{"Time", "NullString", "NullInt", "Decimal"}, ident.Name)
		if key != "-" {
			members[key] = member{required: !strings.Contains(options, "omit"), null: pointer || named}
		}
	}
	return members
}

// foreign are structs that are no answers of our interface: requests, what a provider is told and tells, and what only
// older clients are answered; what is in a file; and what is only a part of others.
var foreign = []string{"Draft", "DraftFile", "DraftChange", "DraftSend", "EmailChange", "Exported", "KeyBounds",
	"NewMailbox", "RetentionChange", "ReviewDecision", "OlderEmail", "OlderConversation", "OlderWaited", "OlderOrder",
	"OlderReceipt", "ProviderMail", "ProviderFile", "ProviderAnswer", "ResendEvent", "ResendMail", "ResendBounce",
	"ResendFailed"}

// schemas are the names of the schemas of a type, where they have other names.
var schemas = map[string]string{
	"Audit": "Audits", "AuditEntry": "Audit", "Claim": "PolledClaim", "CodeCandidate": "Candidate", "DayStats": "Day",
	"Deleted": "DeletedDraft DeletedQuarantined DeletedListEntry DeletedHookRoute DeletedSuppression RevokedKey", "Found": "FoundMessage", "Inbox": "Messages",
	"IndexProgress": "Index", "IngestReceipt": "Receipt", "IngestStats": "Ingest", "PausedMailbox": "Paused",
	"PostedWebhook": "PostedHook", "PreviewedRoute": "Route", "Receipt": "PaymentReceipt", "ResumedMailbox": "Resumed",
	"Route": "HookRoute", "RouteSet": "PutHookRoute", "Routes": "HookRoutes", "WebhookAttempt": "HookAttempt",
	"WebhookDeliveries": "Hooks", "WebhookDelivery": "Hook", "WebhookRequest": "HookRequest",
	"WebhookReset": "ResetWebhook",
	"WebhookState": "Webhook", "WebhookTrial": "Trial",
}

// The schemas are what is written: the same members, of which the same may be missing, and none is null by surprise.
func TestSchemasAreWhatIsWritten(t *testing.T) {
	_, doc := described(t)
	c := jsonschema.NewCompiler()
	if err := c.AddResource("doc.json", any(doc)); err != nil {
		t.Fatal(err)
	}
	types := writtenTypes(t)
	if len(types) < 60 {
		t.Fatalf("only %d structs were found", len(types))
	}
	for _, name := range slices.Sorted(maps.Keys(types)) {
		if slices.Contains(foreign, name) {
			continue
		}
		for schema := range strings.FieldsSeq(cmp.Or(schemas[name], name)) {
			if at(doc, "components", "schemas", schema) == nil {
				t.Errorf("there is no schema %s", schema)
				continue
			}
			fields := map[string]member{}
			for _, f := range (docsReader{doc}).fields(at(doc, "components", "schemas", schema)) {
				fields[f.Name] = member{required: f.Required, null: takesNull(t, c, doc, schema, f.Name)}
			}
			compareMembers(t, schema, fields, types[name])
		}
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
			case target != "" && slices.ContainsFunc((docsReader{doc}).fields(resolve(doc, target)),
				func(f docsField) bool { return f.Name == field }):
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
