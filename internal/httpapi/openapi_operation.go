package httpapi

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// complete adds to an operation what follows from its route.
func (b *builder) complete(op node, r route) error {
	parameters := list(op, "parameters")
	if r.target == own {
		parameters = append(parameters, "mailbox", "to")
	}
	for i, p := range parameters {
		name, isName := p.(string)
		switch {
		case isName && at(b.doc, "components", "parameters", name) == nil:
			return fmt.Errorf("no parameter %s", name)
		case isName:
			parameters[i] = ref("parameters", name)
		}
	}
	if parameters != nil {
		op["parameters"] = parameters
	}
	if _, said := op["security"]; !said && r.target == open {
		op["security"] = []any{}
	}
	if err := b.completeBody(op, r.body); err != nil {
		return err
	}
	return b.completeAnswers(op, r)
}

// completeBody writes out the body that an operation takes.
func (b *builder) completeBody(op node, kind bodyKind) error {
	switch body := op["requestBody"].(type) {
	case nil:
		if kind != noBody && kind != drained {
			return fmt.Errorf("no body")
		}
	case string:
		content, err := b.json(body)
		if err != nil {
			return err
		}
		op["requestBody"] = node{"required": kind != optionalObject, "content": content}
	case node:
		for _, media := range at(body, "content") {
			b.exemplify(media.(node))
		}
	}
	return nil
}

// completeAnswers writes out the answers of an operation, and adds the errors that it can meet.
func (b *builder) completeAnswers(op node, r route) error {
	answers := at(op, "responses")
	for status, answer := range answers {
		full, ok := answer.(node)
		if name, isName := answer.(string); isName {
			var err error
			if full, err = b.answer(name, status); err != nil {
				return err
			}
			answers[status], ok = full, true
		}
		if !ok {
			return fmt.Errorf("answer %s is neither a name nor an object", status)
		}
		for _, media := range at(full, "content") {
			b.exemplify(media.(node))
		}
		addHeaders(full, "X-Request-Id")
	}
	codes := list(op, "errors")
	delete(op, "errors")
	if r.path == claimPath {
		return nil // its errors are pages, and written out
	}
	return b.addErrors(answers, append(codes, commonErrors(r)...))
}

// answer is what a word stands for.
func (b *builder) answer(name, status string) (node, error) {
	full := node{"description": "The content."}
	var err error
	switch {
	case name == "unchanged":
		full["description"] = "Nothing has changed."
		addHeaders(full, "ETag")
	case name == "page":
		full["description"] = "A page."
		full["content"] = node{"text/html": node{"schema": node{"type": "string"}, "example": "<!doctype html>"}}
	case name == "sending":
		full["description"] = "It is on its way; or, with `dry_run`, what would be."
		full["content"] = node{"application/json": node{"schema": node{"anyOf": []any{ref("schemas", "Sending"),
			ref("schemas", "Preview")}}}}
	case name == "held":
		full["description"] = "It is stored, and a person has to approve it before it is sent."
		full["content"], err = b.json("Sending")
	case strings.HasPrefix(name, "text/"):
		full["content"] = node{name: node{"schema": node{"type": "string"}, "example": "…"}}
	case strings.Contains(name, "/"):
		full["content"] = node{name: node{"schema": node{}, "example": "…"}}
		addHeaders(full, "ETag", "Content-Disposition")
		if status == "206" {
			full["description"] = "The bytes that were asked for."
			addHeaders(full, "Content-Range")
		}
	default:
		full["description"] = at(b.doc, "components", "schemas", name)["description"]
		full["content"], err = b.json(name)
	}
	return full, err
}

// json is content of a schema.
func (b *builder) json(schema string) (node, error) {
	media := node{"schema": ref("schemas", schema)}
	if schema == "Anything" {
		media = node{"schema": node{"type": "object"}, "example": node{}}
	} else if at(b.doc, "components", "schemas", schema) == nil {
		return nil, fmt.Errorf("no schema %s", schema)
	}
	b.exemplify(media)
	return node{"application/json": media}, nil
}

func ref(kind, name string) node { return node{"$ref": "#/components/" + kind + "/" + name} }

func addHeaders(answer node, names ...string) {
	if at(answer, "headers") == nil {
		answer["headers"] = node{}
	}
	for _, name := range names {
		at(answer, "headers")[name] = ref("headers", name)
	}
}

// commonErrors are the codes that a route can answer for what it shares with others: its key, its body, and the service
// after it.
func commonErrors(r route) []any {
	codes := []any{"internal", "unavailable", "too_many_connections", "interrupted", "storage_unavailable", "disk_full",
		"body_too_large"}
	if r.path != healthPath && r.path != readyPath {
		codes = append(codes, "rate_limited")
	}
	if r.target != open {
		codes = append(codes, "unauthorized", "paused", "scope_denied", "provisional_capability_denied",
			"auth_rate_limited", "invalid_query", "invalid_*", "mailbox_key_lost")
	}
	switch r.target {
	case own:
		codes = append(codes, "forbidden", "not_found")
	case addressed:
		codes = append(codes, "not_found")
		if r.need == mailbox.ControlMailbox { // a key may have it for its own mailbox
			codes = append(codes, "forbidden")
		}
	}
	switch r.body {
	case noBody:
	case drained:
		codes = append(codes, "invalid_body", "request_timeout")
	default:
		codes = append(codes, "invalid_body", "request_timeout", "unsupported_media_type")
	}
	return codes
}

// addErrors adds an answer for each status that the codes have.
func (b *builder) addErrors(answers node, codes []any) error {
	byStatus := map[string][]string{}
	for _, code := range codes {
		name := code.(string)
		known := at(b.errors, name)
		if known == nil {
			return fmt.Errorf("no error %s", name)
		}
		status := fmt.Sprint(known["status"])
		if !slices.Contains(byStatus[status], name) {
			byStatus[status] = append(byStatus[status], name)
		}
	}
	for status, names := range byStatus {
		if answers[status] == nil {
			slices.Sort(names)
			answers[status] = ref("responses", b.errorAnswer(status, names))
		}
	}
	return nil
}
