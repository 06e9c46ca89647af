package httpapi

import (
	_ "embed" // the texts
	"slices"
	"strings"
	"text/template"
)

// llmsText says what the service is, and where a model finds more.
//
//go:embed public/llms.txt
var llmsText string

// skillText tells an agent how to use the deployment.
//
//go:embed public/skill.md
var skillText string

// fullTemplate lists every operation.
//
//go:embed public/llms-full.txt
var fullTemplate string

// fullText is the whole manual for a model: the skill, and then every operation, schema and webhook.
func fullText(view docsView) (string, error) {
	t, err := template.New("full").Funcs(template.FuncMap{
		"line":   func(s string) string { return strings.Join(strings.Fields(s), " ") },
		"failed": failed,
		"codes":  codesOf,
		"shared": sharedNames,
	}).Parse(fullTemplate)
	if err != nil {
		return "", err
	}
	_, body, _ := strings.Cut(strings.TrimPrefix(skillText, "---\n"), "\n---\n")
	var b strings.Builder
	b.WriteString(strings.TrimSpace(body) + "\n\n")
	err = t.Execute(&b, view)
	return b.String(), err
}

// codesOf picks the codes out of what is said about an error that not every operation has.
func codesOf(about string) string {
	var codes []string
	for _, e := range errorsIn(about) {
		if !slices.Contains(everywhere, e.Code) {
			codes = append(codes, e.Code)
		}
	}
	return strings.Join(codes, ", ")
}

// everywhere are codes that hardly any operation is without.
var everywhere = []string{"internal", "unavailable", "too_many_connections", "interrupted", "storage_unavailable",
	"disk_full", "mailbox_key_lost", "body_too_large", "scope_denied", "provisional_capability_denied",
	"auth_rate_limited", "rate_limited", "invalid_query", "invalid_*", "not_found", "invalid_body", "request_timeout",
	"unsupported_media_type"}

// sharedNames are the parameters of an operation that are described once for all.
func sharedNames(parameters []docsField) string {
	var names []string
	for _, p := range parameters {
		if p.Shared && p.Name != "mailbox" && p.Name != "to" {
			names = append(names, "`"+p.Name+"`")
		}
	}
	return strings.Join(names, ", ")
}
