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
		if i+1 == len(ls) || ls[i+1].blank() || ls[i+1].kind == dropped || hasPart(l.body, device) {
			l.kind = dropped
		}
	}
}

// isDevice is a line that a device or a program has added: "Sent from my iPhone".
func isDevice(body string) bool {
	if len(body) > maxDeviceLine || len(body) < 6 {
		return false
	}
	first, last := firstWord(body), lastWord(body)
	if words().AtStart(body[strings.Index(body, first):]).Any(sent) {
		return endsLikeDevice(deviceText(body))
	}
	switch {
	case words().AtEnd(last).Any(sentEnd):
		return hasPart(body, device) && wordCount(body, 15) < 15
	case has(first, sentWithin):
		return wordCount(body, 9) < 9
	case parts().Whole(last).Any(device):
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
	if !strings.ContainsFunc(rest, unicode.IsLetter) || hasPart(rest, excuse) {
		return true
	}
	return hasPart(rest, device) && wordCount(rest, 7) < 7
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

// fromDevice is a short line such as "via mobile" or "From my iPhone 6".
func fromDevice(s string) bool {
	s = strings.Trim(s, "<>()[]*_\"' -–.")
	if wordCount(s, 6) >= 6 {
		return false
	}
	return strings.HasPrefix(s, "via ") || strings.HasPrefix(s, "from ") || strings.Contains(s, " via mobile") ||
		strings.Contains(s, " from mobile")
}

// isOutlookOffer is "Get Outlook for iOS" in any language.
func isOutlookOffer(s string) bool {
	if wordCount(s, 9) >= 9 || !strings.Contains(s, "outlook") {
		return false
	}
	return strings.Contains(s, "ios") || strings.Contains(s, "android") || strings.Contains(s, "outlook for mac") ||
		strings.Contains(s, "outlook mobile")
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
