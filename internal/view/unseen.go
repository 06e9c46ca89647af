package view

import (
	"strings"
	"unicode"
)

// Unseen is what nobody sees of a document, as if it were shown; nil where there is nothing. Scripts, comments and
// attributes are no part of it.
func (v *View) Unseen() *View {
	out := &View{}
	moved := make(map[int32]int32)
	for i := range v.Runs {
		r := v.Runs[i]
		if r.Hidden == 0 {
			continue
		}
		if len(out.Runs) == 0 && out.text == "" {
			out.text = v.hidden
		}
		out.why = append(out.why, r.Hidden)
		r.Hidden = 0
		if r.Link >= 0 {
			r.Link = out.link(v, r.Link, moved)
		}
		out.Runs = append(out.Runs, r)
		if r.Link >= 0 {
			out.Links[r.Link].End = int32(len(out.Runs))
		}
	}
	for i := range v.Links {
		if v.Links[i].Hidden != 0 {
			out.link(v, int32(i), moved)
		}
	}
	if len(out.Runs) == 0 && len(out.Links) == 0 {
		return nil
	}
	return out
}

// link adds a link of v, once.
func (out *View) link(v *View, i int32, moved map[int32]int32) int32 {
	if at, ok := moved[i]; ok {
		return at
	}
	l := v.Links[i]
	if l.Hidden == 0 {
		moved[i] = -1 // some of it is shown
		return -1
	}
	l.Hidden, l.Run, l.End = 0, int32(len(out.Runs)), int32(len(out.Runs))
	moved[i] = int32(len(out.Links))
	out.Links = append(out.Links, l)
	return moved[i]
}

// Why is the rule that hides the i-th run of what Unseen returns.
func (v *View) Why(i int) Reason {
	if i < len(v.why) {
		return v.why[i]
	}
	return 0
}

// Letters are the letters and digits of everything that the document says, shown or not.
func (v *View) Letters() string {
	var b strings.Builder
	for i := range v.Runs {
		b.WriteString(Letters(v.Runs[i].Text))
	}
	return b.String()
}

// Letters are the letters and digits of a text.
func Letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, s)
}
