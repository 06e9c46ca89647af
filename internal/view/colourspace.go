package view

import (
	"math"
	"strings"
)

// colourFunction reads a colour in one of the spaces of CSS that mail has.
func colourFunction(name, args string) (colour, bool) {
	switch name {
	case "color-mix":
		return mixedColour(args)
	case "light-dark":
		one, _ := cutSelector(args)
		return parseColour(trim(one))
	}
	if strings.HasPrefix(args, "from ") {
		return 0, false // what is made of another colour cannot be told
	}
	space := name
	if name == "color" {
		space, args = cutWord(args)
	}
	var room [4]length
	list := numbers(args, room[:0])
	if len(list) < 3 {
		return 0, false
	}
	alpha := colour(255)
	if len(list) > 3 {
		alpha = colour(clampByte(share(list[3], 1) * 255))
	}
	at := func(i int, whole float32) float64 { return float64(share(list[i], whole)) }
	switch space {
	case "rgb", "rgba", "srgb":
		whole := float32(255)
		if space == "srgb" {
			whole = 1
		}
		var c colour
		for _, l := range list[:3] {
			c = c<<8 | colour(clampByte(share(l, whole)*255/whole))
		}
		return c<<8 | alpha, true
	case "hsl", "hsla":
		return hsl(list[0].n, share(list[1], 100)/100, share(list[2], 100)/100)<<8 | alpha, true
	case "hwb":
		return hwb(list[0].n, share(list[1], 100)/100, share(list[2], 100)/100)<<8 | alpha, true
	case "lab":
		return fromLab(at(0, 100), at(1, 125), at(2, 125))<<8 | alpha, true
	case "lch":
		a, b := polar(at(1, 150), list[2].n)
		return fromLab(at(0, 100), a, b)<<8 | alpha, true
	case "oklab":
		return fromOklab(at(0, 1), at(1, 0.4), at(2, 0.4))<<8 | alpha, true
	case "oklch":
		a, b := polar(at(1, 0.4), list[2].n)
		return fromOklab(at(0, 1), a, b)<<8 | alpha, true
	case "display-p3":
		return fromP3([3]float64{at(0, 1), at(1, 1), at(2, 1)})<<8 | alpha, true
	}
	return 0, false
}

// share is a number, or a percentage of a whole.
func share(l length, whole float32) float32 {
	if l.u == unitPercent {
		return l.n * whole / 100
	}
	return l.n
}

// mixedColour reads color-mix(in space, a 20%, b). Which way around the wheel of hues is not followed.
func mixedColour(args string) (colour, bool) {
	_, rest := cutSelector(args)
	var mixed [2]colour
	share := [2]float32{-1, -1}
	for i := range mixed {
		var one string
		one, rest = cutSelector(rest)
		for one = trim(one); one != ""; {
			var word string
			word, one = cutWord(one)
			if l, ok := parseLength(word); ok {
				share[i] = l.n / 100
			} else if c, ok := parseColour(word); ok {
				mixed[i] = c
			} else if word != "" {
				return 0, false
			}
		}
	}
	switch {
	case share[0] < 0 && share[1] < 0:
		share[0] = 0.5
	case share[0] < 0:
		share[0] = 1 - share[1]
	case share[1] >= 0:
		share[0] /= max(share[0]+share[1], 0.001)
	}
	a, b := mixed[0].alpha()*share[0], mixed[1].alpha()*(1-share[0])
	if a+b == 0 {
		return 0, true
	}
	return mixed[0].over(mixed[1]|0xff, a/(a+b))&^0xff | colour(clampByte((a+b)*255)), true
}

// polar gives the two axes of a chroma and a hue in degrees.
func polar(chroma float64, hue float32) (a, b float64) {
	b, a = math.Sincos(float64(hue) * math.Pi / 180)
	return a * chroma, b * chroma
}

// matrix turns the three parts of a colour into those of another space.
type matrix [3][3]float64

func (m *matrix) of(v [3]float64) (w [3]float64) {
	for i, row := range m {
		w[i] = row[0]*v[0] + row[1]*v[1] + row[2]*v[2]
	}
	return w
}

// Matrices of CSS Color 4. Linear means: to red, green and blue in proportion to light.
var (
	linearOfP3 = matrix{{1.22494, -0.22494, 0}, {-0.042057, 1.042057, 0}, {-0.019638, -0.078636, 1.098274}}
	linearOf50 = matrix{{3.134136, -1.617386, -0.490662}, {-0.978796, 1.916254, 0.033443},
		{0.071955, -0.228977, 1.405386}} // XYZ with the white D50
	linearOfOk = matrix{{4.076742, -3.307712, 0.23097}, {-1.268438, 2.609757, -0.341319},
		{-0.004196, -0.703419, 1.707615}}
	coneOfOk = matrix{{1, 0.396338, 0.215804}, {1, -0.105561, -0.063854}, {1, -0.089484, -1.291486}}
)

func fromP3(v [3]float64) colour {
	for i, x := range v {
		if v[i] = x / 12.92; x > 0.04045 {
			v[i] = math.Pow((x+0.055)/1.055, 2.4)
		}
	}
	return fromLinear(linearOfP3.of(v))
}

func fromLab(l, a, b float64) colour {
	cube := func(f float64) float64 {
		if f > 6.0/29 {
			return f * f * f
		}
		return (116*f - 16) * 27 / 24389
	}
	y := (min(max(l, 0), 100) + 16) / 116
	return fromLinear(linearOf50.of([3]float64{0.9643 * cube(y+a/500), cube(y), 0.8251 * cube(y-b/200)}))
}

func fromOklab(l, a, b float64) colour {
	v := coneOfOk.of([3]float64{min(max(l, 0), 1), a, b})
	for i := range v {
		v[i] = v[i] * v[i] * v[i]
	}
	return fromLinear(linearOfOk.of(v))
}

// fromLinear gives red, green and blue as a screen wants them.
func fromLinear(v [3]float64) (c colour) {
	for _, x := range v {
		if x > 0.0031308 {
			x = 1.055*math.Pow(x, 1/2.4) - 0.055
		} else {
			x *= 12.92
		}
		c = c<<8 | colour(clampByte(float32(x)*255))
	}
	return c
}

// hwb gives red, green and blue of a hue with some white and black.
func hwb(h, white, black float32) colour {
	white, black = max(white, 0), max(black, 0)
	if sum := white + black; sum >= 1 {
		return colour(clampByte(white/sum*255)) * 0x010101
	}
	pure := hsl(h, 1, 0.5)
	mix := func(shift uint) colour {
		return colour(clampByte(float32(pure>>shift&0xff)*(1-white-black)+white*255)) << shift
	}
	return mix(16) | mix(8) | mix(0)
}

// hsl gives red, green and blue of a hue in degrees.
func hsl(h, s, l float32) colour {
	s, l = min(max(s, 0), 1), min(max(l, 0), 1)
	a := s * min(l, 1-l)
	f := func(n float32) uint32 {
		k := n + h/30
		k -= 12 * float32(int(k/12))
		if k < 0 {
			k += 12
		}
		return clampByte((l - a*max(-1, min(k-3, 9-k, 1))) * 255)
	}
	return colour(f(0)<<16 | f(8)<<8 | f(4))
}
