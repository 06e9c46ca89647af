package screen

import "unicode/utf8"

// unseen decodes what is spelled in characters that take no room: tags (U+E0000), variation selectors as bytes, and
// characters without width as bits.
func (r *reader) unseen(text string) {
	var tags, selectors, bits []byte
	flag := false // the tags belong to a flag
	for i := 0; i < len(text); {
		if text[i] < utf8.RuneSelf {
			i++
			flag = false
			continue
		}
		c, n := utf8.DecodeRuneInString(text[i:])
		i += n
		switch {
		case c == 0x1F3F4:
			flag = true
		case c >= 0xE0020 && c < 0xE007F:
			if !flag {
				tags = append(tags, byte(c-0xE0000))
			}
		case c == 0xE007F:
			flag = false
		case c >= 0xE0100 && c <= 0xE01EF:
			selectors = append(selectors, byte(c-0xE0100+16))
		case c >= 0xFE00 && c <= 0xFE0E:
			selectors = append(selectors, byte(c-0xFE00))
		case c == 0x200B:
			bits = append(bits, 0)
		case c == 0x200C:
			bits = append(bits, 1)
		}
	}
	r.spelled(tags)
	r.spelled(selectors)
	r.bits(bits)
}

// spelled reads what tags or selectors say. That they say anything is a finding: they have no other use.
func (r *reader) spelled(b []byte) {
	if len(b) < shortest || !isProse(b) {
		return
	}
	if len(b) > longestCode {
		b = b[:longestCode]
	}
	outer := r.layer
	r.layer = layerUnseen
	r.mark("spell with unseen characters", string(b), 0, 1)
	r.layer = outer
	r.again(layerUnseen, string(b))
}

// bits reads characters without width as eight bits each, either way.
func (r *reader) bits(bits []byte) {
	const most = 8 * longestCode
	bits = bits[:min(len(bits), most)]
	for _, flip := range []byte{0, 1} {
		plain := make([]byte, 0, len(bits)/8)
		for i := 0; i+8 <= len(bits); i += 8 {
			var c byte
			for _, bit := range bits[i : i+8] {
				c = c<<1 | bit ^ flip
			}
			plain = append(plain, c)
		}
		if isProse(plain) {
			r.again(layerUnseen, string(plain))
		}
	}
}
