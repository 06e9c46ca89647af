package sender

import "strings"

// tag is one name=value of a list (RFC 6376 3.2), which DKIM and DMARC share.
type tag struct {
	name  string
	value string // without the blanks around it
	// where the value is in the list, with those blanks
	start, end int
}

// maxTags bounds a list. The longest known has fifteen.
const maxTags = 64

// parseTags reads a list. It is not ok if something in it is no tag, or a name comes twice; what could be read is given
// all the same, the first of each name.
func parseTags(s string) (tags []tag, ok bool) {
	ok = true
	for start := 0; start <= len(s); {
		if len(tags) == maxTags {
			return tags, false
		}
		end := strings.IndexByte(s[start:], ';')
		if end < 0 {
			end = len(s) - start
		}
		end += start
		if trimFold(s[start:end]) != "" {
			t, isTag := parseTag(s[start:end], end)
			if _, twice := tagValue(tags, t.name); isTag && !twice {
				tags = append(tags, t)
			} else {
				ok = false
			}
		}
		start = end + 1
	}
	return tags, ok
}

// parseTag reads one, which ends there in the list.
func parseTag(s string, end int) (t tag, ok bool) {
	name, value, ok := strings.Cut(s, "=")
	t = tag{trimFold(name), trimFold(value), end - len(value), end}
	return t, ok && isTagName(t.name)
}

func tagValue(tags []tag, name string) (value string, ok bool) {
	for _, t := range tags {
		if t.name == name {
			return t.value, true
		}
	}
	return "", false
}

func isTagName(s string) bool {
	for i := range len(s) {
		if !isAlpha(s[i]) && (i == 0 || !isDigit(s[i]) && s[i] != '_') {
			return false
		}
	}
	return s != ""
}

// folding is white space in a header field.
const folding = " \t\r\n"

func trimFold(s string) string { return strings.Trim(s, folding) }

// withoutFold is a value that may be folded anywhere.
func withoutFold(s string) string {
	if !strings.ContainsAny(s, folding) {
		return s
	}
	return strings.NewReplacer(" ", "", "\t", "", "\r", "", "\n", "").Replace(s)
}

// splitList splits a value at its colons.
func splitList(s string) []string {
	parts := strings.Split(s, ":")
	for i := range parts {
		parts[i] = strings.ToLower(trimFold(parts[i]))
	}
	return parts
}
