package smtpd

import (
	"strconv"
	"strings"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// mailParams reads the parameters of MAIL into tx, with AUTH where one can log in. The bool is false where the reply
// says why.
func (tx *transaction) mailParams(params string, maxSize int64, auth bool) (reply, bool) {
	seen := map[string]bool{}
	for _, p := range strings.Fields(params) {
		key, value, hasValue := strings.Cut(p, "=")
		key = strings.ToUpper(key)
		if seen[key] {
			return replyParamForm, false
		}
		seen[key] = true
		switch key {
		case "SIZE": // RFC 1870
			size, ok := parseSize(value)
			if !ok {
				return replyParamForm, false
			}
			if size > maxSize {
				return kindReplies[mailbox.TooLarge], false
			}
			tx.size = size
		case "BODY": // RFC 6152; messages are kept byte for byte either way
			if v := strings.ToUpper(value); v != "7BIT" && v != "8BITMIME" {
				return replyParamForm, false
			}
		case "SMTPUTF8": // RFC 6531
			if hasValue {
				return replyParamForm, false
			}
			tx.utf8 = true
		case "AUTH": // RFC 4954 5: who submitted it first, which nobody has to believe
			if !auth {
				return replyParamUnknown, false
			}
			if value == "" {
				return replyParamForm, false
			}
		default:
			return replyParamUnknown, false
		}
	}
	return reply{}, true
}

// parseSize reads up to 20 digits (RFC 1870 3, RFC 3030 2). What does not fit in 63 bits becomes the largest that does.
func parseSize(s string) (int64, bool) {
	if s == "" || len(s) > 20 || strings.Trim(s, "0123456789") != "" {
		return 0, false
	}
	n, _ := strconv.ParseInt(s, 10, 64) // out of range gives the largest
	return n, true
}
