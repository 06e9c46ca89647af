package mcpserver

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// fields are an object of a result.
type fields map[string]any

// mailText is a text from a mail. Where a result is sealed, it is put inside the fence.
type mailText string

// result is what a tool gives back.
type result struct {
	fields
	fromMail bool // it holds something that came by mail
	image    *mcp.ImageContent
}

// seal makes a result one that can be handed over: texts from mail are fenced, with a marker that is nowhere in the
// result.
func (r result) seal() (fields, error) {
	plain, err := encode(r.fields)
	if err != nil {
		return nil, err
	}
	f := newFence(plain)
	sealed, found := f.seal(r.fields)
	out := sealed.(fields)
	if found || r.fromMail {
		out["notice"] = notice
	}
	return out, nil
}

// seal copies a value with its texts from mail inside the fence, and tells whether there were any.
func (f fence) seal(v any) (sealed any, found bool) {
	switch v := v.(type) {
	case mailText:
		return f.around(string(v)), true
	case fields:
		out := make(fields, len(v)+1)
		for name, value := range v {
			s, is := f.seal(value)
			out[name], found = s, found || is
		}
		return out, found
	case []fields:
		out := make([]any, len(v))
		for i, value := range v {
			s, is := f.seal(value)
			out[i], found = s, found || is
		}
		return out, found
	}
	return v, false
}

// encode writes JSON as a reader likes it, without escapes that only web pages need.
func encode(v any) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return "", fmt.Errorf("encode a result: %w", err)
	}
	return string(bytes.TrimRight(b.Bytes(), "\n")), nil
}

// costIn is what a value takes of a budget.
func costIn(v any) int {
	s, err := encode(v)
	if err != nil {
		return resultLimit
	}
	return costOf(s)
}

// within takes those entries of a list that fit into a budget, in their order, and tells how many were left out.
func within[T any](items []T, budget int, show func(T) fields) (shown []fields, left int) {
	shown = []fields{}
	for _, item := range items {
		f := show(item)
		n := costIn(f) + 1
		if n > budget {
			left++
			continue
		}
		budget -= n
		shown = append(shown, f)
	}
	return shown, left
}

// brief takes words as long as they are within a budget.
func brief(words []string, budget int) []string {
	out := []string{}
	for _, w := range words {
		w = oneLine(w)
		if budget -= costOf(w) + 7; budget < 0 { // with quotes and a comma
			break
		}
		out = append(out, w)
	}
	return out
}

// nullable is a text, or null for none.
func nullable(s string) any {
	if s == "" {
		return nil
	}
	return s
}
