package link

import (
	"bytes"
	"strings"

	"github.com/mailkin/mailkin/internal/lexicon"
)

// evidence is what a URL says about itself.
type evidence struct {
	means  lexicon.Set // by the words of its path and parameters
	secret bool        // it carries something that cannot be guessed
	keyed  bool        // it ends with what may be a short one
	named  bool        // and calls it a token, a code or a key
	deep   bool        // it leads further than to a front page
}

// examine reads a URL. It takes words apart at signs and at capital letters, and stops at what is too long for words.
func examine(u string) evidence {
	var e evidence
	_, rest, _ := strings.Cut(u, "//")
	slash := strings.IndexAny(rest, `/\?#`)
	if slash < 0 {
		return e
	}
	path, query := rest[slash:], ""
	if i := strings.IndexAny(path, "?#"); i >= 0 {
		path, query = path[:i], path[i+1:]
	}
	var room [maxWords]byte
	words := room[:0]
	for segment := range strings.SplitSeq(path, "/") {
		e.deep = e.deep || segment != ""
		if isSecret(segment) {
			e.secret = true
			continue
		}
		e.keyed = isKey(segment)
		const headline = 4 // signs between words
		if strings.Count(segment, "-") >= headline {
			continue // of a page about something
		}
		words = appendWords(words, segment)
	}
	words = e.parameters(words, query)
	e.means = urlWords().In(string(words))
	return e
}

// maxWords bounds how much of a URL is read for words.
const maxWords = 400

// maxParameters bounds the parameters that are read.
const maxParameters = 40

// parameters reads the query, and appends its words.
func (e *evidence) parameters(words []byte, query string) []byte {
	noWords := len(bytes.TrimSpace(words)) == 0
	for n := 0; query != "" && n < maxParameters; n++ {
		var p string
		p, query = cutParameter(query)
		name, value, _ := strings.Cut(p, "=")
		e.deep = true
		switch kind := parameterKinds[strings.ToLower(name)]; {
		case kind == namesAction && value == "rp":
			words = appendWords(words, "resetpassword") // QUIRK: WordPress
		case kind == namesAction:
			words = appendWords(words, value)
		case kind == namesPage:
			if noWords {
				words = appendEscaped(words, value)
			}
		case kind == namesNothing:
			continue
		case value != "" && (kind == namesSecret || namesSecretWithin(name)):
			e.secret, e.named = true, true
			words = appendWords(words, name)
		default:
			e.secret = e.secret || isSecret(value)
			words = appendWords(words, name)
		}
	}
	return words
}

func cutParameter(query string) (p, rest string) {
	if i := strings.IndexAny(query, "&;#"); i >= 0 {
		return query[:i], query[i+1:]
	}
	return query, ""
}

// namesSecretWithin finds "confirmation_token", "resetKey", "loginCode".
func namesSecretWithin(name string) bool {
	if len(name) > 40 {
		return false
	}
	name = strings.ToLower(name)
	return strings.HasSuffix(name, "token") || strings.HasSuffix(name, "code") || strings.HasSuffix(name, "key") ||
		strings.HasSuffix(name, "hash") || strings.HasSuffix(name, "ticket")
}

// isSecret tells of something too long and too mixed to be words: 16 characters with letters and digits, or 24 with
// both cases.
func isSecret(s string) bool {
	if len(s) < 16 {
		return false
	}
	digits, lower, upper, signs := 0, 0, 0, 0
	for i := range len(s) {
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			digits++
		case c >= 'a' && c <= 'z':
			lower++
		case c >= 'A' && c <= 'Z':
			upper++
		default:
			signs++
		}
	}
	letters := lower + upper
	return digits >= 3 && letters >= 3 && signs*5 <= len(s) || digits >= 20 || len(s) >= 24 && upper >= 4 &&
		lower >= 4 && signs == 0
}

// isKey tells of a short run of letters and digits that go to and fro: 9f8e7d6c, but not iphone15 or 2026-03-14.
func isKey(s string) bool {
	if len(s) < 8 {
		return false
	}
	turns, wasDigit := 0, false
	for i := range len(s) {
		c := s[i]
		digit := c >= '0' && c <= '9'
		if !digit && !isLower(c|0x20) {
			return false
		}
		if i > 0 && digit != wasDigit {
			turns++
		}
		wasDigit = digit
	}
	return turns >= 3
}

// appendWords writes the words of a piece of a URL, parted by spaces.
func appendWords(words []byte, s string) []byte {
	words = append(words, ' ')
	small := false // the letter before
	for i := 0; i < len(s) && len(words) < maxWords-2; i++ {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z':
			words = append(words, c)
			small = true
		case c >= 'A' && c <= 'Z':
			if small {
				words = append(words, ' ')
			}
			words = append(words, c|0x20)
			small = false
		case c >= '0' && c <= '9':
			words = append(words, c)
		case c == '%' && i+2 < len(s):
			words = append(words, ' ')
			i += 2
			small = false
		default:
			words = append(words, ' ')
			small = false
		}
	}
	return words
}

// appendEscaped writes the words of a target that is the parameter of a wrapper, without its host.
func appendEscaped(words []byte, value string) []byte {
	if len(value) < 10 || !strings.EqualFold(value[:4], "http") {
		return words
	}
	for _, sign := range [...]string{"%2F%2F", "%2f%2f", "//"} {
		if _, rest, ok := strings.Cut(value, sign); ok {
			for _, slash := range [...]string{"%2F", "%2f", "/"} {
				if _, path, ok := strings.Cut(rest, slash); ok {
					return appendWords(words, path)
				}
			}
		}
	}
	return words
}
