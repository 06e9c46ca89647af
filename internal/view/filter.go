package view

import "strings"

// filterOf reads a filter: whether it leaves nothing to see, blurs what is there, or paints it in one colour.
func filterOf(value string) decl {
	d := decl{id: pFilter, kw: kwShown}
	for value != "" {
		open := strings.IndexByte(value, '(')
		if open < 0 {
			break
		}
		end := min(skipNested(value, open), len(value))
		name, args := trim(value[:open]), value[open+1:end]
		value = value[min(end+1, len(value)):]
		amount, ok := evaluate(args, 1)
		if !ok {
			if name == "url" || isAmount(name) && trim(args) != "" {
				d.kw = kwUndecided
				return d
			}
			continue
		}
		switch name {
		case "opacity":
			if amount < leastOpacity {
				d.kw = kwHidden
				return d
			}
		case "blur":
			if amount >= unreadableBlur {
				d.kw = kwYes
				return d
			}
		case "brightness", "contrast", "invert":
			d.paint(name, amount)
		}
	}
	return d
}

// unreadableBlur is as many pixels as make text unreadable.
const unreadableBlur = 4

// isAmount tells whether a filter is one that can hide text.
func isAmount(name string) bool {
	switch name {
	case "opacity", "blur", "brightness", "contrast", "invert":
		return true
	}
	return false
}

// paint notes what a filter does to all colours.
func (d *decl) paint(name string, amount float32) {
	grey := rgb(128, 128, 128)
	switch {
	case name == "brightness" && amount < 0.1:
		d.kw, d.colour = kwFlat, black
	case name == "brightness" && amount > 10:
		d.kw, d.colour = kwFlat, white
	case name == "contrast" && amount < 0.1, name == "invert" && amount > 0.4 && amount < 0.6:
		d.kw, d.colour = kwFlat, grey
	case name == "invert" && amount > 0.9 && d.kw == kwFlat:
		d.colour = ^d.colour | 0xff
	}
}
