package view

import "strings"

// support tells whether a browser supports something.
type support int8

const (
	supportNo support = iota - 1
	supportUnknown
	supportYes
)

// supports evaluates a condition of @supports. What is not known stays so: rules that may not apply must not hide mail.
func (s *sheet) supports(condition string, depth int) support {
	if depth > deepest {
		return supportUnknown
	}
	result, operator := support(0), ""
	for first := true; condition != ""; first = false {
		rest, not := strings.CutPrefix(condition, "not")
		rest = trim(rest)
		open := strings.IndexByte(rest, '(')
		if open < 0 {
			return supportUnknown
		}
		end := skipNested(rest, open)
		if end >= len(rest) {
			return supportUnknown
		}
		one := s.supportsOne(trim(rest[:open]), trim(rest[open+1:end]), depth)
		if not {
			one = -one
		}
		switch {
		case first:
			result = one
		case operator == "and":
			result = min(result, one)
		case operator == "or":
			result = max(result, one)
		default:
			return supportUnknown
		}
		operator, condition, _ = strings.Cut(trim(rest[end+1:]), " ")
		condition = trim(condition)
	}
	return result
}

// supportsOne evaluates what stands in brackets, after the name of a function if there is one.
func (s *sheet) supportsOne(function, args string, depth int) support {
	switch {
	case function == "selector":
		scratch := sheet{quirks: s.quirks}
		if _, ok := scratch.parse(args); ok {
			return supportYes
		}
		return supportUnknown
	case function != "":
		return supportUnknown
	case strings.HasPrefix(args, "(") || strings.HasPrefix(args, "not"):
		return s.supports(args, depth+1)
	}
	name, value, ok := strings.Cut(args, ":")
	name, value = trim(name), trim(value)
	id := propertyOf(name)
	switch {
	case !ok:
		return supportUnknown
	case strings.HasPrefix(name, "--"), id != pNone && len(appendDecl(nil, id, name, value)) > 0:
		return supportYes
	case id == pNone || strings.Contains(value, "("):
		return supportUnknown
	}
	return supportNo
}
