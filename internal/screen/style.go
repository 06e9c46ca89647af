package screen

import "strings"

// styles are the classes and ids that a style sheet hides.
type styles struct{ classes, ids []string }

// maxStyles bounds the names that are kept.
const maxStyles = 64

// read takes the rules of a style sheet that hide something, where their selector ends in a class or an id.
func (s *styles) read(sheet string) {
	for sheet != "" && len(s.classes)+len(s.ids) < maxStyles {
		selectors, rest, ok := strings.Cut(sheet, "{")
		if !ok {
			return
		}
		if strings.HasPrefix(strings.TrimSpace(selectors), "@") {
			sheet = rest // rules within, or declarations that have no selector
			continue
		}
		body, after, _ := strings.Cut(rest, "}")
		sheet = strings.TrimLeft(after, " \t\r\n}")
		if hidesStyle(body) {
			s.add(selectors)
		}
	}
}

func (s *styles) add(selectors string) {
	for sel := range strings.SplitSeq(selectors, ",") {
		sel = strings.TrimSpace(sel)
		i := strings.LastIndexAny(sel, ".#")
		switch {
		case i < 0 || strings.ContainsAny(sel[i:], " :>["):
		case sel[i] == '.':
			s.classes = append(s.classes, sel[i+1:])
		default:
			s.ids = append(s.ids, sel[i+1:])
		}
	}
}

// hide tells whether one of the names in an attribute is hidden.
func (s *styles) hide(attribute, value string) bool {
	names := s.classes
	if attribute == "id" {
		names = s.ids
	}
	if len(names) == 0 {
		return false
	}
	for v := range strings.FieldsSeq(value) {
		for _, n := range names {
			if v == n {
				return true
			}
		}
	}
	return false
}

// hidesStyle tells whether declarations make a text that nobody sees.
func hidesStyle(declarations string) bool {
	const longest = 2048
	declarations = declarations[:min(len(declarations), longest)]
	var color, background string
	for d := range strings.SplitSeq(declarations, ";") {
		name, value, ok := strings.Cut(d, ":")
		if !ok {
			continue
		}
		name = strings.ToLower(strings.TrimSpace(name))
		value = strings.ToLower(strings.TrimSpace(strings.Replace(value, "!important", "", 1)))
		switch name {
		case "color":
			color = plainColor(value)
		case "background", "background-color":
			background = plainColor(value)
		}
		if hidesProperty(name, value) {
			return true
		}
	}
	// White is what most backgrounds are.
	return color == "transparent" || color == "white" && background == "" || color != "" && color == background
}

func hidesProperty(name, value string) bool {
	switch name {
	case "display":
		return value == "none"
	case "visibility":
		return value == "hidden" || value == "collapse"
	case "opacity":
		return isNearZero(value, "0.1")
	case "font-size", "mso-font-size":
		return isNearZero(value, "2")
	case "font":
		return strings.HasPrefix(value, "0")
	case "max-height", "max-width", "line-height", "height", "width":
		return value == "0" || value == "0px"
	case "text-indent", "left", "top", "margin-left", "margin-top", "right":
		return isFarAway(value)
	case "mso-hide":
		return value == "all"
	case "clip", "clip-path":
		return strings.HasPrefix(value, "rect(0") || strings.HasPrefix(value, "inset(50%") || strings.HasPrefix(value, "inset(100%")
	case "transform":
		return value == "scale(0)"
	}
	return false
}

// isNearZero tells of 0, 0px, 0.01em, 1px: numbers below most, which has one digit that counts.
func isNearZero(value, most string) bool {
	number := strings.TrimRight(value, "abcdefghijklmnopqrstuvwxyz% ")
	unit := value[len(number):]
	if number == "" || unit != "" && unit != "px" && unit != "pt" && strings.Trim(number, "0.") != "" {
		return strings.HasPrefix(number, "0.0")
	}
	if !strings.Contains(number, ".") {
		return len(number) == 1 && number < most
	}
	return strings.HasPrefix(number, "0.0") || strings.HasPrefix(number, ".0") || most >= "1"
}

// isFarAway tells of what is moved off the screen: -9999px.
func isFarAway(value string) bool {
	return len(value) >= 5 && value[0] == '-' && value[1] >= '1' && value[1] <= '9' && value[2] >= '0' && value[2] <= '9' &&
		value[3] >= '0' && value[3] <= '9'
}

// plainColor is one name for the ways to write white, black and nothing; others are left as they are.
func plainColor(value string) string {
	switch strings.ReplaceAll(value, " ", "") {
	case "#fff", "#ffffff", "rgb(255,255,255)", "white", "#fefefe", "#fdfdfd", "rgba(255,255,255,1)", "#fffffe":
		return "white"
	case "#000", "#000000", "rgb(0,0,0)", "black":
		return "black"
	case "transparent", "rgba(0,0,0,0)", "rgba(255,255,255,0)":
		return "transparent"
	}
	return value
}
