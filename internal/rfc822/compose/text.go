package compose

import (
	"encoding/base64"
	"slices"
	"strings"
	"unicode/utf8"
)

// encoding is a Content-Transfer-Encoding.
type encoding string

const (
	sevenBit        encoding = "7bit"
	quotedPrintable encoding = "quoted-printable"
	base64Encoding  encoding = "base64"
)

// body is a text that is ready to be encoded: valid UTF-8, lines ended by LF, no NUL. The last line is ended, too,
// unless the message asks for an open end.
type body struct {
	text     string
	encoding encoding
	charset  string
}

// mostly is the share of a text that may be escaped before base64 is better: a third, where quoted-printable takes five
// bytes for three and base64 four. What is ASCII never becomes base64, which filters of unwanted mail hold against it.
const mostly = 3

// newBody prepares a text. Bytes that are no UTF-8 become U+FFFD: their sender meant another character set, and
// the reader should see that something is missing. A NUL is dropped, no reader shows it. stem is what boundaries begin
// with.
func newBody(text, stem string, openEnd bool) body {
	k := census(text)
	if k.odd || strings.HasPrefix(text, byteOrderMark) {
		text = cleanText(text)
		k = census(text)
	}
	if text != "" && text[len(text)-1] != '\n' && !openEnd {
		text += "\n"
	}
	b := body{text: text, encoding: sevenBit, charset: "us-ascii"}
	if k.high > 0 || k.controls > 0 {
		b.charset = "utf-8"
	}
	if k.high == 0 && k.controls == 0 && k.longest <= maxLine && !strings.Contains(text, stem) {
		return b
	}
	b.encoding = quotedPrintable
	if (k.high+k.controls)*mostly > len(text) {
		b.encoding = base64Encoding
	}
	return b
}

// counts is what decides how a text is encoded.
type counts struct {
	high     int  // bytes beyond ASCII
	controls int  // that are not tabs or line ends
	longest  int  // line
	odd      bool // it has to be cleaned first
}

// kinds of bytes in a text, as bits.
const (
	kindHigh    = 1 << iota // beyond ASCII
	kindControl             // other than tab and line end
	kindOdd                 // CR and NUL
)

// kindOf is the kind of each byte.
var kindOf = func() (table [256]uint8) {
	for c := range table {
		switch {
		case c >= utf8.RuneSelf:
			table[c] = kindHigh
		case c == '\r' || c == 0:
			table[c] = kindOdd
		case c < ' ' && c != '\t' && c != '\n' || c == 0x7f:
			table[c] = kindControl
		}
	}
	return table
}()

// census counts. Most texts are plain, so that it looks first for what there is.
func census(text string) counts {
	var all uint8
	for i := range len(text) {
		all |= kindOf[text[i]]
	}
	k := counts{odd: all&kindOdd != 0 || all&kindHigh != 0 && !utf8.ValidString(text)}
	if all != 0 {
		for i := range len(text) {
			kind := int(kindOf[text[i]])
			k.high += kind & kindHigh
			k.controls += kind & kindControl >> 1
		}
	}
	for line := range strings.SplitSeq(text, "\n") {
		k.longest = max(k.longest, len(line))
	}
	return k
}

// cleanText makes LF of CR LF and CR, drops NULs and byte order marks, and makes the text valid.
func cleanText(s string) string {
	s = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", "").Replace(s)
	return strings.TrimLeft(strings.ToValidUTF8(s, "\uFFFD"), byteOrderMark)
}

// appendLines appends a text with CR LF line ends.
func appendLines(dst []byte, text string) []byte {
	dst = slices.Grow(dst, len(text)+len(text)/16)
	for {
		n := strings.IndexByte(text, '\n')
		if n < 0 {
			return append(dst, text...)
		}
		dst = append(append(dst, text[:n]...), '\r', '\n')
		text = text[n+1:]
	}
}

// textChunk is about how much of a text is encoded at once.
const textChunk = 32 << 10

// cutLines takes whole lines off a text.
func cutLines(text string) (chunk, rest string) {
	if len(text) <= textChunk {
		return text, ""
	}
	n := strings.IndexByte(text[textChunk:], '\n')
	if n < 0 {
		return text, ""
	}
	return text[:textChunk+n+1], text[textChunk+n+1:]
}

// base64Line is how many bytes a line of base64 carries: 76 characters (RFC 2045 6.8).
const base64Line = 57

// base64Size is what size bytes become, with line ends between lines.
func base64Size(size int64) int64 {
	full, rest := size/base64Line, size%base64Line
	n := full * 78
	if rest > 0 {
		n += int64(base64.StdEncoding.EncodedLen(int(rest))) + 2
	}
	return max(n-2, 0)
}

// appendBase64 appends lines, each ended by CR LF, but not the last where it is not full.
func appendBase64(dst, src []byte) []byte {
	for len(src) >= base64Line {
		dst = base64.StdEncoding.AppendEncode(dst, src[:base64Line])
		dst = append(dst, '\r', '\n')
		src = src[base64Line:]
	}
	return base64.StdEncoding.AppendEncode(dst, src)
}
