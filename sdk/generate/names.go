package main

import (
	"slices"
	"strings"
	"unicode"
)

// nameObjects makes a model of every object that has no name, named after where it is.
func (s *spec) nameObjects() {
	for i := 0; i < len(s.models); i++ { // it grows
		m := s.models[i]
		for f := range m.fields {
			s.nameObject(m.name, &m.fields[f])
		}
	}
	for _, op := range s.operations {
		for i := range op.body {
			s.nameObject(upper(op.id), &op.body[i])
		}
		if op.result.kind == inlineObj {
			op.result = s.newModel(upper(op.id)+"Result", op.result)
		}
	}
	slices.SortFunc(s.models, func(a, b *model) int { return strings.Compare(a.name, b.name) })
}

func (s *spec) nameObject(owner string, f *field) {
	s.nameType(owner+upper(f.name), &f.typ)
}

func (s *spec) nameType(name string, t *typ) {
	switch t.kind {
	case inlineObj:
		*t = s.newModel(name, *t)
	case list, dictionary:
		s.nameType(name, t.elem)
	case either:
		for i := range t.of {
			s.nameType(name, &t.of[i])
		}
	}
}

func (s *spec) newModel(name string, t typ) typ {
	m := &model{name: name, fields: t.fields}
	s.models = append(s.models, m)
	for i := range m.fields {
		s.nameObject(name, &m.fields[i])
	}
	return typ{kind: named, name: name, null: t.null}
}

// upper writes a name as a class has it: draft_id, draftId and DraftID are DraftId.
func upper(name string) string {
	var b strings.Builder
	for _, part := range strings.FieldsFunc(name, func(r rune) bool { return r == '_' || r == '-' || r == '.' }) {
		b.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return b.String()
}

// snake writes a name as a Python function has it.
func snake(name string) string {
	var b strings.Builder
	for i, r := range strings.ReplaceAll(name, "-", "_") {
		if unicode.IsUpper(r) && i > 0 && !strings.HasSuffix(b.String(), "_") {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// sentence makes one text of a summary and a description.
func sentence(parts ...string) string {
	var kept []string
	for _, p := range parts {
		if p = strings.TrimSpace(p); p != "" {
			if !strings.ContainsAny(p[len(p)-1:], ".!?:") {
				p += "."
			}
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, " ")
}

// wrap breaks a text into lines.
func wrap(text string, width int) (lines []string) {
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// requiredFirst puts the fields that must be given before the others.
func requiredFirst(fields []field) []field {
	sorted := slices.Clone(fields)
	slices.SortStableFunc(sorted, func(a, b field) int {
		switch {
		case a.required == b.required:
			return 0
		case a.required:
			return -1
		}
		return 1
	})
	return sorted
}
