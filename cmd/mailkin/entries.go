package main

import "strings"

// entry is a DNS record in a list: too long for a row on a terminal, and to be copied whole.
type entry struct {
	style string   // of its first line
	head  []string // few words
	text  string   // what is to be copied
	found string   // what is there, where that was looked for
	said  []string // about it: sentences, for people to read
}

// entries shows a list: a block for each on a terminal, and for programs a line with tabs.
func (s screen) entries(list []entry) error {
	if !s.isTerminal() {
		t := newTable(0)
		for _, e := range list {
			cells := append(append([]string(nil), e.head...), e.text)
			if e.style != plain {
				cells = append(cells, e.found)
			}
			t.add(append(cells, e.said...)...)
		}
		return s.table(t)
	}
	var b strings.Builder
	for _, e := range list {
		b.WriteString(s.styled(e.style, line(strings.Join(e.head, "  "))) + "\n")
		about := e.said
		if e.found != "" && e.found != e.text {
			about = append([]string{"There now: " + e.found}, about...)
		}
		if e.text != "" {
			b.WriteString("  " + line(e.text) + "\n")
		}
		for _, text := range about {
			if text != "" {
				b.WriteString(wrap(line(text), s.width-4, "  ") + "\n")
			}
		}
	}
	return s.trusted(b.String())
}
