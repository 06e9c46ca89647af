package rfc822

import (
	"slices"
	"strings"
)

// maxIDs bounds the ids kept of a field: the first, which is where a conversation began, and the last.
const maxIDs = 100

// messageIDs reads the ids of a field, each once, without brackets.
//
// QUIRK: ids without brackets, with blanks inside them from folding, separated by commas, or among words as in
// "Your message of Tuesday <…>".
func messageIDs(s string) []string {
	if s == "" {
		return nil
	}
	var ids []string
	seen := map[string]bool{}
	add := func(id string) {
		if id = cleanID(id); id != "" && !seen[id] {
			seen[id] = true
			ids = append(ids, id)
		}
	}
	if strings.IndexByte(s, '<') < 0 {
		bareIDs(s, add)
	}
	for {
		_, rest, ok := strings.Cut(s, "<")
		if !ok {
			break
		}
		end := strings.IndexAny(rest, "<>")
		if end < 0 {
			add(rest)
			break
		}
		add(rest[:end])
		if s = rest[end:]; s[0] == '>' {
			s = s[1:]
		}
	}
	if len(ids) > maxIDs {
		ids = slices.Concat(ids[:1], ids[len(ids)-maxIDs+1:])
	}
	return ids
}

// bareIDs finds ids that have no brackets: words with an @, or the whole where it is one word.
func bareIDs(s string, add func(string)) {
	words := strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == '\t' || r == ',' || r == ';' })
	for _, w := range words {
		if strings.IndexByte(w, '@') >= 0 || len(words) == 1 {
			add(w)
		}
	}
}

// cleanID removes what is around an id, and blanks in it. Where there are blanks, parentheses may be comments (RFC 5322
// 4.5.4); elsewhere they are left, as some programs have them in their ids.
func cleanID(id string) string {
	if isPlain(id) {
		return id
	}
	id = strings.Trim(id, " \t\r\n<>")
	if strings.ContainsAny(id, " \t\r\n") {
		id = squeeze(id)
	}
	return cleanHeader(raw8bit(id, ""))
}
