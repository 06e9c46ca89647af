package mcpserver

// schema is a JSON schema.
type schema map[string]any

// members are the members of an object, by name.
type members map[string]schema

// object is the schema of an object. The names are of those members that must be there.
func object(has members, required ...string) schema {
	s := schema{"type": "object", "properties": has}
	if len(required) > 0 {
		s["required"] = required
	}
	return s
}

// arguments is the schema of a tool's input, which has no other members: a misspelt one is told, not ignored.
func arguments(has members, required ...string) schema {
	s := object(has, required...)
	s["additionalProperties"] = false
	return s
}

func of(kind, about string) schema {
	s := schema{"type": kind}
	if about != "" {
		s["description"] = about
	}
	return s
}

func text(about string) schema { return of("string", about) }
func flag(about string) schema { return of("boolean", about) }

// orNull allows null.
func (s schema) orNull() schema {
	s["type"] = []string{s["type"].(string), "null"}
	return s
}

// bounded sets how many characters a text may have.
func (s schema) bounded(least, most int) schema {
	s["minLength"], s["maxLength"] = least, most
	return s
}

// whole is a whole number between two bounds; the default is what counts if it is not given.
func whole(about string, least, most, standard int) schema {
	s := of("integer", about)
	s["minimum"], s["maximum"], s["default"] = least, most, standard
	return s
}

// count is a whole number in a result.
func count(about string) schema {
	s := of("integer", about)
	s["minimum"] = 0
	return s
}

// choice is one of several words; the first is the default.
func choice(about string, words ...string) schema {
	s := text(about)
	s["enum"], s["default"] = words, words[0]
	return s
}

// list is a list of the same.
func list(about string, item schema) schema {
	s := of("array", about)
	s["items"] = item
	return s
}

// moment is a time.
func moment(about string) schema {
	s := text(about)
	s["format"] = "date-time"
	return s
}

// addresses are one address, or several.
func addresses(about string) schema {
	one := text("").bounded(3, 1000)
	several := list("", one)
	several["minItems"], several["maxItems"] = 1, 50
	return schema{"description": about + ": one address or a list, each a@b.example or Name <a@b.example>", "anyOf": []schema{one, several}}
}

// id is the schema of an id.
func id(about string) schema { return text(about).bounded(1, 100) }
