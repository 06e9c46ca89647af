package view

import (
	"math"
	"strings"
)

// area is the rectangle around a shape, in pixels.
type area struct{ left, top, right, bottom float32 }

// none tells whether nothing of a shape is on the element, which is taken to be as large as the screen.
func (a area) none() bool {
	return !(a.right-a.left > 1 && a.bottom-a.top > 1) || a.right <= 0 || a.bottom <= 0 || a.left >= screenWidth ||
		a.top >= screenHeight
}

// emptyPath tells whether a clip path leaves nothing to see.
func emptyPath(value string) bool {
	name, args, ok := strings.Cut(value, "(")
	if !ok {
		return false
	}
	var room [64]length
	switch name = trim(name); name {
	case "inset", "rect", "xywh":
		args, _, _ = strings.Cut(args, "round")
		return rectangle(name, numbers(args, room[:0:4])).none()
	case "circle", "ellipse":
		radius, centre, _ := strings.Cut(args, "at")
		at := numbers(centre, room[:0:2])
		for _, l := range numbers(radius, make([]length, 0, 2)) {
			r := l.px(rootSize, screenWidth)
			off := len(at) == 2 && min(at[0].px(rootSize, screenWidth), at[1].px(rootSize, screenHeight)) <= -r
			if l.n <= 1 || off {
				return true
			}
		}
	case "polygon":
		return emptyPolygon(numbers(args, room[:0]))
	case "path":
		_, args, _ = strings.Cut(args, "m") // past the rule by which it is filled
		return pathArea("m" + args).none()
	}
	return false
}

// rectangle is the shape of inset(), rect() or xywh().
func rectangle(name string, s []length) area {
	side := func(i int, whole float32) float32 {
		for i >= len(s) && i > 0 {
			i = max(i-2, 0)
		}
		if len(s) == 0 {
			return 0
		}
		if s[i].u == unitAuto && (i == 1 || i == 2) {
			return whole
		}
		return s[i].px(rootSize, whole)
	}
	switch name {
	case "xywh":
		x, y := side(0, screenWidth), side(1, screenHeight)
		return area{x, y, x + side(2, screenWidth), y + side(3, screenHeight)}
	case "rect":
		return area{side(3, screenWidth), side(0, screenHeight), side(1, screenWidth), side(2, screenHeight)}
	}
	const edge = 0.99 // what is left of the last hundredth is not seen
	return area{side(3, screenWidth), side(0, screenHeight), edge*screenWidth - side(1, screenWidth),
		edge*screenHeight - side(2, screenHeight)}
}

func emptyPolygon(s []length) bool {
	a := area{math.MaxFloat32, math.MaxFloat32, -math.MaxFloat32, -math.MaxFloat32}
	var size, beforeX, beforeY float32
	for i := 0; i+1 < len(s); i += 2 {
		x, y := s[i].px(rootSize, screenWidth), s[i+1].px(rootSize, screenHeight)
		a.add(x, y)
		if i > 0 {
			size += beforeX*y - x*beforeY
		}
		beforeX, beforeY = x, y
	}
	if len(s) > 1 {
		size += beforeX*s[1].px(rootSize, screenHeight) - s[0].px(rootSize, screenWidth)*beforeY
	}
	return len(s) > 0 && (a.none() || math.Abs(float64(size)) <= 2)
}

func (a *area) add(x, y float32) {
	*a = area{min(a.left, x), min(a.top, y), max(a.right, x), max(a.bottom, y)}
}

// pathArea is around the points of a path of SVG in lower case, whose commands are taken for absolute. The control
// points of a curve count as its points.
func pathArea(path string) area {
	a := area{math.MaxFloat32, math.MaxFloat32, -math.MaxFloat32, -math.MaxFloat32}
	var at [2]float32
	command, i := byte('l'), 0
	for path != "" {
		n, rest, ok := number(path)
		if !ok {
			if c := path[0]; isLetter(c) {
				command, i = c, 0
			}
			path = path[1:]
			continue
		}
		path = rest
		switch {
		case command == 'h':
			at[0] = n
		case command == 'v':
			at[1] = n
		default:
			at[i%2] = n
			if i++; i%2 == 1 {
				continue
			}
		}
		a.add(at[0], at[1])
	}
	return a
}
