package transport

import (
	"bufio"
	"errors"
	"strings"
	"unicode"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// Bounds of a reply. RFC 5321 4.5.3.1.5 has lines of 512 bytes; servers write longer ones.
const (
	maxReplyLine  = 2048
	maxReplyLines = 100
	maxText       = 500
)

var (
	errReply     = errors.New("the server's reply makes no sense")
	errLongReply = errors.New("the server's reply is too long")
)

// reply is what a server says to a command (RFC 5321 4.2).
type reply struct {
	code     int
	enhanced string // RFC 2034
	text     string
}

// class is the first digit of the code.
func (r reply) class() int { return r.code / 100 }

// readReply reads a reply of one line or more. Each line's text is given to see, if there is one. The reader's buffer
// must be as large as a line.
func readReply(r *bufio.Reader, see func(text string)) (reply, error) {
	var out reply
	for range maxReplyLines {
		line, err := r.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) || len(line) > maxReplyLine+2 {
			return reply{}, errLongReply
		}
		if err != nil {
			return reply{}, err
		}
		code, text, more, ok := cutReply(line)
		if !ok {
			return reply{}, errReply
		}
		out.code = code // QUIRK: lines with different codes; the last one counts
		if see != nil {
			see(string(text))
		}
		out.add(text)
		if !more {
			return out, nil
		}
	}
	return reply{}, errLongReply
}

// cutReply takes a line apart: three digits, a hyphen if more lines follow, text.
func cutReply(line []byte) (code int, text []byte, more, ok bool) {
	for len(line) > 0 && (line[len(line)-1] == '\n' || line[len(line)-1] == '\r') {
		line = line[:len(line)-1]
	}
	if len(line) < 3 || line[0] < '2' || line[0] > '5' || !isDigit(line[1]) || !isDigit(line[2]) {
		return 0, nil, false, false
	}
	code = int(line[0]-'0')*100 + int(line[1]-'0')*10 + int(line[2]-'0')
	if len(line) == 3 {
		return code, nil, false, true
	}
	return code, line[4:], line[3] == '-', line[3] == '-' || line[3] == ' '
}

// add takes the text of a line.
func (r *reply) add(text []byte) {
	enhanced, rest := cutEnhanced(text, r.code)
	if enhanced != "" {
		r.enhanced = enhanced
	}
	if len(rest) == 0 || len(r.text) >= maxText {
		return
	}
	if r.text != "" {
		r.text += " "
	}
	r.text = mailbox.Cut(r.text+oneLine(string(rest)), maxText)
}

// cutEnhanced takes the enhanced code from the beginning of a text: class, subject and detail, of the class of the
// code.
func cutEnhanced(text []byte, code int) (enhanced string, rest []byte) {
	if len(text) < 5 || int(text[0]-'0') != code/100 || text[1] != '.' {
		return "", text
	}
	subject := digits(text[2:])
	if subject == 0 || len(text) <= 2+subject || text[2+subject] != '.' {
		return "", text
	}
	end := 3 + subject
	detail := digits(text[end:])
	end += detail
	if detail == 0 || len(text) > end && text[end] != ' ' {
		return "", text
	}
	return string(text[:end]), text[min(end+1, len(text)):]
}

// digits is how many digits a text begins with, up to three, or 0 for more.
func digits(b []byte) int {
	n := 0
	for n < len(b) && isDigit(b[n]) {
		n++
	}
	if n > 3 {
		return 0
	}
	return n
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// oneLine makes a text fit to be stored and shown: one line, no control characters, 500 bytes at most.
func oneLine(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] > '~' {
			s = strings.Map(clean, strings.ToValidUTF8(s, "?"))
			break
		}
	}
	return strings.TrimSpace(mailbox.Cut(s, maxText))
}

// clean drops what would move the cursor, hide, or turn round what is shown.
func clean(c rune) rune {
	switch {
	case c == '\t' || c == '\n' || c == '\r':
		return ' '
	case unicode.IsControl(c) || unicode.Is(unicode.Cf, c) || c == '\u2028' || c == '\u2029':
		return -1
	}
	return c
}
