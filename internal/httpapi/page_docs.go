package httpapi

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the page
	"encoding/base64"
	"html/template"
	"strings"
)

//go:embed public/docs.html
var docsHTML string

//go:embed public/docs.css
var docsCSS string

//go:embed public/docs.js
var docsJS string

// docsPage makes the page that shows the description of the interface, and the policy that it is served under: it loads
// nothing, and runs the one script that filters it, copies its samples, and asks this deployment what a person wants to
// try. Without the script everything else is there.
func docsPage(view docsView) (page, policy string, err error) {
	t, err := template.New("docs").Funcs(template.FuncMap{
		"rich":   rich,
		"style":  func() template.CSS { return template.CSS(docsCSS) },
		"script": func() template.JS { return template.JS(docsJS) },
		"lower":  strings.ToLower,
		"failed": failed,
	}).Parse(docsHTML)
	if err != nil {
		return "", "", err
	}
	var b bytes.Buffer
	if err := t.Execute(&b, view); err != nil {
		return "", "", err
	}
	policy = "default-src 'none'; style-src " + hashSource(docsCSS) + "; script-src " + hashSource(docsJS) +
		"; connect-src 'self'" +
		"; form-action 'none'; frame-ancestors 'none'; base-uri 'none'"
	return b.String(), policy, nil
}

// hashSource is how a policy names a style or script that stands in the page.
func hashSource(content string) string {
	hash := sha256.Sum256([]byte(content))
	return "'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) + "'"
}

// rich writes the little markup that descriptions have: paragraphs, and code between backticks.
func rich(text string) template.HTML {
	var b strings.Builder
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		if paragraph == "" {
			continue
		}
		b.WriteString("<p>")
		for i, piece := range strings.Split(paragraph, "`") {
			if i%2 == 1 {
				b.WriteString("<code>" + template.HTMLEscapeString(piece) + "</code>")
			} else {
				b.WriteString(template.HTMLEscapeString(piece))
			}
		}
		b.WriteString("</p>\n")
	}
	return template.HTML(b.String())
}
