package screen

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// unmask returns a sentence in the letters that a reader sees. It tells of letters that are disguised: styled ones of
// mathematics, those of another script within Latin words, and characters without width within words. Digits for
// letters and letters set apart are read too, but addresses of pages and numbers of parts have them as well.
func unmask(s sentence) (text string, disguised bool) {
	text = s.text
	if s.foreign {
		text, disguised = unmaskLetters(text)
	}
	if s.odd {
		text = unleet(closeUp(text))
	}
	return text, disguised
}

// unmaskLetters replaces letters that look Latin, in words that have Latin ones too.
func unmaskLetters(s string) (string, bool) {
	if !hasMasks(s) {
		return s, false
	}
	var b strings.Builder
	b.Grow(len(s))
	for i, word := range strings.Split(norm.NFKC.String(strings.Map(seen, s)), " ") {
		if i > 0 {
			b.WriteByte(' ')
		}
		if isLatin(word) {
			word = strings.Map(lookAlike, word)
		}
		b.WriteString(word)
	}
	return b.String(), true
}

// hasMasks tells whether a text has styled letters, a word of two alphabets, or characters without width in words.
func hasMasks(s string) bool {
	latin, foreign, unseen := false, false, 0
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			if i++; isLetter(c) {
				latin = true
			} else {
				latin, foreign = false, false
			}
			continue
		}
		c, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case isStyled(c):
			return true
		case isZeroWidth(c) || isOverlay(c):
			if latin && i+n < len(s) {
				unseen++
			}
		case lookAlike(c) != c:
			foreign = true
		}
		if latin && foreign || unseen > 3 {
			return true
		}
		i += n
	}
	return false
}

// seen drops what takes no room, and lines that are drawn through letters.
func seen(c rune) rune {
	if isZeroWidth(c) || isOverlay(c) {
		return -1
	}
	return c
}

func isOverlay(c rune) bool { return c >= 0x0334 && c <= 0x0338 }

// isLatin tells whether a word has Latin letters, or consists of look-alikes alone.
func isLatin(word string) bool {
	latin := false
	for _, c := range word {
		switch {
		case c < utf8.RuneSelf:
			latin = latin || isLetter(byte(c))
		case unicode.IsLetter(c) && lookAlike(c) == c && !unicode.Is(unicode.Latin, c):
			return false
		}
	}
	return latin
}

// isStyled tells of letters that are made for mathematics and for decoration.
func isStyled(c rune) bool {
	return c >= 0x1D400 && c <= 0x1D7FF || c >= 0x24B6 && c <= 0x24E9 || c >= 0x1F130 && c <= 0x1F189 ||
		c >= 0x1F1E6 && c <= 0x1F1FF ||
		c >= 0x1D00 && c <= 0x1D25 || c >= 0xFF21 && c <= 0xFF5A
}

func isZeroWidth(c rune) bool {
	return c >= 0x200B && c <= 0x200D || c == 0x2060 || c == 0xFEFF || c == 0xAD || c >= 0xE0000 && c <= 0xE01EF ||
		c >= 0x2061 && c <= 0x2064
}

// lookAlike is the Latin letter that a letter looks like, or the letter itself.
func lookAlike(c rune) rune {
	if c < utf8.RuneSelf {
		return c
	}
	if c >= 0x1F1E6 && c <= 0x1F1FF {
		return 'a' + c - 0x1F1E6
	}
	if c >= 0x1F130 && c <= 0x1F149 || c >= 0x1F150 && c <= 0x1F169 || c >= 0x1F170 && c <= 0x1F189 {
		return 'a' + (c-0x1F130)%32
	}
	if a, ok := lookAlikes[c]; ok {
		return a
	}
	return c
}

// lookAlikes are letters that are drawn like Latin ones.
var lookAlikes = map[rune]rune{
	'а': 'a', 'в': 'b', 'е': 'e', 'к': 'k', 'м': 'm', 'н': 'h', 'о': 'o', 'р': 'p', 'с': 'c', 'т': 't', 'у': 'y',
	'х': 'x', 'і': 'i',
	'ј': 'j', 'ѕ': 's', 'ԁ': 'd', 'һ': 'h', 'ԛ': 'q', 'ԝ': 'w', 'ӏ': 'l', 'ɡ': 'g', 'ɑ': 'a', 'г': 'r', 'п': 'n',
	'ѵ': 'v',
	'А': 'a', 'В': 'b', 'Е': 'e', 'К': 'k', 'М': 'm', 'Н': 'h', 'О': 'o', 'Р': 'p', 'С': 'c', 'Т': 't', 'У': 'y',
	'Х': 'x', 'І': 'i',
	'Ј': 'j', 'Ѕ': 's', 'ο': 'o', 'α': 'a', 'ε': 'e', 'ι': 'i', 'κ': 'k', 'ρ': 'p', 'τ': 't', 'χ': 'x', 'ν': 'v',
	'υ': 'u', 'η': 'n',
	'Α': 'a', 'Β': 'b', 'Ε': 'e', 'Ζ': 'z', 'Η': 'h', 'Ι': 'i', 'Κ': 'k', 'Μ': 'm', 'Ν': 'n', 'Ο': 'o', 'Ρ': 'p',
	'Τ': 't', 'Υ': 'y',
	'Χ': 'x', 'օ': 'o', 'ս': 'u', 'հ': 'h', 'ո': 'n', 'ı': 'i', 'ⅰ': 'i', 'ℓ': 'l',
	'ᴀ': 'a', 'ʙ': 'b', 'ᴄ': 'c', 'ᴅ': 'd', 'ᴇ': 'e', 'ɢ': 'g', 'ʜ': 'h', 'ɪ': 'i', 'ᴊ': 'j', 'ᴋ': 'k', 'ʟ': 'l',
	'ᴍ': 'm', 'ɴ': 'n',
	'ᴏ': 'o', 'ᴘ': 'p', 'ʀ': 'r', 'ᴛ': 't', 'ᴜ': 'u', 'ᴠ': 'v', 'ᴡ': 'w', 'ʏ': 'y', 'ᴢ': 'z',
}

// closeUp joins letters that are set apart: "i g n o r e a l l", "i-g-n-o-r-e". A wider gap is a space; where all gaps
// are alike, only the letters are left, and the words that are looked for are parted again.
func closeUp(s string) string {
	var b strings.Builder
	joined := 0
	for i := 0; i < len(s); {
		if !isLetter(s[i]) {
			b.WriteByte(s[i])
			i++
			continue
		}
		end := i
		for end+2 < len(s) && !isLetter(s[end+1]) && s[end+1] < utf8.RuneSelf && isLetter(s[end+2]) &&
			(end+3 >= len(s) || !isLetter(s[end+3])) {
			end += 2
		}
		if end-i < 4 {
			for ; i < len(s) && isLetter(s[i]); i++ {
				b.WriteByte(s[i])
			}
			continue
		}
		for ; i <= end; i += 2 {
			b.WriteByte(s[i])
			joined++
		}
		i--
	}
	if joined < apartLetters {
		return s
	}
	return partWords(b.String())
}

// runTogether are beginnings of instructions, as they are left where all gaps were alike.
var runTogether = strings.NewReplacer("ignore", " ignore ", "disregard", " disregard ", "forget", " forget ", "all",
	" all ",
	"previous", " previous ", "prior", " prior ", "instructions", " instructions ", "reveal", " reveal ", "your",
	" your ", "the", " the ",
	"systemprompt", " system prompt ", "send", " send ", "forward", " forward ", "password", " password", "emails",
	" emails ", "and", " and ")

func partWords(s string) string { return runTogether.Replace(strings.ToLower(s)) }

// unleet reads digits within words as the letters they stand for.
func unleet(s string) string {
	const digits, letters = "013457@$", "oieastas"
	b := []byte(s)
	n := 0
	for i := 0; i < len(b); {
		end, letter := i, false
		for ; end < len(b) && (isLetter(b[end]) || strings.IndexByte(digits, b[end]) >= 0); end++ {
			letter = letter || isLetter(b[end])
		}
		for ; i < end; i++ {
			if at := strings.IndexByte(digits, b[i]); at >= 0 && letter {
				b[i] = letters[at]
				n++
			}
		}
		i++
	}
	if n < digitsWithin {
		return s
	}
	return string(b)
}
