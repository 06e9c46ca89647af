package compose

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxFilename is what file systems take, in bytes.
const maxFilename = 255

// cleanFilename makes a name that names nothing but a file: the last element of a path, without control characters and
// those that turn the direction of writing, cut before its ending where it is too long.
func cleanFilename(name string) string {
	if i := strings.LastIndexAny(name, `/\`); i >= 0 {
		name = name[i+1:]
	}
	name = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || isDirection(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(name, "\uFFFD"))
	name = strings.TrimSpace(name)
	if strings.Trim(name, ". ") == "" {
		return ""
	}
	if len(name) <= maxFilename {
		return name
	}
	ext := ""
	if dot := strings.LastIndexByte(name, '.'); dot > 0 && len(name)-dot <= 16 {
		name, ext = name[:dot], name[dot:]
	}
	n := maxFilename - len(ext)
	for !utf8.RuneStart(name[n]) {
		n--
	}
	return strings.TrimSpace(name[:n]) + ext
}

// isDirection is a character that turns the direction of writing, or a byte order mark.
func isDirection(r rune) bool {
	return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0x200e || r == 0x200f || r == 0xfeff
}

// extended writes a parameter that is not plain ASCII, or long, as RFC 2231 has it: percent-encoded UTF-8, in pieces
// where one line does not hold it. There is no second, plain form next to it, as HTTP has: RFC 2231 knows none, readers
// differ in which they take, and all that are in use today read this one.
func (h *header) extended(p param) {
	const charset = "utf-8''"
	if whole := p.name + "*=" + charset + percent(p.value); len(whole) < lineLength-1 {
		h.mark(';')
		h.word(whole)
		return
	}
	rest := p.value
	for i := 0; rest != ""; i++ {
		piece := p.name + "*" + strconv.Itoa(i) + "*="
		if i == 0 {
			piece += charset
		}
		n := fitting(rest, lineLength-2-len(piece), isAttribute)
		h.mark(';')
		h.word(piece + percent(rest[:n]))
		rest = rest[n:]
	}
}

// isAttribute is a character that is itself in an extended value (RFC 2231 7).
func isAttribute(c byte) bool {
	return isAlphanumeric(c) || strings.IndexByte("!#$&+-.^_`{|}~", c) >= 0
}

func percent(s string) string {
	out := make([]byte, 0, escapedLength(s, isAttribute))
	for i := range len(s) {
		if c := s[i]; isAttribute(c) {
			out = append(out, c)
		} else {
			out = append(out, '%', upperHexes[c>>4], upperHexes[c&15])
		}
	}
	return string(out)
}
