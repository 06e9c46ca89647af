package reply

import (
	"strings"
	"unicode"
)

const maxDeviceLine = 200 // bytes

// dropDevices drops the lines that devices and programs have added. Without a device in it, such a line is the last one
// of its paragraph.
func dropDevices(ls []line) {
	for i := len(ls) - 1; i >= 0; i-- {
		l := &ls[i]
		if l.kind != own || l.blank() || !isDevice(l.body) {
			continue
		}
		if i+1 == len(ls) || ls[i+1].blank() || ls[i+1].kind == dropped || hasDevice(lower(l.body)) {
			l.kind = dropped
		}
	}
}

// isDevice is a line that a device or a program has added: "Sent from my iPhone".
func isDevice(body string) bool {
	if len(body) > maxDeviceLine || len(body) < 6 {
		return false
	}
	w := words()
	word := firstWord(body)
	first := lower(word)
	if phrases := w.sentFirst[first]; phrases != nil && hasPrefixOf(body[strings.Index(body, word):], phrases) {
		return endsLikeDevice(deviceText(body))
	}
	last := lower(lastWord(body))
	switch {
	case w.sentLast[last] || !isASCII(last) && hasSuffixOf(last, sentLastWithin):
		return hasDevice(lower(body)) && wordCount(body, 15) < 15
	case !isASCII(first) && containsAny(first, sentFirstWithin):
		return wordCount(body, 9) < 9
	case w.devices[last]:
		return fromDevice(lower(body)) || isOutlookOffer(deviceText(body))
	}
	return strings.Contains(body, "Outlook") && isOutlookOffer(deviceText(body))
}

// deviceText is body in lower case, without brackets around it, stars and web addresses.
func deviceText(body string) string {
	s := strings.Trim(lower(body), "<>()[]*_\"'~-– ")
	for {
		at := strings.Index(s, "http")
		if at < 0 {
			break
		}
		end := strings.IndexAny(s[at:], " )>]")
		if end < 0 {
			end = len(s) - at
		}
		s = strings.TrimRight(s[:at], "(<[") + strings.TrimLeft(s[at+end:], ")>]")
	}
	if strings.ContainsAny(s, "[]") {
		s = strings.NewReplacer("[", "", "]", "").Replace(s)
	}
	return strings.TrimSpace(s)
}

// endsLikeDevice says that a line that begins like one of a device does not go on as a sentence: it is short, and
// nothing but an excuse or the name of a device follows its first clause.
func endsLikeDevice(s string) bool {
	clause, rest := s, ""
	if at := clauseEnd(s); at >= 0 {
		clause, rest = s[:at], s[at:]
	}
	const most = 11 // words
	if wordCount(clause, most) >= most {
		return false
	}
	if !strings.ContainsFunc(rest, unicode.IsLetter) || containsAny(rest, words().excuse) {
		return true
	}
	return hasDevice(rest) && wordCount(rest, 7) < 7
}

// clauseEnd is the first stop in s, or -1. A dot within a name is none.
func clauseEnd(s string) int {
	for i := range len(s) {
		switch s[i] {
		case ',', ';', '!', '(':
			return i
		case '.':
			if i+1 == len(s) || s[i+1] == ' ' {
				return i
			}
		}
	}
	return -1
}

// hasDevice says that a device or program is named in s, which is in lower case.
func hasDevice(s string) bool {
	return words().devices.hasWord(s) || containsAny(s, devicesWithin)
}

// fromDevice is a short line such as "via mobile" or "From my iPhone 6".
func fromDevice(s string) bool {
	s = strings.Trim(s, "<>()[]*_\"' -–.")
	if wordCount(s, 6) >= 6 {
		return false
	}
	return strings.HasPrefix(s, "via ") || strings.HasPrefix(s, "from ") || strings.Contains(s, " via mobile") || strings.Contains(s, " from mobile")
}

// isOutlookOffer is "Get Outlook for iOS" in any language.
func isOutlookOffer(s string) bool {
	if wordCount(s, 9) >= 9 || !strings.Contains(s, "outlook") {
		return false
	}
	return strings.Contains(s, "ios") || strings.Contains(s, "android") || strings.Contains(s, "outlook for mac") || strings.Contains(s, "outlook mobile")
}

// hasPrefixOf says whether s begins with one of the phrases, in any case, and a word ends there. Links of Markdown may
// stand around the word after it.
func hasPrefixOf(s string, phrases []string) bool {
	for _, p := range phrases {
		if len(s) >= len(p) && strings.EqualFold(s[:len(p)], p) && wordLength(s[len(p):]) == 0 {
			return true
		}
	}
	return false
}

func hasSuffixOf(s string, parts []string) bool {
	for _, p := range parts {
		if strings.HasSuffix(s, p) {
			return true
		}
	}
	return false
}

// lastWord is the letters s ends with, before anything that is none.
func lastWord(s string) string {
	s = strings.TrimRightFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) })
	from := strings.LastIndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) })
	if from < 0 {
		return s
	}
	return strings.TrimLeftFunc(s[from:], func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) })
}
