package openid

import (
	"strings"
)

// claims are what a provider says of a person.
type claims map[string]any

// find looks up a claim by its name. A name with dots that is no claim leads into objects: realm_access.roles.
func (c claims) find(name string) any {
	if value, ok := c[name]; ok {
		return value
	}
	first, rest, nested := strings.Cut(name, ".")
	if inner, ok := c[first].(map[string]any); ok && nested {
		return claims(inner).find(rest)
	}
	return nil
}

func (c claims) has(name string) bool { return c.find(name) != nil }

func (c claims) text(name string) string {
	s, _ := c.find(name).(string)
	return s
}

// email is the person's address, where the provider says that it has made sure of it.
func (c claims) email() string {
	address := strings.ToLower(strings.TrimSpace(c.text("email")))
	if sure := c["email_verified"]; sure != true && sure != "true" || len(address) > textMost {
		return ""
	}
	return address
}

// values are those of the claim that roles depend on: a text, or a list of them.
func (c claims) values(name string) []string {
	if name == "email" {
		return []string{c.email()}
	}
	switch value := c.find(name).(type) {
	case string:
		return []string{value}
	case []any:
		var list []string
		for _, one := range value[:min(len(value), valuesMost)] {
			if s, ok := one.(string); ok {
				list = append(list, s)
			}
		}
		return list
	}
	return nil
}
