package download

import (
	"strings"
	"unicode"
)

// nameLimit is the most bytes of a file name that are told; file systems take 255.
const nameLimit = 200

// Disposition is the header that makes a browser save a file under a name (RFC 6266): in ASCII for old clients, and in
// full for the others where that is not the same.
func Disposition(name string) string {
	name = safeName(name)
	plain := strings.Map(asciiName, name)
	value := `attachment; filename="` + plain + `"`
	if plain != name {
		value += "; filename*=UTF-8''" + extValue(name)
	}
	return value
}

// safeName takes out of a name what could make it a path, a header or something other than it looks like.
func safeName(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case r == '/' || r == '\\':
			return '_'
		case unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(name, "_"))
	if len(name) > nameLimit {
		name = strings.ToValidUTF8(name[:nameLimit], "")
	}
	if strings.Trim(name, ". ") == "" {
		return "attachment"
	}
	return name
}

// asciiName leaves out what old clients read in different ways: quotes, percent signs and everything beyond ASCII
// (RFC 6266 appendix D).
func asciiName(r rune) rune {
	if r == '"' || r == '%' || r > unicode.MaxASCII {
		return '_'
	}
	return r
}

// extValue encodes a name as RFC 8187 asks.
func extValue(name string) string {
	const hexDigits = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(name) {
		c := name[i]
		if c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || strings.IndexByte("!#$&+-.^_`|~",
			c) >= 0 {
			b.WriteByte(c)
			continue
		}
		b.WriteByte('%')
		b.WriteByte(hexDigits[c>>4])
		b.WriteByte(hexDigits[c&15])
	}
	return b.String()
}
