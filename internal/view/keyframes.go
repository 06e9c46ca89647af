package view

import "strings"

// keyframes are what an animation does.
type keyframes struct {
	last     [2]int32 // the declarations that stay when it is over and fills
	any, all bool     // some of its frames may hide, all of them may
	fades    bool     // it has a frame for its beginning alone, and goes on to what the element is
}

// keyframes reads the frames of an animation.
func (s *sheet) keyframes(name, body string) {
	f := keyframes{all: true}
	best := float32(-1)
	for body != "" {
		var frames, decls string
		frames, decls, body = cutRule(body)
		from := int32(len(s.decls))
		s.decls, _ = parseDecls(s.decls, decls, &s.vars)
		list := s.decls[from:]
		hides := false
		for i := range list {
			hides = hides || list[i].mayHide()
		}
		f.any, f.all = f.any || hides, f.all && hides
		for frame := range strings.SplitSeq(lowered(frames), ",") {
			at := numberOf(trim(frame))
			if trim(frame) == "to" {
				at = 100
			}
			if at >= best {
				best, f.last = at, [2]int32{from, int32(len(s.decls))}
			}
		}
	}
	f.fades = best == 0
	if best < 100 {
		f.last = [2]int32{}
	}
	if s.frames == nil {
		s.frames = map[string]keyframes{}
	}
	s.frames[strings.Trim(name, `"'`)] = f
}

// animate applies the last frame of animations that stay there. Of others only one that hides in every frame counts,
// and one that stands still in a frame that may.
func (b *builder) animate(e *element, c *computed, x *box, parent *computed) {
	value := b.sheet.vars.texts[int(x.animation.length.n)]
	stays := x.ends == kwYes || strings.Contains(value, "forwards") || strings.Contains(value, "both")
	still := x.ends == kwHidden || strings.Contains(value, "paused")
	for rest := value; rest != ""; {
		var name string
		name, rest = cutWord(rest)
		f, ok := b.sheet.frames[name]
		switch {
		case !ok:
		case f.all && !(f.fades && isShort(value)) || f.any && still:
			x.unsure |= 1 << pAnimation
		case stays:
			b.apply(b.sheet.decls[f.last[0]:f.last[1]], false, true, e, c, x, parent)
		}
	}
}

// isShort tells whether an animation says how long it takes, and all its times are short: a person sees how it ends.
func isShort(animation string) bool {
	const longest = 30 // seconds
	timed := false
	for rest := animation; rest != ""; {
		var word string
		word, rest = cutWord(rest)
		n, unit, ok := number(word)
		if ok && (unit == "s" && n > longest || unit == "ms" && n > 1000*longest) {
			return false
		}
		timed = timed || ok && (unit == "s" || unit == "ms")
	}
	return timed && !strings.Contains(animation, "infinite")
}
