package view

import "strings"

// support tells whether a browser supports something.
type support int8

const (
	supportNo support = iota - 1
	supportUnknown
	supportYes
)

// supports evaluates a condition of @supports. What is not known stays so.
func (s *sheet) supports(condition string) support {
	if condition == "" || !s.spend(len(condition)) {
		return supportNo
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
			return supportNo
		}
		one := s.supportsOne(trim(rest[:open]), trim(rest[open+1:end]))
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

// supportsOne evaluates what stands in brackets, behind the name of a function if there is one.
func (s *sheet) supportsOne(function, args string) support {
	switch {
	case function == "selector":
		scratch := sheet{quirks: s.quirks, budget: s.budget}
		if _, ok := scratch.parse(args); ok {
			return supportYes
		}
		return supportUnknown
	case function != "":
		return supportUnknown
	case strings.HasPrefix(args, "(") || strings.HasPrefix(args, "not"):
		return s.supports(args)
	}
	name, value, ok := strings.Cut(args, ":")
	name, value = trim(name), trim(value)
	id := propertyOf(name)
	switch {
	case !ok:
		return supportUnknown
	case strings.HasPrefix(name, "-moz-"), strings.HasPrefix(name, "-ms-"), strings.HasPrefix(name, "-o-"),
		name == "-webkit-overflow-scrolling", name == "-webkit-touch-callout", strings.HasPrefix(name, "mso-"):
		return supportNo
	case strings.HasPrefix(name, "--"), id != pNone && len(appendDecl(nil, id, name, value)) > 0:
		return supportYes
	case id == pNone || strings.Contains(value, "("):
		return supportUnknown
	}
	return supportNo
}
