package compose

import (
	"html"
	"net/url"
	"slices"
	"strings"
)

// shown parts the attachments that the HTML shows from the others, each in their order.
func (m Mail) shown() (inline, files []Attachment) {
	var ids map[string]bool
	if m.HasHTML && slices.ContainsFunc(m.Attachments, func(a Attachment) bool { return a.ContentID != "" }) {
		ids = references(m.HTML)
	}
	for _, a := range m.Attachments {
		if a.ContentID != "" && ids[a.ContentID] {
			inline = append(inline, a)
		} else {
			files = append(files, a)
		}
	}
	return inline, files
}

// references finds the content ids that a document names in URLs (RFC 2392), as written and unescaped.
func references(doc string) map[string]bool {
	ids := map[string]bool{}
	for {
		colon := strings.IndexByte(doc, ':')
		if colon < 0 {
			return ids
		}
		scheme := doc[max(colon-3, 0):colon]
		doc = doc[colon+1:]
		if !strings.EqualFold(scheme, "cid") {
			continue
		}
		end := strings.IndexAny(doc[:min(len(doc), 3*maxID)], "\"'<>() \t\r\n")
		if end < 0 {
			end = min(len(doc), 3*maxID)
		}
		id := html.UnescapeString(doc[:end])
		ids[doc[:end]], ids[id] = true, true
		doc = doc[end:]
		if plain, err := url.PathUnescape(id); err == nil {
			ids[plain] = true
		}
	}
}
