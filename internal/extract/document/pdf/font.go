package pdf

import "unicode/utf8"

// font says how a string is parted into codes, what each code means and how wide it is.
type font struct {
	composite bool
	codes     []codespace // of a composite font; none means two bytes
	toUnicode *cmap
	encoded   func(code []byte) string // of a composite font whose codes are a character set
	simple    *[256]string             // of a simple font
	widths    widths
}

// maxFonts bounds the fonts of a document.
const maxFonts = 2000

// fontBytes is what a font takes without its tables.
const fontBytes = 6 << 10

// loadFont returns the font that resources have under a name. Each is read once: by its reference, or by its name while
// the resources stay the same.
func (r *reader) loadFont(n name, o object) *font {
	id, isRef := o.(ref)
	if isRef {
		if fo, ok := r.f.fonts[id]; ok {
			return fo
		}
	} else if fo, ok := r.local[n]; ok {
		return fo
	}
	fo := r.f.font(r.f.dict(o))
	switch {
	case isRef && len(r.f.fonts) < maxFonts:
		r.f.fonts[id] = fo
	case !isRef:
		if r.local == nil {
			r.local = map[name]*font{}
		}
		if len(r.local) < maxFonts {
			r.local[n] = fo
		}
	}
	return fo
}

// font reads a font. It is nil where there is none.
func (f *file) font(d dict) *font {
	if d == nil || !f.bud.Pause() || !f.bud.Take(fontBytes) {
		return nil
	}
	fo := &font{toUnicode: f.cmap(d["ToUnicode"])}
	if f.name(d["Subtype"]) == "Type0" {
		f.compositeFont(fo, d)
	} else {
		f.simpleFont(fo, d)
	}
	return fo
}

// simpleFont has codes of one byte.
func (f *file) simpleFont(fo *font, d dict) {
	fo.simple = f.encoding(d)
	fo.widths = f.simpleWidths(d)
}

// compositeFont has codes of one to four bytes, nearly always two, that name glyphs of a descendant font.
func (f *file) compositeFont(fo *font, d dict) {
	fo.composite = true
	var below dict
	if kids := f.array(d["DescendantFonts"]); len(kids) > 0 {
		below = f.dict(kids[0])
	}
	fo.widths = f.compositeWidths(below)
	switch enc := f.resolve(d["Encoding"]).(type) {
	case name:
		fo.codes, fo.encoded = predefined(enc)
	case *stream:
		if m := f.cmap(enc); m != nil {
			fo.codes = m.codes
		}
	}
}

// code takes the first code of a string, which is not empty, and says how many bytes it has.
func (fo *font) code(s string) (code uint32, n int) {
	if !fo.composite {
		return uint32(s[0]), 1
	}
	for n = 1; n <= min(4, len(s)); n++ {
		code = code<<8 | uint32(s[n-1])
		for _, c := range fo.codes {
			if c.bytes == n && c.holds(code) {
				return code, n
			}
		}
	}
	if len(s) < 2 {
		return uint32(s[0]), 1
	}
	return uint32(s[0])<<8 | uint32(s[1]), 2
}

// width of a code, in the size of the font.
func (fo *font) width(code uint32, n int) float64 {
	if fo.encoded != nil {
		return float64(n) / 2 // the widths are by glyph, which is not known: characters of one byte are half as wide
	}
	return fo.widths.of(code)
}

// appendText adds what a code means.
func (fo *font) appendText(out []byte, code uint32, n int) []byte {
	if s, ok := fo.toUnicode.lookup(code); ok {
		return append(out, s...)
	}
	switch {
	case fo.simple != nil:
		return append(out, fo.simple[code&0xff]...)
	case fo.encoded != nil:
		b := [4]byte{byte(code >> 24), byte(code >> 16), byte(code >> 8), byte(code)}
		return append(out, fo.encoded(b[4-n:])...)
	}
	return out
}

// clean drops what is no text from what a document says a glyph means, and takes ligatures apart.
func clean(s string) string {
	plain := true
	for i := range len(s) {
		if s[i] < ' ' || s[i] >= 0x7f {
			plain = false
			break
		}
	}
	if plain {
		return s
	}
	out := make([]byte, 0, len(s))
	for _, r := range s {
		switch {
		case r >= 0xfb00 && r <= 0xfb06:
			out = append(out, [...]string{"ff", "fi", "fl", "ffi", "ffl", "st", "st"}[r-0xfb00]...)
		case r == 0xa0 || r == '\t' || r == '\n' || r == '\r' || r >= 0x2000 && r <= 0x200a:
			out = append(out, ' ')
		case r == 0xad:
			out = append(out, '-')
		case r < ' ' || r >= 0x7f && r < 0xa0 || r == utf8.RuneError || r == 0xfeff || r == 0x200b:
		case r >= 0xe000 && r <= 0xf8ff || r >= 0xf0000: // a glyph that only its font knows
		default:
			out = utf8.AppendRune(out, r)
		}
	}
	return string(out)
}
