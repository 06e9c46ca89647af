package httpapi

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// errorAnswer returns the name of the answer for a status with one of these codes, which is made if there is none yet.
func (b *builder) errorAnswer(status string, codes []string) string {
	key := status + " " + strings.Join(codes, " ")
	if name, made := b.named[key]; made {
		return name
	}
	name := "Error" + status
	for n := 2; b.responses[name] != nil; n++ {
		name = fmt.Sprintf("Error%s-%d", status, n)
	}
	b.named[key] = name
	answer := node{
		"description": b.causes(codes),
		"content": node{"application/json": node{"schema": b.errorSchema(codes),
			"examples": b.errorExamples(codes)}},
	}
	addHeaders(answer, "X-Request-Id")
	switch status {
	case "401":
		addHeaders(answer, "WWW-Authenticate")
	case "429", "503":
		addHeaders(answer, "Retry-After")
	}
	if slices.Contains(codes, "rate_limited") {
		addHeaders(answer, "RateLimit-Policy", "RateLimit")
	}
	b.responses[name] = answer
	return name
}

// causes says when the codes are answered.
func (b *builder) causes(codes []string) string {
	var lines []string
	for _, code := range codes {
		known := at(b.errors, code)
		if word(known, "schema") != "" {
			lines = append(lines, word(known, "when"))
		} else {
			lines = append(lines, "`"+code+"`: "+word(known, "when"))
		}
	}
	return strings.Join(lines, "\n\n")
}

// errorSchema is what such an answer holds: one of the exact bodies, or an error with one of the codes.
func (b *builder) errorSchema(codes []string) node {
	var exact, words, forms []any
	for _, code := range codes {
		switch schema := word(at(b.errors, code), "schema"); {
		case schema != "":
			exact = append(exact, ref("schemas", schema))
		case strings.HasSuffix(code, "*"):
			forms = append(forms, node{"pattern": "^" + strings.TrimSuffix(code, "*") + "[a-z_]+$"})
		default:
			words = append(words, code)
		}
	}
	if words != nil {
		forms = append([]any{node{"enum": words}}, forms...)
	}
	if forms != nil {
		code := node{"anyOf": forms}
		if len(forms) == 1 {
			code = forms[0].(node)
		}
		exact = append(exact, node{"allOf": []any{ref("schemas", "Error"), node{"properties": node{"code": code}}}})
	}
	if len(exact) == 1 {
		return exact[0].(node)
	}
	return node{"anyOf": exact}
}

func (b *builder) errorExamples(codes []string) node {
	examples := node{}
	for _, code := range codes {
		known := at(b.errors, code)
		if schema := word(known, "schema"); schema != "" {
			examples[code] = node{"value": at(b.doc, "components", "schemas", schema)["const"]}
			continue
		}
		name := code
		if as := word(known, "as"); as != "" {
			name = as
		}
		value := node{"error": known["says"], "code": name}
		maps.Copy(value, at(known, "with"))
		examples[name] = node{"value": value}
	}
	return examples
}
