package link

import "strings"

// fill puts a link where @ is.
func fill(text, link string) string { return strings.Replace(text, "@", link, 1) }

// asHTML makes paragraphs of a text.
func asHTML(text string) string {
	return "<p>" + strings.ReplaceAll(strings.ReplaceAll(text, "\n\n", "</p>\n<p>"), "\n", "<br>") + "</p>"
}
