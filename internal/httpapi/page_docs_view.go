package httpapi

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// docsView is the description of the interface in the order in which it is read.
type docsView struct {
	Title, Summary, About string
	Groups                []docsGroup
	Hooks                 []docsOperation
	Shared                []docsField // parameters of many operations
	Errors                []docsError
	Schemas               []docsSchema
}

// docsError is a code that errors have.
type docsError struct{ Code, Status, About string }

// docsGroup holds the operations that are about one thing.
type docsGroup struct {
	Name, About string
	Operations  []docsOperation
}

// docsOperation is one thing that can be asked.
type docsOperation struct {
	ID, Method, Path, Summary, About string
	Keys                             string // who may
	Parameters                       []docsField
	Body                             *docsContent
	BodyRequired                     bool
	Answers                          []docsAnswer
	Samples                          []docsSample
}

// docsField is a parameter, or a member of an object.
type docsField struct {
	Name, Where string
	Type        docsType
	About       string
	Required    bool
	Shared      bool // it is described once for many
	Example     string
}

// docsType is what a value is, and the schema that says more.
type docsType struct{ Text, Schema string }

// docsAnswer is one status of an operation.
type docsAnswer struct {
	Status, About string
	Content       *docsContent // nil: nothing, or an error
}

// docsContent is what is sent either way.
type docsContent struct {
	Media   string
	Type    docsType
	Example string
}

// docsSchema is what an object has.
type docsSchema struct {
	Name, About string
	Type        docsType // where it is no object
	Fields      []docsField
}

// newDocsView returns the description of the interface whose routes these are, in their order.
func newDocsView(doc node, routes []route) docsView {
	r := docsReader{doc}
	info := at(doc, "info")
	view := docsView{Title: word(info, "title"), Summary: word(info, "summary"), About: word(info, "description")}
	byTag := map[string][]docsOperation{}
	for _, route := range routes {
		path := route.paths()[0]
		op := at(doc, "paths", path, strings.ToLower(route.method))
		tag := list(op, "tags")[0].(string)
		shown := r.operation(op, route.method, path)
		shown.Keys = keysOf(route)
		shown.Samples = r.samples(op, shown, route.target != open)
		byTag[tag] = append(byTag[tag], shown)
	}
	for _, tag := range list(doc, "tags") {
		name := word(tag.(node), "name")
		view.Groups = append(view.Groups, docsGroup{Name: name, About: word(tag.(node), "description"),
			Operations: byTag[name]})
	}
	hooks := at(doc, "webhooks")
	for _, kind := range mailbox.EventKinds() {
		if op := at(hooks, string(kind), "post"); op != nil {
			view.Hooks = append(view.Hooks, r.operation(op, "POST", string(kind)))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(at(doc, "components", "parameters"))) {
		if p := r.parameter(ref("parameters", name)); p.Shared {
			view.Shared = append(view.Shared, p)
		}
	}
	view.Errors = r.errors()
	for _, name := range slices.Sorted(maps.Keys(at(doc, "components", "schemas"))) {
		view.Schemas = append(view.Schemas, r.schema(name))
	}
	return view
}

// errors are the codes of all answers, by status.
func (r docsReader) errors() (all []docsError) {
	responses := at(r.doc, "components", "responses")
	seen := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(responses)) {
		for _, e := range errorsIn(word(at(responses, name), "description")) {
			if !seen[e.Code] {
				seen[e.Code] = true
				e.Status = strings.TrimPrefix(name, "Error")[:3]
				all = append(all, e)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b docsError) int { return strings.Compare(a.Status+a.Code, b.Status+b.Code) })
	return all
}

// errorsIn reads the codes out of what is said about an answer.
func errorsIn(about string) (all []docsError) {
	for paragraph := range strings.SplitSeq(about, "\n\n") {
		if code, when, ok := strings.Cut(strings.TrimPrefix(paragraph, "`"), "`: "); ok && strings.HasPrefix(paragraph,
			"`") {
			all = append(all, docsError{Code: code, About: when})
		}
	}
	return all
}

// keysOf says whose keys may use a route.
func keysOf(r route) string {
	if r.target == open {
		return "no key is needed"
	}
	var may []string
	for _, scope := range []mailbox.Scope{mailbox.Provisional, mailbox.Permanent, mailbox.Operator} {
		if scope.May(r.need) {
			may = append(may, string(scope))
		}
	}
	return "key: " + strings.Join(may, ", ")
}

// docsReader reads the description.
type docsReader struct{ doc node }

func (r docsReader) operation(op node, method, path string) docsOperation {
	shown := docsOperation{ID: word(op, "operationId"), Method: method, Path: path, Summary: word(op, "summary"),
		About: word(op, "description")}
	for _, p := range list(op, "parameters") {
		shown.Parameters = append(shown.Parameters, r.parameter(p.(node)))
	}
	if body := at(op, "requestBody"); body != nil {
		shown.Body = r.content(body)
		shown.BodyRequired, _ = body["required"].(bool)
	}
	answers := at(op, "responses")
	for _, status := range slices.Sorted(maps.Keys(answers)) {
		a := r.follow(at(answers, status))
		answer := docsAnswer{Status: status, About: word(a, "description")}
		if !failed(status) {
			answer.Content = r.content(a)
		}
		shown.Answers = append(shown.Answers, answer)
	}
	return shown
}

func (r docsReader) parameter(of node) docsField {
	p := r.follow(of)
	required, _ := p["required"].(bool)
	return docsField{Name: word(p, "name"), Where: word(p, "in"), Type: r.typeOf(at(p, "schema")),
		About: word(p, "description"), Required: required, Example: exampleOf(p),
		Shared: word(of, "$ref") != "" && word(p, "name") != "id"}
}

// failed tells whether a status is that of an error.
func failed(status string) bool { return status >= "400" && status < "600" }

// content is what a body or an answer holds, nil if it is nothing.
func (r docsReader) content(of node) *docsContent {
	all := at(of, "content")
	if len(all) == 0 {
		return nil
	}
	names := slices.Sorted(maps.Keys(all))
	first := at(all, names[len(names)-1])
	return &docsContent{Media: strings.Join(names, ", "), Type: r.typeOf(at(first, "schema")),
		Example: exampleText(first["example"])}
}

func exampleText(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if v == nil || enc.Encode(v) != nil {
		return ""
	}
	return strings.TrimSpace(b.String())
}

// follow gives what a reference means, and anything else as it is.
func (r docsReader) follow(o node) node {
	if target := word(o, "$ref"); target != "" {
		return resolve(r.doc, target)
	}
	return o
}
