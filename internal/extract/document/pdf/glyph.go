package pdf

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// glyphText is what a glyph of a name means, or "".
func glyphText(n string) string {
	if dot := strings.IndexByte(n, '.'); dot > 0 {
		n = n[:dot] // a variant: "a.sc"
	}
	if !strings.Contains(n, "_") {
		return clean(glyph(n))
	}
	var out strings.Builder
	for part := range strings.SplitSeq(n, "_") { // a ligature: "f_i"
		out.WriteString(glyph(part))
	}
	return clean(out.String())
}

// glyph knows a name without a variant.
func glyph(n string) string {
	if len(n) == 1 && (n[0]|0x20 >= 'a' && n[0]|0x20 <= 'z') {
		return n
	}
	if s, ok := glyphNames[n]; ok {
		return s
	}
	if s := accented(n); s != "" {
		return s
	}
	switch {
	case strings.HasPrefix(n, "uni") && len(n) >= 7:
		return hexRune(n[3:7])
	case strings.HasPrefix(n, "u") && len(n) >= 5 && len(n) <= 7:
		return hexRune(n[1:])
	case strings.HasPrefix(n, "afii"):
		return cyrillic(n[4:])
	}
	return ""
}

func hexRune(s string) string {
	v, err := strconv.ParseUint(s, 16, 32)
	if err != nil || !utf8.ValidRune(rune(v)) {
		return ""
	}
	return string(rune(v))
}

// accents are the second halves of the names of letters like eacute, and the marks they mean.
var accents = []struct {
	name string
	mark rune
}{
	{"grave", 0x300}, {"acute", 0x301}, {"circumflex", 0x302}, {"tilde", 0x303}, {"macron", 0x304}, {"breve", 0x306},
	{"dotaccent", 0x307}, {"dieresis", 0x308}, {"hungarumlaut", 0x30b}, {"ring", 0x30a}, {"caron", 0x30c},
	{"cedilla", 0x327}, {"ogonek", 0x328}, {"commaaccent", 0x326},
}

// accented reads names like eacute.
func accented(n string) string {
	if len(n) < 5 || !(n[0]|0x20 >= 'a' && n[0]|0x20 <= 'z') {
		return ""
	}
	for _, a := range accents {
		if n[1:] != a.name {
			continue
		}
		mark := a.mark
		if mark == 0x326 && strings.IndexByte("sStT", n[0]) < 0 {
			mark = 0x327 // only s and t have a comma of their own
		}
		if s := norm.NFC.String(n[:1] + string(mark)); utf8.RuneCountInString(s) == 1 {
			return s
		}
	}
	return ""
}

// cyrillic reads the numbers that Cyrillic letters have instead of names.
func cyrillic(s string) string {
	n, err := strconv.Atoi(s)
	switch {
	case err != nil:
	case n == 10023:
		return "Ё"
	case n == 10071:
		return "ё"
	case n == 61352:
		return "№"
	case n >= 10017 && n <= 10022:
		return string(rune(0x410 + n - 10017))
	case n >= 10024 && n <= 10049:
		return string(rune(0x416 + n - 10024))
	case n >= 10065 && n <= 10070:
		return string(rune(0x430 + n - 10065))
	case n >= 10072 && n <= 10097:
		return string(rune(0x436 + n - 10072))
	}
	return ""
}

// glyphNames are the names that are no letter with an accent.
var glyphNames = map[string]string{
	"space": " ", "nbspace": " ", "exclam": "!", "quotedbl": `"`, "numbersign": "#", "dollar": "$", "percent": "%",
	"ampersand": "&", "quotesingle": "'", "quoteright": "’", "quoteleft": "‘", "parenleft": "(", "parenright": ")",
	"asterisk": "*", "plus": "+", "comma": ",", "hyphen": "-", "minus": "−", "sfthyphen": "-", "period": ".",
	"slash": "/",
	"zero":  "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7",
	"eight": "8",
	"nine":  "9", "colon": ":", "semicolon": ";", "less": "<", "equal": "=", "greater": ">", "question": "?", "at": "@",
	"bracketleft": "[", "backslash": `\`, "bracketright": "]", "asciicircum": "^", "underscore": "_", "grave": "`",
	"braceleft": "{", "bar": "|", "braceright": "}", "asciitilde": "~", "exclamdown": "¡", "cent": "¢", "sterling": "£",
	"fraction": "⁄", "yen": "¥", "florin": "ƒ", "section": "§", "currency": "¤", "quotedblleft": "“",
	"quotedblright": "”",
	"guillemotleft": "«", "guillemotright": "»", "guilsinglleft": "‹", "guilsinglright": "›", "endash": "–",
	"emdash": "—",
	"dagger": "†", "daggerdbl": "‡", "periodcentered": "·", "middot": "·", "paragraph": "¶", "bullet": "•",
	"quotesinglbase": "‚", "quotedblbase": "„", "ellipsis": "…", "perthousand": "‰", "questiondown": "¿", "acute": "´",
	"circumflex": "ˆ", "tilde": "˜", "macron": "¯", "breve": "˘", "dotaccent": "˙", "dieresis": "¨", "ring": "˚",
	"cedilla": "¸", "hungarumlaut": "˝", "ogonek": "˛", "caron": "ˇ", "AE": "Æ", "ae": "æ", "OE": "Œ", "oe": "œ",
	"Oslash": "Ø", "oslash": "ø", "Lslash": "Ł", "lslash": "ł", "germandbls": "ß", "dotlessi": "ı", "dotlessj": "ȷ",
	"Eth": "Ð", "eth": "ð", "Thorn": "Þ", "thorn": "þ", "Dcroat": "Đ", "dcroat": "đ", "Hbar": "Ħ", "hbar": "ħ",
	"ordfeminine": "ª", "ordmasculine": "º", "onesuperior": "¹", "twosuperior": "²", "threesuperior": "³",
	"degree":    "°",
	"plusminus": "±", "multiply": "×", "divide": "÷", "mu": "µ", "onehalf": "½", "onequarter": "¼",
	"threequarters": "¾",
	"brokenbar":     "¦", "logicalnot": "¬", "copyright": "©", "registered": "®", "trademark": "™", "Euro": "€",
	"euro": "€",
	"ff":   "ff", "fi": "fi", "fl": "fl", "ffi": "ffi", "ffl": "ffl", "st": "st", "IJ": "IJ", "ij": "ij", "ng": "ŋ",
	"idotless": "ı", "Idot": "İ", "lessequal": "≤", "greaterequal": "≥", "notequal": "≠", "approxequal": "≈",
	"infinity": "∞", "arrowleft": "←", "arrowright": "→", "arrowup": "↑", "arrowdown": "↓", "checkmark": "✓",
	"Alpha": "Α", "Beta": "Β", "Gamma": "Γ", "Delta": "Δ", "Epsilon": "Ε", "Zeta": "Ζ", "Eta": "Η", "Theta": "Θ",
	"Iota": "Ι", "Kappa": "Κ", "Lambda": "Λ", "Mu": "Μ", "Nu": "Ν", "Xi": "Ξ", "Omicron": "Ο", "Pi": "Π", "Rho": "Ρ",
	"Sigma": "Σ", "Tau": "Τ", "Upsilon": "Υ", "Phi": "Φ", "Chi": "Χ", "Psi": "Ψ", "Omega": "Ω", "alpha": "α",
	"beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "zeta": "ζ", "eta": "η", "theta": "θ", "iota": "ι",
	"kappa": "κ", "lambda": "λ", "nu": "ν", "xi": "ξ", "omicron": "ο", "pi": "π", "rho": "ρ", "sigma": "σ",
	"sigma1": "ς", "tau": "τ", "upsilon": "υ", "phi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω", "circle": "○",
	"radical": "√", "summation": "∑", "product": "∏", "integral": "∫", "partialdiff": "∂", "asteriskmath": "∗",
	"element": "∈", "similar": "∼", "equivalence": "≡", "lozenge": "◊", "figuredash": "-", "Tbar": "Ŧ", "tbar": "ŧ",
}
