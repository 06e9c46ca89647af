package test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// A shape says in one line what existing clients read of an answer:
//
//	id:uuid code:str? labels:[str] trust:{level:verified|unverified reasons:[str]} ~note:str
//
// Members stand apart by spaces. Types are str, text (a string that is not empty), int, num, bool, time, uuid, addr,
// key, any, words that the value is one of, a list, or an object; with ? it may be null; with ~ before its name a
// member may be missing. Others may be there.
type shape struct {
	members map[string]shape // of an object
	missing map[string]bool  // those that may be missing
	item    *shape           // of a list
	word    string           // of anything else
	null    bool
}

var simple = map[string]*regexp.Regexp{
	"time": regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`),
	"uuid": regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$`),
	"addr": regexp.MustCompile(`^[^@\s]+@[^@\s]+$`),
	"key":  regexp.MustCompile(`^mk_[0-9a-f]{64}$`),
	"text": regexp.MustCompile(`(?s).`),
	"str":  regexp.MustCompile(`(?s)`),
}

// parseShape reads the members of an object.
func parseShape(t testing.TB, text string) shape {
	t.Helper()
	p := &shapeReader{text: text}
	s, err := p.members()
	if err != nil || p.text != "" {
		t.Fatalf("shape %q: %v, %q is left", text, err, p.text)
	}
	return s
}

type shapeReader struct{ text string }

// members reads them up to the end, or a closing brace.
func (p *shapeReader) members() (shape, error) {
	s := shape{members: map[string]shape{}, missing: map[string]bool{}}
	for {
		p.text = strings.TrimLeft(p.text, " \t\n")
		if p.text == "" || p.text[0] == '}' {
			return s, nil
		}
		name, rest, ok := strings.Cut(p.text, ":")
		if !ok || strings.ContainsAny(name, " {}[]") {
			return s, fmt.Errorf("a member at %.20q", p.text)
		}
		p.text = rest
		name, optional := strings.CutPrefix(name, "~")
		value, err := p.value()
		if err != nil {
			return s, err
		}
		s.members[name], s.missing[name] = value, optional
	}
}

func (p *shapeReader) value() (s shape, err error) {
	switch {
	case strings.HasPrefix(p.text, "{"):
		p.text = p.text[1:]
		if s, err = p.members(); err == nil {
			err = p.skip("}")
		}
	case strings.HasPrefix(p.text, "["):
		p.text = p.text[1:]
		var item shape
		if item, err = p.value(); err == nil {
			s.item, err = &item, p.skip("]")
		}
	default:
		end := strings.IndexAny(p.text+" ", " ?]}\n\t")
		s.word, p.text = p.text[:end], p.text[end:]
		if s.word == "" {
			err = fmt.Errorf("a type at %.20q", p.text)
		}
	}
	p.text, s.null = strings.TrimPrefix(p.text, "?"), strings.HasPrefix(p.text, "?")
	return s, err
}

func (p *shapeReader) skip(sign string) error {
	rest, ok := strings.CutPrefix(p.text, sign)
	p.text = rest
	if !ok {
		return fmt.Errorf("no %s at %.20q", sign, p.text)
	}
	return nil
}

// fits tells what of a value is not as the shape says.
func (s shape) fits(where string, v any) error {
	switch {
	case v == nil && s.null, s.word == "any":
		return nil
	case s.members != nil:
		return s.fitsObject(where, v)
	case s.item != nil:
		list, ok := v.([]any)
		if !ok {
			return fmt.Errorf("%s is %v, want a list", where, v)
		}
		for i, one := range list {
			if err := s.item.fits(fmt.Sprintf("%s[%d]", where, i), one); err != nil {
				return err
			}
		}
		return nil
	}
	if !s.fitsWord(v) {
		return fmt.Errorf("%s is %#v, want %s", where, v, s.word)
	}
	return nil
}

func (s shape) fitsObject(where string, v any) error {
	o, ok := v.(map[string]any)
	if !ok {
		return fmt.Errorf("%s is %v, want an object", where, v)
	}
	for name, want := range s.members {
		value, there := o[name]
		if !there && s.missing[name] {
			continue
		}
		if !there {
			return fmt.Errorf("%s.%s is missing", where, name)
		}
		if err := want.fits(where+"."+name, value); err != nil {
			return err
		}
	}
	return nil
}

func (s shape) fitsWord(v any) bool {
	switch v := v.(type) {
	case bool:
		return s.word == "bool" || s.word == fmt.Sprint(v)
	case json.Number:
		_, err := v.Int64()
		return s.word == "num" || s.word == "int" && err == nil || s.word == v.String()
	case string:
		if form := simple[s.word]; form != nil {
			return form.MatchString(v)
		}
		for word := range strings.SplitSeq(s.word, "|") {
			if v == word {
				return true
			}
		}
	}
	return false
}

// has wants an answer to be of a shape.
func (a answer) has(t testing.TB, want string) map[string]any {
	t.Helper()
	var o map[string]any
	decoder := json.NewDecoder(bytes.NewReader(a.body))
	decoder.UseNumber()
	if err := decoder.Decode(&o); err != nil {
		t.Fatalf("not a JSON object: %v in %.300s", err, a.body)
	}
	if err := parseShape(t, want).fits("", o); err != nil {
		t.Errorf("%v\nin %.3000s", err, a.body)
	}
	return o
}

// The notation itself.
func TestShapes(t *testing.T) {
	id := "019a0000-0000-7000-8000-000000000000"
	for _, tt := range []struct {
		shape, value string
		fits         bool
	}{
		{"a:str", `{"a":"","b":1}`, true},
		{"a:str", `{"a":null}`, false},
		{"a:str", `{}`, false},
		{"a:str", `{"a":1}`, false},
		{"a:str?", `{"a":null}`, true},
		{"a:text", `{"a":""}`, false},
		{"~a:int", `{}`, true},
		{"~a:int", `{"a":null}`, false},
		{"a:int b:num", `{"a":1,"b":1.5}`, true},
		{"a:int", `{"a":1.5}`, false},
		{"a:bool b:true", `{"a":false,"b":true}`, true},
		{"a:true", `{"a":false}`, false},
		{"a:x|y", `{"a":"y"}`, true},
		{"a:x|y", `{"a":"z"}`, false},
		{"a:7", `{"a":7}`, true},
		{"a:[str]", `{"a":[]}`, true},
		{"a:[str]", `{"a":["b",null]}`, false},
		{"a:[str]", `{"a":null}`, false},
		{"a:[{b:uuid}] c:str", `{"a":[{"b":"` + id + `"}],"c":""}`, true},
		{"a:[{b:uuid}]", `{"a":[{"b":"x"}]}`, false},
		{"a:{b:{c:time?}}?", `{"a":{"b":{"c":"2026-01-01T00:00:00.000Z"}}}`, true},
		{"a:{b:{c:time}}?", `{"a":{"b":{"c":"2026-01-01T00:00:00Z"}}}`, false},
		{"a:{b:str}?", `{"a":null}`, true},
		{"a:any", `{"a":[1]}`, true},
	} {
		var o any
		decoder := json.NewDecoder(strings.NewReader(tt.value))
		decoder.UseNumber()
		if err := decoder.Decode(&o); err != nil {
			t.Fatal(err)
		}
		if err := parseShape(t, tt.shape).fits("", o); (err == nil) != tt.fits {
			t.Errorf("%s and %s: %v", tt.shape, tt.value, err)
		}
	}
}
