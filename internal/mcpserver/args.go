package mcpserver

import (
	"fmt"
	"time"

	"github.com/mailkin/mailkin/client"
)

// args are the arguments of a call. They fit the tool's schema, with its defaults in their places.
type args map[string]any

func (a args) text(name string) string {
	s, _ := a[name].(string)
	return s
}

func (a args) is(name string) bool {
	b, _ := a[name].(bool)
	return b
}

// choice is a flag that may be left open.
func (a args) choice(name string) *bool {
	if b, ok := a[name].(bool); ok {
		return &b
	}
	return nil
}

func (a args) number(name string) int {
	n, _ := a[name].(float64)
	return int(n)
}

// words are one text, or a list of them.
func (a args) words(name string) []string {
	switch v := a[name].(type) {
	case string:
		return []string{v}
	case []any:
		words := make([]string, 0, len(v))
		for _, word := range v {
			if s, ok := word.(string); ok {
				words = append(words, s)
			}
		}
		return words
	}
	return nil
}

// moment is a time; zero: none was given.
func (a args) moment(name string) (time.Time, error) {
	value := a.text(name)
	if value == "" {
		return time.Time{}, nil
	}
	at, err := time.Parse(time.RFC3339, value)
	if err != nil {
		return time.Time{}, advice(fmt.Sprintf("The argument %s is not a time. Write it as 2026-03-02T10:00:00Z.", name))
	}
	return at, nil
}

// page is which part of a list is asked for.
func (a args) page() client.Page {
	return client.Page{Limit: a.number("limit"), Cursor: a.text("cursor")}
}

// seconds is how long to wait.
func (a args) seconds() time.Duration { return time.Duration(a.number("timeout")) * time.Second }
