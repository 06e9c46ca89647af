package code

import "strings"

// why tells the evidence in a few words each.
func (f *finding) why(times int, use linkUse) []string {
	var parts []string
	if len(f.text) > 0 {
		parts = append(parts, f.relation.place+` "`+strings.ToLower(strings.Map(plainSpace, string(f.text)))+`"`)
	}
	switch {
	case f.relation.other <= -4:
		parts = append(parts, "named as something else")
	case f.relation.other < 0:
		parts = append(parts, "may be something else")
	}
	switch {
	case f.token.shape == shapeSingles:
		parts = append(parts, "one character at a time")
	case f.standing == onOwnLine && !f.subject:
		parts = append(parts, "alone on its line")
	case f.standing == inOwnCell:
		parts = append(parts, "alone in its cell")
	}
	if f.token.place.strong {
		parts = append(parts, "set off in the HTML")
	}
	if f.spoken {
		parts = append(parts, "in a mail that speaks of a code")
	}
	if f.signs&(1<<signFits) != 0 {
		parts = append(parts, "the only one where the text says what for")
	}
	if f.relation.cue && len(f.text) == 0 {
		parts = append(parts, "is to be used")
	}
	if f.subject {
		parts = append(parts, "in the subject")
	}
	switch use {
	case asSegment:
		parts = append(parts, "part of a link")
	case asCode:
		parts = append(parts, "the code of a link")
	}
	if times > 1 {
		parts = append(parts, "repeated")
	}
	if len(parts) == 0 {
		return []string{"no evidence"}
	}
	return parts
}

func plainSpace(r rune) rune {
	if r == '\n' || r == '\t' {
		return ' '
	}
	return r
}
