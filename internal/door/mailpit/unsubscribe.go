package mailpit

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// unsubscribe is how a message says that one leaves a list.
type unsubscribe struct {
	Header     string
	Links      []string
	Errors     string
	HeaderPost string
}

// unsubscribeOf reads List-Unsubscribe (RFC 2369, 8058): addresses in angle brackets, with commas between.
func unsubscribeOf(d *mailbox.Detail) unsubscribe {
	u := unsubscribe{Header: d.Header("List-Unsubscribe"), Links: []string{}}
	if u.Header == "" {
		return u
	}
	u.HeaderPost = d.Header("List-Unsubscribe-Post")
	links, wrong := unsubscribeLinks(u.Header)
	u.Links, u.Errors = append(u.Links, links...), strings.Join(wrong, ", ")
	return u
}

func unsubscribeLinks(header string) (links, wrong []string) {
	kinds := make(map[string]bool)
	for item := range strings.SplitSeq(stripComments(header), ",") {
		item = strings.TrimSpace(item)
		inner, opened := strings.CutPrefix(item, "<")
		inner, closed := strings.CutSuffix(inner, ">")
		if !opened || !closed {
			return links, append(wrong, fmt.Sprintf("%q is not in angle brackets", item))
		}
		kind := ""
		switch lower := strings.ToLower(inner); {
		case strings.ContainsAny(inner, " \t"):
			wrong = append(wrong, fmt.Sprintf("%q has a space in it", inner))
			continue
		case strings.HasPrefix(lower, "mailto:"):
			kind = "mailto"
		case strings.HasPrefix(lower, "http://"), strings.HasPrefix(lower, "https://"):
			kind = "http"
		default:
			wrong = append(wrong, fmt.Sprintf("%q is neither http(s): nor mailto:", inner))
			continue
		}
		if _, err := url.Parse(inner); err != nil || kinds[kind] {
			wrong = append(wrong, fmt.Sprintf("%q is not a URL, or the second of its kind", inner))
			continue
		}
		kinds[kind] = true
		links = append(links, inner)
	}
	return links, wrong
}

// stripComments takes out what is in parentheses.
func stripComments(s string) string {
	var b strings.Builder
	depth := 0
	for _, r := range s {
		switch {
		case r == '(':
			depth++
		case r == ')' && depth > 0:
			depth--
		case depth == 0:
			b.WriteRune(r)
		}
	}
	return b.String()
}
