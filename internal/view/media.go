package view

import "strings"

// mediaApplies evaluates a list of media queries for the reference.
func mediaApplies(list string) bool {
	const longest = 1000
	if len(list) > longest {
		return true
	}
	for query := range strings.SplitSeq(strings.ToLower(list), ",") {
		if mediaQuery(trim(query)) {
			return true
		}
	}
	return trim(list) == ""
}

func mediaQuery(q string) bool {
	not := false
	if rest, ok := strings.CutPrefix(q, "not "); ok {
		q, not = trim(rest), true
	}
	q = strings.TrimPrefix(q, "only ")
	applies := true
	for q = trim(q); q != ""; {
		if q[0] == '(' {
			end := min(skipNested(q, 0), len(q))
			ok, known := mediaFeature(trim(q[1:end]))
			if !known {
				return false
			}
			applies = applies && ok
			q = trim(q[min(end+1, len(q)):])
			continue
		}
		word, rest := q, ""
		if end := strings.IndexAny(q, " \t\n("); end >= 0 {
			word, rest = q[:end], q[end:]
		}
		switch word {
		case "and", "or":
			if word == "or" && applies {
				return !not
			}
			applies = applies || word == "or"
		case "screen", "all":
		default:
			applies = false
		}
		q = trim(rest)
	}
	return applies != not
}

// mediaFeature evaluates one feature, and tells whether it is known.
func mediaFeature(f string) (applies, known bool) {
	if strings.HasPrefix(f, "(") || strings.HasPrefix(f, "not ") {
		return mediaQuery(f), true
	}
	if strings.ContainsAny(f, "<>") {
		return mediaRange(f)
	}
	if strings.Contains(f, `\`) { // as in min-width:0\0, which was meant for one browser
		return false, false
	}
	name, value, valued := strings.Cut(f, ":")
	name, value = strings.TrimPrefix(trim(name), "-webkit-"), trim(value)
	least, isLeast := strings.CutPrefix(name, "min-")
	most, isMost := strings.CutPrefix(least, "max-")
	if n, ok := mediaNumbers[most]; ok {
		v := mediaNumber(value)
		switch {
		case isLeast:
			return n >= v, valued
		case isMost:
			return n <= v, valued
		}
		return valued && n == v || !valued && n != 0, true
	}
	is, ok := mediaWords[name]
	return ok && (value == is || !valued && is != "none" && is != "no-preference"), ok
}

// mediaNumbers and mediaWords are the features of the reference.
var (
	mediaNumbers = map[string]float32{"width": screenWidth, "device-width": screenWidth, "height": screenHeight,
		"device-height": screenHeight, "aspect-ratio": float32(screenWidth) / screenHeight,
		"device-aspect-ratio": float32(screenWidth) / screenHeight, "resolution": 1, "device-pixel-ratio": 1,
		"color": 8, "monochrome": 0, "color-index": 0, "grid": 0, "transform-3d": 1}
	mediaWords = map[string]string{"prefers-color-scheme": "light", "prefers-reduced-motion": "no-preference",
		"prefers-contrast": "no-preference", "prefers-reduced-transparency": "no-preference",
		"prefers-reduced-data": "no-preference", "orientation": "landscape", "hover": "hover", "any-hover": "hover",
		"pointer": "fine", "any-pointer": "fine", "scripting": "none", "update": "fast", "display-mode": "browser",
		"overflow-block": "scroll", "overflow-inline": "scroll", "color-gamut": "srgb", "dynamic-range": "standard",
		"video-dynamic-range": "standard", "forced-colors": "none", "inverted-colors": "none"}
)

// mediaNumber reads a length, a ratio or a resolution.
func mediaNumber(value string) float32 {
	n, rest, _ := number(value)
	switch rest = trim(rest); {
	case strings.HasPrefix(rest, "/"):
		if d := numberOf(trim(rest[1:])); d > 0 {
			n /= d
		}
		return n
	case rest == "dpi":
		return n / 96
	case rest == "dpcm":
		return n * 2.54 / 96
	case rest == "dppx" || rest == "x":
		return n
	}
	l, _ := parseLength(value)
	return l.px(rootSize, screenWidth)
}

func numberOf(s string) float32 {
	n, _, _ := number(s)
	return n
}

// mediaRange evaluates "width <= 600px" and "400px < width < 900px".
func mediaRange(f string) (applies, known bool) {
	fields := strings.Fields(strings.NewReplacer("<=", " ≤ ", ">=", " ≥ ", "<", " < ", ">", " > ").Replace(f))
	if len(fields) != 3 && len(fields) != 5 {
		return false, false
	}
	value := func(s string) float32 {
		switch s {
		case "width", "device-width":
			return screenWidth
		case "height", "device-height":
			return screenHeight
		}
		l, _ := parseLength(s)
		return l.px(rootSize, screenWidth)
	}
	applies = true
	for i := 0; i+2 < len(fields); i += 2 {
		a, b := value(fields[i]), value(fields[i+2])
		switch fields[i+1] {
		case "≤":
			applies = applies && a <= b
		case "≥":
			applies = applies && a >= b
		case "<":
			applies = applies && a < b
		case ">":
			applies = applies && a > b
		}
	}
	return applies, true
}
