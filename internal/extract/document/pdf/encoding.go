package pdf

import (
	"bytes"
	"strings"

	"golang.org/x/text/encoding/charmap"
)

// encoding says what the codes of a simple font mean (ISO 32000 9.6.6): a base, and differences from it by the names of
// glyphs. Without either, the font itself has an encoding.
func (f *file) encoding(d dict) *[256]string {
	var enc [256]string
	desc := f.dict(d["FontDescriptor"])
	switch e := f.resolve(d["Encoding"]).(type) {
	case name:
		fill(&enc, e)
	case dict:
		base := f.name(e["BaseEncoding"])
		fill(&enc, base)
		if base == "" {
			f.builtIn(&enc, d, desc)
		}
		f.differ(&enc, f.array(e["Differences"]))
	default:
		f.builtIn(&enc, d, desc)
	}
	return &enc
}

// differ takes the differences: a code, and the names of glyphs from it on.
func (f *file) differ(enc *[256]string, list array) {
	code := 0
	for _, o := range list {
		switch o := f.resolve(o).(type) {
		case float64:
			code = max(0, integer(o))
		case name:
			if code < 256 {
				if s := glyphText(string(o)); s != "" {
					enc[code] = s
				}
			}
			code++
		}
	}
}

// fill takes a named encoding. Without a name it is the standard one.
func fill(enc *[256]string, n name) {
	for c := range enc {
		var r rune
		switch n {
		case "WinAnsiEncoding", "PDFDocEncoding":
			r = latin(byte(c))
		case "MacRomanEncoding", "MacExpertEncoding":
			r = charmap.Macintosh.DecodeByte(byte(c))
		default:
			r = standard(byte(c))
		}
		enc[c] = clean(string(r))
	}
}

// latin is windows-1252, which is what documents mean by WinAnsiEncoding.
func latin(c byte) rune {
	if c < ' ' && c != '\n' && c != '\t' && c != '\r' {
		return 0
	}
	return charmap.Windows1252.DecodeByte(c)
}

// standardHigh is the upper half of the standard encoding, from A1 on; a blank is nothing.
var standardHigh = []rune("¡¢£⁄¥ƒ§¤'“«‹›ﬁﬂ –†‡· ¶•‚„”»…‰ ¿ `´ˆ˜¯˘˙¨ ˚¸ ˝˛ˇ—                Æ ª    ŁØŒº     æ   ı  łøœß")

func standard(c byte) rune {
	switch {
	case c == '\'':
		return '’'
	case c == '`':
		return '‘'
	case c >= ' ' && c < 0x7f:
		return rune(c)
	case c >= 0xa1 && int(c)-0xa1 < len(standardHigh) && standardHigh[c-0xa1] != ' ':
		return standardHigh[c-0xa1]
	}
	return 0
}

// builtIn is the encoding a font brings with itself.
func (f *file) builtIn(enc *[256]string, d, desc dict) {
	base := string(f.name(d["BaseFont"]))
	switch {
	case strings.HasSuffix(base, "Symbol"):
		symbols(enc)
	case f.name(d["Subtype"]) == "TrueType":
		fill(enc, "WinAnsiEncoding")
	default:
		fill(enc, "")
	}
	if s, ok := f.resolve(desc["FontFile"]).(*stream); ok {
		data := f.data(s)
		type1Encoding(enc, data)
		f.bud.Give(cap(data))
	}
}

// maxType1 is how much of a Type 1 font is in plain text.
const maxType1 = 64 << 10

// type1Encoding reads the lines "dup 65 /A put" of a Type 1 font.
func type1Encoding(enc *[256]string, data []byte) {
	data = data[:min(len(data), maxType1)]
	if end := bytes.Index(data, []byte("eexec")); end >= 0 {
		data = data[:end]
	}
	at := bytes.Index(data, []byte("/Encoding"))
	if at < 0 || bytes.HasPrefix(bytes.TrimSpace(data[at+len("/Encoding"):]), []byte("StandardEncoding")) {
		return
	}
	l := newLexer(data, at+len("/Encoding"))
	clear(enc[:])
	for {
		o, ok := l.next()
		switch {
		case !ok || o == keyword("readonly") || o == keyword("def"):
			return
		case o == keyword("dup"):
			code, _ := l.next()
			glyph, _ := l.next()
			if n, ok := glyph.(name); ok && integer(code) >= 0 && integer(code) < 256 {
				enc[integer(code)] = glyphText(string(n))
			}
		}
	}
}

// symbols is what the font Symbol has in the place of letters.
func symbols(enc *[256]string) {
	fill(enc, "")
	set := func(from int, s string) {
		for i, r := range []rune(s) {
			if r != ' ' {
				enc[from+i] = string(r)
			}
		}
	}
	set('A', "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ")
	set('a', "αβχδεφγηιϕκλμνοπθρστυϖωξψζ")
	set(0xa1, "ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…")
	set(0xd7, "⋅¬∧∨")
}
