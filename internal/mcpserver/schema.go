package mcpserver

// schema is a JSON schema. A model reads those of all tools before it reads any mail, so they say what it needs to
// know, and no more.
type schema map[string]any

// schema is that of a tool's arguments. It allows others: a client that checks what a model sends must not refuse what
// is taken by another name. One that is misspelt is told (read.go).
func (list arguments) schema() schema {
	properties := schema{}
	var needed []string
	for _, a := range list {
		if a.hidden {
			continue
		}
		properties[a.name] = a.schema()
		if a.needed {
			needed = append(needed, a.name)
		}
	}
	s := schema{"type": "object", "properties": properties}
	if needed != nil {
		s["required"] = needed
	}
	return s
}

func (a argument) schema() schema {
	s := a.kind.schema()
	if a.about != "" {
		s["description"] = a.about
	}
	switch {
	case a.kind == whole:
		if a.most <= mostBudget {
			s["maximum"] = a.most
		}
		if a.usual > 0 {
			s["default"] = a.usual
		}
	case a.among != nil && a.kind == words:
		s["items"].(schema)["enum"] = a.among
	case a.among != nil:
		s["enum"] = a.among
		if !a.open {
			s["default"] = a.among[0]
		}
	}
	return s
}

func (k kind) schema() schema {
	text := schema{"type": "string"}
	list := schema{"type": "array", "items": schema{"type": "string"}}
	switch k {
	case whole:
		return schema{"type": "integer"}
	case flag:
		return schema{"type": "boolean"}
	case moment:
		return schema{"type": "string", "format": "date-time"}
	case words:
		return list
	case several:
		return schema{"anyOf": []schema{text, list}}
	case files:
		return schema{"type": "array", "items": schema{
			"type": "object", "required": []string{"filename", "content"},
			"properties": schema{
				"filename": text, "content": schema{"type": "string", "description": "base64"}, "content_type": text,
			},
		}}
	}
	return text
}
