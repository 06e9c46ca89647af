package rfc822

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

// charsetKind is how a character set is read.
type charsetKind uint8

const (
	charsetUnknown charsetKind = iota
	charsetASCII               // or nothing declared: 8-bit bytes are guessed
	charsetUTF8
	charsetUTF7
	charsetUTF16
	charsetISO2022KR
	charsetTable // golang.org/x/text has it
)

// charsetNames are the names that the registries do not have, or for which senders mean something wider.
var charsetNames = map[string]encoding.Encoding{
	// QUIRK: the older Chinese, Korean and Japanese names are used for their supersets.
	"gb2312": simplifiedchinese.GB18030, "gb-2312": simplifiedchinese.GB18030, "gb_2312-80": simplifiedchinese.GB18030,
	"gbk": simplifiedchinese.GB18030, "x-gbk": simplifiedchinese.GB18030, "cp936": simplifiedchinese.GB18030,
	"ms936": simplifiedchinese.GB18030, "euc-cn": simplifiedchinese.GB18030, "windows-936": simplifiedchinese.GB18030,
	"hz-gb-2312": simplifiedchinese.HZGB2312, "hz": simplifiedchinese.HZGB2312,
	"big5-hkscs": traditionalchinese.Big5, "cp950": traditionalchinese.Big5, "windows-950": traditionalchinese.Big5,
	"ks_c_5601": korean.EUCKR, "ks_c_5601-1987": korean.EUCKR, "ksc5601": korean.EUCKR, "cp949": korean.EUCKR,
	"ms949": korean.EUCKR, "uhc": korean.EUCKR, "windows-949": korean.EUCKR, "x-windows-949": korean.EUCKR,
	"cp932": japanese.ShiftJIS, "ms932": japanese.ShiftJIS, "windows-31j": japanese.ShiftJIS, "sjis": japanese.ShiftJIS,
	"shift-jis": japanese.ShiftJIS, "windows-932": japanese.ShiftJIS,
	"iso-2022-jp-ms": japanese.ISO2022JP, "cp50220": japanese.ISO2022JP, "cp50221": japanese.ISO2022JP,
	"iso-2022-jp-1": japanese.ISO2022JP, "iso-2022-jp-2": japanese.ISO2022JP, "jis": japanese.ISO2022JP,
	"eucjp": japanese.EUCJP, "euckr": korean.EUCKR,
	"koi8-ru": charmap.KOI8U, "koi8": charmap.KOI8R, "cp874": charmap.Windows874, "tis620": charmap.Windows874,
	"iso-8859-8-i": charmap.ISO8859_8, "iso-8859-8-e": charmap.ISO8859_8, "iso-8859-1": charmap.Windows1252,
	"cp1047": charmap.CodePage1047, "cp437": charmap.CodePage437, "cp850": charmap.CodePage850,
	"cp852": charmap.CodePage852, "cp855": charmap.CodePage855, "cp858": charmap.CodePage858,
	"cp860": charmap.CodePage860, "cp862": charmap.CodePage862, "cp863": charmap.CodePage863,
	"cp865": charmap.CodePage865, "cp866": charmap.CodePage866,
	"utf-32":   utf32.UTF32(utf32.BigEndian, utf32.UseBOM),
	"utf-32le": utf32.UTF32(utf32.LittleEndian, utf32.UseBOM),
	"utf-32be": utf32.UTF32(utf32.BigEndian, utf32.UseBOM),
	"utf-16le": unicode.UTF16(unicode.LittleEndian, unicode.UseBOM),
	"utf-16be": unicode.UTF16(unicode.BigEndian, unicode.UseBOM),
	"ucs-2le":  unicode.UTF16(unicode.LittleEndian, unicode.UseBOM),
}

// lookupCharset finds out what a declared name means.
func lookupCharset(name string) (charsetKind, encoding.Encoding) {
	name = strings.Trim(name, " \t\"'<>;,")
	switch name {
	case "utf-8", "utf8":
		return charsetUTF8, nil
	case "", "us-ascii", "ascii":
		return charsetASCII, nil
	case "iso-8859-1", "windows-1252":
		return charsetTable, charmap.Windows1252
	}
	name = strings.ToLower(name)
	for range 3 {
		if kind := unicodeCharset(name); kind != charsetUnknown {
			return kind, nil
		}
		if enc := charsetNames[name]; enc != nil {
			return charsetTable, enc
		}
		if enc, err := htmlindex.Get(name); err == nil && enc != encoding.Replacement {
			return charsetTable, enc
		}
		if enc, err := ianaindex.MIME.Encoding(name); err == nil && enc != nil {
			return charsetTable, enc
		}
		other := respell(name)
		if other == name {
			break
		}
		name = other
	}
	return charsetUnknown, nil
}

// unicodeCharset knows the names of what is decoded here.
func unicodeCharset(name string) charsetKind {
	switch name {
	case "utf-8", "utf8", "unicode-1-1-utf-8", "utf_8", "cp65001", "utf-8-mac", "utf8mb4", "x-utf-8":
		return charsetUTF8
	case "us-ascii", "ascii", "ansi_x3.4-1968", "646", "unknown-8bit", "x-unknown", "default", "none", "8bit", "7bit",
		"unknown", "us_ascii", "usascii":
		return charsetASCII
	case "utf-7", "utf7", "unicode-1-1-utf-7", "x-unicode-2-0-utf-7", "unicode-2-0-utf-7", "csunicode11utf7":
		return charsetUTF7
	case "utf-16", "utf16", "ucs-2", "unicode", "iso-10646-ucs-2":
		return charsetUTF16
	case "iso-2022-kr", "csiso2022kr":
		return charsetISO2022KR
	}
	return charsetUnknown
}

// respell corrects one habit of spelling names: iso8859_1, win-1251, cp1251, x-cp1251, latin-1.
func respell(name string) string {
	switch {
	case strings.ContainsRune(name, '_') && !strings.HasPrefix(name, "ks_") && !strings.HasPrefix(name, "iso_"):
		return strings.ReplaceAll(name, "_", "-")
	case strings.HasPrefix(name, "iso_"):
		return "iso-" + strings.ReplaceAll(name[4:], "_", "-")
	case strings.HasPrefix(name, "iso8859"):
		return "iso-8859" + name[len("iso8859"):]
	case strings.HasPrefix(name, "8859-"):
		return "iso-" + name
	case strings.HasPrefix(name, "windows125"):
		return "windows-125" + name[len("windows125"):]
	case strings.HasPrefix(name, "win-125"), strings.HasPrefix(name, "win125"), strings.HasPrefix(name, "cp-125"):
		return "windows-125" + name[strings.Index(name, "125")+3:]
	case strings.HasPrefix(name, "cp125"):
		return "windows-125" + name[5:]
	case strings.HasPrefix(name, "x-"):
		return name[2:]
	case strings.HasPrefix(name, "cs"):
		return name[2:]
	case strings.HasPrefix(name, "latin-"):
		return "latin" + name[6:]
	case strings.HasPrefix(name, "cp-"), strings.HasPrefix(name, "ibm-"):
		return "cp" + name[strings.IndexByte(name, '-')+1:]
	case strings.HasPrefix(name, "koi8r"), strings.HasPrefix(name, "koi8u"):
		return "koi8-" + name[4:]
	}
	return name
}

// legacyCharset is name if it can tell 8-bit text that is not UTF-8, else "".
func legacyCharset(name string) string {
	name = strings.ToLower(trimSpace(name))
	if kind, _ := lookupCharset(name); kind != charsetTable {
		return ""
	}
	return name
}

// charsetWidth is how many bytes the plainest character takes.
func charsetWidth(name string) int64 {
	switch {
	case strings.HasPrefix(name, "utf-16"), strings.HasPrefix(name, "utf16"), strings.HasPrefix(name, "ucs-2"):
		return 2
	case strings.HasPrefix(name, "utf-32"):
		return 4
	}
	return 1
}

// decodeBytes reads bytes in a declared character set. The result is valid UTF-8.
func decodeBytes(b []byte, charset string) string {
	s, _ := decodeCharset(b, charset)
	return s
}

// decodeCharset is decodeBytes, and says whether the character set is known.
func decodeCharset(b []byte, charset string) (s string, known bool) {
	kind, enc := lookupCharset(charset)
	switch kind {
	case charsetUTF8:
		return decodeUTF8(b), true
	case charsetASCII, charsetUnknown:
		return guessCharset(b), kind == charsetASCII
	case charsetUTF7:
		return decodeUTF7(b), true
	case charsetUTF16:
		return decodeUTF16(b), true
	case charsetISO2022KR:
		b, enc = iso2022KR(b), korean.EUCKR
	}
	if bytes.HasPrefix(b, []byte("\xef\xbb\xbf")) && utf8.Valid(b) {
		return string(b[3:]), true // a mark is a better witness than a declaration
	}
	if isASCII(b) && enc != simplifiedchinese.HZGB2312 && enc != japanese.ISO2022JP && charsetWidth(charset) == 1 {
		return string(b), true
	}
	if charsetWidth(charset) == 2 {
		b = b[:len(b)&^1] // half a character at the end, from a line end that is not in the character set
	}
	return decodeWith(enc, b), true
}

// decodeWith uses a table. Bytes it does not know become U+FFFD.
func decodeWith(enc encoding.Encoding, b []byte) string {
	out, err := enc.NewDecoder().Bytes(b)
	if err != nil {
		out = append(out, decodeUTF8(b[min(len(out), len(b)):])...)
	}
	return string(bytes.ToValidUTF8(out, []byte("\uFFFD")))
}

// guessCharset reads text of which nothing reliable is known: UTF-8 if it can be, else windows-1252.
func guessCharset(b []byte) string {
	if isASCII(b) {
		return string(b)
	}
	if bytes.HasPrefix(b, []byte("\xff\xfe")) || bytes.HasPrefix(b, []byte("\xfe\xff")) {
		return decodeUTF16(b)
	}
	return decodeUTF8(b)
}

// decodeUTF8 repairs UTF-8. Where hardly anything is, it was not meant to be.
func decodeUTF8(b []byte) string {
	b = bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))
	if utf8.Valid(b) {
		return string(b)
	}
	good, bad := 0, 0
	for i := 0; i < len(b); {
		if b[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			bad++
		} else {
			good++
		}
		i += n
	}
	if bad > good {
		return decodeWith(charmap.Windows1252, b)
	}
	return string(bytes.ToValidUTF8(b, []byte("\uFFFD")))
}

// decodeUTF16 finds the byte order by the mark, else by where the zero bytes of plain characters are.
func decodeUTF16(b []byte) string {
	order := unicode.BigEndian
	even, odd := 0, 0
	for i, c := range b {
		if c == 0 {
			if i%2 == 0 {
				even++
			} else {
				odd++
			}
		}
	}
	if odd > even {
		order = unicode.LittleEndian
	}
	return decodeWith(unicode.UTF16(order, unicode.UseBOM), b[:len(b)&^1])
}

// iso2022KR turns ISO-2022-KR (RFC 1557) into EUC-KR: SO and SI switch between Korean and ASCII.
func iso2022KR(b []byte) []byte {
	b = bytes.ReplaceAll(b, []byte("\x1b$)C"), nil)
	out := make([]byte, 0, len(b))
	shifted := false
	for _, c := range b {
		switch {
		case c == 0x0e:
			shifted = true
		case c == 0x0f:
			shifted = false
		case c == '\n':
			shifted = false // RFC 1557: every line begins in ASCII
			out = append(out, c)
		case shifted && c > ' ' && c < 0x7f:
			out = append(out, c|0x80)
		default:
			out = append(out, c)
		}
	}
	return out
}

// Text returns the bytes of a text part as text, in whatever character set it says or seems to have.
func Text(b []byte, charset string) string { return decodeBytes(b, charset) }
