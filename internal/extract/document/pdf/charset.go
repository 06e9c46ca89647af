package pdf

import (
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// predefined says how the codes of a predefined map are parted and what they mean (ISO 32000 9.7.5.2). The maps
// themselves lead to glyph numbers, which say nothing; but all except Identity are maps of a character set.
func predefined(n name) (codes []codespace, decode func([]byte) string) {
	s := string(n)
	switch {
	case isIdentity(n):
		return nil, nil
	case strings.Contains(s, "UCS2"), strings.Contains(s, "UTF16"):
		return nil, func(b []byte) string { return clean(decodeUTF16(string(b))) }
	case strings.Contains(s, "RKSJ"):
		return mixed(0x81, 0xfc), decoder(japanese.ShiftJIS)
	case strings.HasPrefix(s, "GB"):
		return mixed(0x81, 0xfe), decoder(simplifiedchinese.GBK)
	case strings.HasPrefix(s, "KSC"):
		return mixed(0x81, 0xfe), decoder(korean.EUCKR)
	case strings.Contains(s, "B5"), strings.HasPrefix(s, "HKscs"):
		return mixed(0x81, 0xfe), decoder(traditionalchinese.Big5)
	case strings.HasPrefix(s, "EUC-"):
		return mixed(0xa1, 0xfe), decoder(japanese.EUCJP)
	}
	return nil, nil
}

// mixed are codes of one byte, and of two where the first is between lo and hi.
func mixed(lo, hi uint32) []codespace {
	return []codespace{{2, lo<<8 | 0x40, hi<<8 | 0xfe}, {1, 0, 0x80}, {1, 0xa0, 0xdf}}
}

func decoder(e encoding.Encoding) func([]byte) string {
	d := e.NewDecoder()
	return func(b []byte) string {
		out, err := d.Bytes(b)
		if err != nil {
			return ""
		}
		return clean(string(out))
	}
}
